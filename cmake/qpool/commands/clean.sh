# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_clean() { echo "remove everything that was built"; }
group_clean=build

help_clean()
{
    cat <<'HELP'
usage: ./qpool clean [--dry-run]

Removes what ./qpool has built and fetched, which is all below build, or below $QPOOL_BUILD_DIR. The
next command that needs it builds it anew. Packages of the distribution stay. It waits for another
./qpool that is at work.

  --dry-run      say what would be removed, and how large it is
HELP
}

# What the commands create below the build folder. A folder that QPOOL_BUILD_DIR names may have the user's own files.
built_names=(address allocator allocator-* apt arch-* bare bench-* debug default default-* demo doc log
    malloc-runtime package packages patches qt thread tools undefined .qt-package)

command_clean()
{
    local dry='' operands=() found=() name path size
    take_options --dry-run take_clean_option "$@"
    if [[ ! -e $QPOOL_BUILD/.lock ]]; then
        say "There is nothing to remove: no ./qpool has built in $QPOOL_BUILD."
        return 0
    fi
    take_lock
    for name in "${built_names[@]}"; do
        # shellcheck disable=SC2231 # the names have wildcards
        for path in "$QPOOL_BUILD"/$name; do
            [[ ! -e $path && ! -L $path ]] || found+=("$path")
        done
    done
    if ((${#found[@]} == 0)); then
        say "There is nothing to remove in $QPOOL_BUILD."
        return 0
    fi
    size=$(du -shc "${found[@]}" 2>/dev/null | tail -n 1 | cut -f1)
    if [[ $dry ]]; then
        say "Would remove $size in $QPOOL_BUILD: ${found[*]#"$QPOOL_BUILD/"}"
        return 0
    fi
    rm -rf -- "${found[@]}" || fail "not everything in $QPOOL_BUILD could be removed: call it as the owner of those files"
    rm -f "$QPOOL_BUILD/.lock"
    rmdir "$QPOOL_BUILD" 2>/dev/null || true
    say "Removed $size in $QPOOL_BUILD."
}

# Sets $dry.
take_clean_option() { dry=yes; }
