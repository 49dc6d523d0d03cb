# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# How every subcommand reads its options.

# Where it is not the help that tells what values there are, $option_values[--name] does.
declare -A option_values=()

# take_options SPECIFICATION HANDLER "$@": reads the arguments of a subcommand. The specification has
# a word for each option that it knows, and for what else it takes:
#   --name     calls HANDLER --name
#   --name=    takes a value, as --name VALUE or --name=VALUE, and calls HANDLER --name VALUE
#   --name=?   the same, and the value may be empty
#   OPERAND    what is no option may stand between them: calls HANDLER OPERAND WORD
#   ANY        so may options that are not known
#   PROGRAM    what is no option ends them
#   --         so does this word
# What follows the end of the options is left in the caller's $operands. The options that choose a Qt
# and a compiler are handled where these are.
take_options()
{
    local specification=" $1 " handler=$2 name value
    shift 2
    operands=()
    while (($#)); do
        name=$1
        [[ $1 != --*=* ]] || name=${1%%=*}
        if [[ $name == -* ]] && { knows_option "$name=" || knows_option "$name=?"; }; then
            if [[ $name != "$1" ]]; then
                value=${1#*=}
            else
                (($# > 1)) || lacks_value "$name"
                value=$2
                shift
            fi
            [[ $value ]] || knows_option "$name=?" || lacks_value "$name"
            handle_option "$name" "$value"
            shift
            continue
        fi
        case $1 in
        --)
            if knows_option --; then
                shift
                break
            fi
            unknown_option "$1"
            ;;
        -*)
            if knows_option "$1"; then
                "$handler" "$1"
            else
                unknown_option "$1"
            fi
            ;;
        *)
            ! knows_option PROGRAM || break
            unknown_option "$1"
            ;;
        esac
        shift
    done
    operands=("$@")
}

# The rest is for take_options alone, and sees its variables.

knows_option() { [[ $specification == *" $1 "* ]]; }

handle_option()
{
    case $1 in
    --qt | --source | --jobs) set_qt_option "$1" "$2" ;;
    --cc) set_compiler_option "$2" ;;
    *) "$handler" "$1" "$2" ;;
    esac
}

lacks_value()
{
    usage_error "$1 needs a value: ${option_values[$1]-see ./qpool $qpool_command --help}"
}

unknown_option()
{
    if knows_option ANY || { [[ $1 != -* ]] && knows_option OPERAND; }; then
        "$handler" OPERAND "$1"
    else
        usage_error "unknown option $1: see ./qpool $qpool_command --help"
    fi
}
