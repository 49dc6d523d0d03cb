# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Man pages and completions, which cmake/packaging/manuals.sh writes from --help: they have every command, and the
# options that the commands take.

source "$(dirname "$0")/check.sh"
qpool=$QPOOL_ROOT/qpool
made=$work/share
check "manuals.sh" "$QPOOL_ROOT/cmake/packaging/manuals.sh" "$qpool" "$made"
completion=$made/bash-completion/completions/qpool

# taken COMMAND: the options that its code takes, of the specification that it gives to take_options.
taken()
{
    bash -c '
        set -- --help
        source "$0" >/dev/null
        take_options() { printf "%s\n" $1; exit; }
        qpool_command=$name
        load_command "$name"
        "command_$name"' "$qpool" 2>/dev/null | sed -nE 's/^(--?[A-Za-z][A-Za-z0-9+-]*)[=?]*$/\1/p' | sort -u
}

# offered COMMAND: those that the completion offers.
offered()
{
    bash -c 'source "$0"; COMP_WORDS=(qpool "$1" -) COMP_CWORD=2; _qpool; printf "%s\n" "${COMPREPLY[@]}"' \
        "$completion" "$1" | grep -vx -e --help | sort -u
}

for file in "$QPOOL_ROOT"/cmake/qpool/commands/*.sh; do
    name=$(basename "$file" .sh)
    export name
    check "man page of $name" test -s "$made/man/man1/qpool-$name.1"
    wanted=$(taken "$name")
    got=$(offered "$name")
    check_equal "$name: no option is offered that it does not take" "$(comm -13 <(echo "$wanted") <(echo "$got"))" ""
    # -o has a longer name.
    check_equal "$name: every option is offered" "$(comm -23 <(echo "$wanted") <(echo "$got") | grep -vx -e --output)" ""
done
check_contains "the page of all names each" "$(<"$made/man/man1/qpool.1")" 'qpool\-census'
check_equal "commands are completed" \
    "$(bash -c 'source "$0"; COMP_WORDS=(qpool ce) COMP_CWORD=1; _qpool; echo "${COMPREPLY[*]}"' "$completion")" census
# An option that no command takes is noticed.
sed 's/--hardened/--softened/g' "$completion" >"$work/other"
completion=$work/other
name=run
check_equal "another option is noticed" "$(comm -13 <(taken run) <(offered run))" --softened

if command -v man >/dev/null; then
    check_equal "man has nothing to say about them" \
        "$(for page in "$made"/man/man1/*; do man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null; done)" ""
fi
check "zsh reads its completion" zsh -n "$made/zsh/vendor-completions/_qpool"
check "fish reads its completion" fish --no-execute "$made/fish/vendor_completions.d/qpool.fish"
finish
