# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The folder that ./qpool install writes and ./qpool uninstall empties.

# The list of an installation's files, relative to its folder. It also identifies an installation.
installed_files() { echo "$1/share/qpool/installed-files"; }

# remove_former PREFIX NEW-LIST: removes an earlier installation's files that this one does not have. It
# keeps the user's own files.
remove_former()
{
    local former
    former=$(installed_files "$1")
    [[ -e $former ]] || return 0
    local file place folder
    folder=$(realpath -- "$1")
    while IFS= read -r file; do
        place=.
        [[ $file != */* ]] || place=${file%/*}
        # A folder that is now a link to one elsewhere is the user's.
        [[ $file && $(realpath -m -- "$1/$place")/ == "$folder"/* ]] || continue
        rm -f -- "$1/$file"
        # Relative, so that the folders above PREFIX stay.
        [[ $place == . ]] || (cd -- "$1" && rmdir -p --ignore-fail-on-non-empty -- "$place" 2>/dev/null) || true
    done < <(LC_ALL=C comm -23 <(LC_ALL=C sort "$former") <(LC_ALL=C sort "$2"))
}
