# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# How every subcommand reads its options.

# The possible values of an option whose help does not list them: $option_values[--name].
declare -A option_values=()

# take_options SPECIFICATION HANDLER "$@": reads the arguments of a subcommand. The specification has
# a word for each option of the subcommand, and for each other kind of argument:
#   --name     calls HANDLER --name
#   --name=    takes a value, as --name VALUE or --name=VALUE, and calls HANDLER --name VALUE
#   --name=?   the same, and the value may be empty
#   OPERAND    words that are not options may stand between them: calls HANDLER OPERAND WORD
#   ANY        unknown options may, too
#   PROGRAM    the first word that is not an option ends the options
#   --         so does this word
# The words after the end of the options are in the caller's $operands. qt.sh and compiler.sh handle
# the options that choose a Qt and a compiler.
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

# Helpers of take_options, which use its local variables.

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
