# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_uninstall() { echo "remove what ./qpool install put into a folder"; }
group_uninstall=build

help_uninstall()
{
    cat <<'HELP'
usage: ./qpool uninstall --prefix DIR

Removes the files that ./qpool install put into DIR, and the folders that are empty then. Other
files in DIR stay. Packages are removed by apt-get remove.

  --prefix DIR   the folder that was given to ./qpool install; it may have been moved since
HELP
}

command_uninstall()
{
    local prefix='' operands=() list count
    take_options --prefix= take_uninstall_option "$@"
    [[ $prefix ]] || usage_error "uninstall needs --prefix DIR: see ./qpool uninstall --help"
    list=$(installed_files "$prefix")
    [[ -f $list ]] || fail "$prefix holds no installation of QPool's: give --prefix the folder of ./qpool install"
    # The list is a file in a folder of the user's: nothing outside of that folder may be removed by it.
    ! grep -qE '^/|(^|/)\.\.(/|$)' "$list" || fail "$list names files outside of $prefix: it was changed, so nothing is removed"
    [[ -w $prefix && -w $(dirname "$list") ]] || fail "cannot write to $prefix: run ./qpool uninstall as its owner"
    count=$(wc -l <"$list")
    remove_former "$prefix" /dev/null
    [[ ! -e $list ]] || fail "not everything in $prefix could be removed: run ./qpool uninstall as its owner"
    rmdir "$prefix" 2>/dev/null || true
    say "Removed $count files from $prefix."
}

# Sets $prefix.
take_uninstall_option() { prefix=$(realpath -m -- "$2"); }
