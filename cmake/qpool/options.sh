# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# How every subcommand reads its options.

# The possible values of an option whose help does not list them: $option_values[--name].
declare -A option_values=()

# exec_tool NAME "$@": replaces this process by the program of tools/NAME, with the arguments but for those of
# packages.sh.
exec_tool()
{
    local tool argument arguments=()
    prepare_tool "$1"
    shift
    for argument; do
        is_installed || [[ $argument != --yes && $argument != --no-install ]] || continue
        arguments+=("$argument")
    done
    exec "$tool" "${arguments[@]}"
}

# take_options SPECIFICATION HANDLER "$@": reads the arguments of a subcommand. The specification has
# a word for each option of the subcommand, and for each other kind of argument:
#   --name     calls HANDLER --name
#   --name=    takes a value, as --name VALUE or --name=VALUE, and calls HANDLER --name VALUE
#   --name=?   the same, and the value may be empty
#   OPERAND    words that are not options may stand between them: calls HANDLER OPERAND WORD
#   ANY        unknown options may, too
#   PROGRAM    the first word that is not an option ends the options
#   --         so does this word
# --help prints the command's help, and ends.
# The words after the end of the options are in the caller's $operands. qt.sh and compiler.sh handle
# the options that choose a Qt and a compiler; every command of the repository has those of packages.sh.
take_options()
{
    local specification=" $1 " handler=$2 name value
    shift 2
    operands=()
    while (($#)); do
        case $1 in
        -h | --help)
            "help_$qpool_command"
            exit 0
            ;;
        --yes | --no-install)
            if ! is_installed; then
                set_install_option "$1"
                shift
                continue
            fi
            ;;
        esac
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
        # shellcheck disable=SC2086 # one word an option
        usage_error "unknown option $1: $(meant "${1%%=*}" $specification)see ./qpool $qpool_command --help"
    fi
}

# meant WORD KNOWN...: "did you mean KNOWN? " for the nearest known word, if one is near: at most two letters, or
# a third of the word, are wrong, missing or too many. (V. Levenshtein, 1966.)
meant()
{
    local word=$1
    shift
    printf '%s\n' "$@" | sed 's/[=?]*$//' | awk -v word="$word" '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, row, above, before) {
            for (j = 0; j <= length(b); ++j) row[j] = j
            for (i = 1; i <= length(a); ++i) {
                before = row[0]
                row[0] = i
                for (j = 1; j <= length(b); ++j) {
                    above = row[j]
                    row[j] = least(least(row[j - 1], above) + 1, before + (substr(a, i, 1) != substr(b, j, 1)))
                    before = above
                }
            }
            return row[length(b)]
        }
        BEGIN { best = length(word) / 3 > 2 ? length(word) / 3 : 2 }
        /^-?-?[a-z]/ && length($0) > 2 {
            found = distance(word, $0)
            if (found < length($0) && found <= best && (nearest == "" || found < least_found)) {
                nearest = $0
                least_found = found
            }
        }
        END { if (nearest != "") printf "did you mean %s? ", nearest }'
}

# take_process NAME [VALUE]: sets the caller's $pid to the process that a tool looks at. The tool itself
# handles the other options.
take_process()
{
    [[ $1 == OPERAND ]] || return 0
    [[ $2 =~ ^[1-9][0-9]*$ ]] ||
        usage_error "$2 is not the number of a process: see ./qpool $qpool_command --help"
    pid=$2
}
