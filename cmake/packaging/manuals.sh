#!/bin/bash
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# manuals.sh COMMAND FOLDER: writes man pages and completions of a qpool command, from what its --help and
# help print: FOLDER/man/man1, FOLDER/bash-completion/completions, FOLDER/zsh/vendor-completions and
# FOLDER/fish/vendor_completions.d, as below /usr/share. Without those texts there is nothing else to keep up to date.

set -euo pipefail
export LC_ALL=C.UTF-8
(($# == 2)) || { echo "usage: manuals.sh COMMAND FOLDER" >&2; exit 2; }
qpool=$1 folder=$2

help=$("$qpool" --help)
version=$("$qpool" --version)
# The commands' lines are "  NAME  SUMMARY", below their group's title.
mapfile -t commands < <(awk '/^  [a-z]+ / { print $1 }' <<<"$help")
((${#commands[@]})) || { echo "manuals.sh: $qpool --help names no commands" >&2; exit 1; }
# A process for each word would take longer than everything else here.
declare -A help_of=() options_of=() summary_of=()
while read -r name text; do
    summary_of[$name]=$text
done < <(grep -E '^  [a-z]+ ' <<<"$help")

# list_options COMMAND: a line for each option: its name, "value" or "-" if it takes none, and what it does.
list_options()
{
    awk '
        function flush(    i) {
            sub(/^ +/, "", text)
            sub(/ *[(]default.*/, "", text)
            sub(/[.;:] .*/, "", text)
            for (i = 1; i <= count; ++i) {
                if (names[i] in known) continue
                known[names[i]] = 1
                printf "%s\t%s\t%s\n", names[i], values[i], text
            }
            count = 0
            text = ""
        }
        function take(part,    words, total, i, name) {
            total = split(part, words, /[ =]+/)
            for (i = 1; i <= total; ++i) {
                name = words[i]
                sub(/,$/, "", name)
                if (name ~ /^--?[A-Za-z][A-Za-z0-9+-]*$/) {
                    names[++count] = name
                    values[count] = words[i] ~ /,$/ || i == total || words[i + 1] ~ /^-/ ? "-" : "value"
                }
            }
        }
        /^usage:/ { in_usage = 1 }
        /^$/ { in_usage = 0; flush(); next }
        in_usage { usage = usage " " $0; next }
        /^  -/ {
            flush()
            line = substr($0, 3)
            if (match(line, /  +/)) {
                take(substr(line, 1, RSTART - 1))
                text = substr(line, RSTART)
            } else if (match(line, /^-[^ ]+( [A-Z0-9|a-z]*[A-Z|][A-Z0-9|a-z]*)? [a-z]/)) {
                take(substr(line, 1, RLENGTH - 2))
                text = substr(line, RLENGTH)
            } else {
                take(line)
            }
            next
        }
        count && /^    / { sub(/^ +/, " "); text = text $0; next }
        { flush() }
        END {
            flush()
            gsub(/[][|]/, " ", usage)
            take(usage)
            text = ""
            flush()
        }' <<<"${help_of[$1]}"
}

for name in "${commands[@]}"; do
    help_of[$name]=$("$qpool" help "$name")
    options_of[$name]=$(list_options "$name")
done

# A text for --help as roff: escaped, with paragraphs, and each option with a hanging indent.
as_roff()
{
    awk '
        function escaped(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            if (text ~ /^[.\x27]/) text = "\\&" text
            return text
        }
        /^$/ { print ".PP"; fresh = 1; next }
        /^  (-|[a-z]+  )/ {
            line = substr($0, 3)
            text = ""
            if (match(line, /  +/)) { text = substr(line, RSTART + RLENGTH); line = substr(line, 1, RSTART - 1) }
            print ".TP"
            print ".B " escaped(line)
            if (text != "") print escaped(text)
            option = 1
            next
        }
        /^    / && option { sub(/^ +/, ""); print escaped($0); next }
        /^  / { sub(/^ +/, ""); print ".br"; print escaped($0); next }
        { if (option) print ".PP"; option = 0; print escaped($0) }'
}

# man_page NAME SUMMARY: of the help on standard input.
man_page()
{
    local name=$1 summary=$2 text
    text=$(cat)
    printf '.\\" Written by cmake/packaging/manuals.sh from the command'"'"'s own help.\n'
    printf '.TH %s 1 "" "%s" "User Commands"\n' "${name^^}" "$version"
    printf '.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n' "$name" "$summary"
    awk '/^usage:/ { on = 1 } /^$/ { if (on) exit } on' <<<"$text" | sed -E 's/^usage: /       /; s/^ {0,7}//; s/-/\\-/g; s/^[.]/\\\&./'
    printf '.fi\n.SH DESCRIPTION\n'
    awk 'done; /^usage:/ { on = 1 } on && /^$/ { done = 1 }' <<<"$text" | as_roff
    printf '.SH SEE ALSO\n'
}

see_also() { printf '.BR %s (1)%s\n' "$1" "$2"; }

man_pages()
{
    local command
    mkdir -p "$folder/man/man1"
    {
        man_page qpool "run Qt programs with their events and objects from a pool, and see what they allocate" <<<"$help"
        for command in "${commands[@]}"; do
            see_also "qpool\\-$command" ,
        done | sed '$s/,$//'
    } >"$folder/man/man1/qpool.1"
    for command in "${commands[@]}"; do
        {
            man_page "qpool-$command" "${summary_of[$command]}" <<<"${help_of[$command]}"
            see_also qpool ''
        } >"$folder/man/man1/qpool-$command.1"
    done
}

# The commands whose operand is a program; the others' are files or processes.
runs_programs() { [[ ${help_of[$1]} == *PROGRAM\ \[ARGUMENTS\]* ]]; }

bash_completion()
{
    local command
    mkdir -p "$folder/bash-completion/completions"
    {
        cat <<'SCRIPT'
# bash completion of qpool, written by cmake/packaging/manuals.sh from the command's own help.
_qpool()
{
    local word=${COMP_WORDS[COMP_CWORD]} options='' programs=''
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
SCRIPT
        printf '        mapfile -t COMPREPLY < <(compgen -W "%s help --help --version" -- "$word")\n' "${commands[*]}"
        printf '        return\n    fi\n    case ${COMP_WORDS[1]} in\n'
        printf '    help) options="%s" ;;\n' "${commands[*]}"
        for command in "${commands[@]}"; do
            printf '    %s) options="%s--help"' "$command" "$(cut -f1 <<<"${options_of[$command]}" | tr '\n' ' ')"
            ! runs_programs "$command" || printf ' programs=yes'
            printf ' ;;\n'
        done
        cat <<'SCRIPT'
    esac
    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ $programs ]]; then
        mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _qpool qpool
SCRIPT
    } >"$folder/bash-completion/completions/qpool"
}

zsh_completion()
{
    local command name value text
    mkdir -p "$folder/zsh/vendor-completions"
    {
        printf '#compdef qpool\n'
        printf "# zsh completion of qpool, written by cmake/packaging/manuals.sh from the command's own help.\n"
        printf '_qpool()\n{\n    if ((CURRENT == 2)); then\n        local -a commands=(\n'
        for command in "${commands[@]}"; do
            printf "            '%s:%s'\n" "$command" "${summary_of[$command]//\'/\'\\\'\'}"
        done
        printf '        )\n        _describe command commands\n        return\n    fi\n'
        printf '    local command=$words[2]\n    shift words\n    ((CURRENT -= 1))\n    case $command in\n'
        for command in "${commands[@]}"; do
            printf '    %s)\n        _arguments' "$command"
            while IFS=$'\t' read -r name value text; do
                [[ $name ]] || continue
                text=${text//[\[\]:]/ }
                value=${value#-}
                printf " \\\\\n            '%s[%s]%s'" "$name" "${text//\'/\'\\\'\'}" "${value:+:value:_files}"
            done <<<"${options_of[$command]}"
            if runs_programs "$command"; then
                printf " \\\\\n            '*::program:_normal'\n"
            else
                printf " \\\\\n            '*:operand:_files'\n"
            fi
            printf '        ;;\n'
        done
        printf '    esac\n}\n_qpool "$@"\n'
    } >"$folder/zsh/vendor-completions/_qpool"
}

fish_completion()
{
    local command name value text
    mkdir -p "$folder/fish/vendor_completions.d"
    {
        printf "# fish completion of qpool, written by cmake/packaging/manuals.sh from the command's own help.\n"
        for command in "${commands[@]}"; do
            printf "complete -c qpool -n __fish_use_subcommand -f -a %s -d '%s'\n" \
                "$command" "${summary_of[$command]//\'/\\\'}"
            while IFS=$'\t' read -r name value text; do
                [[ $name ]] || continue
                value=${value#-}
                case $name in
                --*) name="-l ${name#--}" ;;
                *) name="-s ${name#-}" ;;
                esac
                printf "complete -c qpool -n '__fish_seen_subcommand_from %s' %s%s -d '%s'\n" \
                    "$command" "$name" "${value:+ -r}" "${text//\'/\\\'}"
            done <<<"${options_of[$command]}"
        done
    } >"$folder/fish/vendor_completions.d/qpool.fish"
}

man_pages
bash_completion
zsh_completion
fish_completion
