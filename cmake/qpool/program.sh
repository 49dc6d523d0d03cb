# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The installed program that a command is to start.

# find_program NAME: sets the caller's $program to its path, or fails. The distribution's Qt programs are not in
# PATH, where their names may be Qt 5's programs, or a wrapper that chooses between the two versions. qpool-histogram
# is where ./qpool demo built it.
find_program()
{
    if [[ $1 == */* ]]; then
        program=$1
    elif [[ -x /usr/lib/qt6/bin/$1 ]]; then
        program=/usr/lib/qt6/bin/$1
    elif [[ $1 == qpool-histogram ]]; then
        program=$histogram
    else
        program=$(type -P "$1") || return
    fi
    [[ -f $program && -x $program ]]
}

# take_program NAME: the same, or ends with a code as env's.
take_program()
{
    ! find_program "$1" || return 0
    if [[ $1 == */* && -e $1 ]]; then
        qpool_failure=$qpool_cannot_run
        fail "$1 cannot be run: give a program that you may execute"
    fi
    qpool_failure=$qpool_no_program
    fail "there is no program $1: $(package_hint "$1")"
}

# Not by a pipe: ldd fails if its reader ends first, and then the pipe does.
links_qtcore()
{
    [[ $(ldd "$1" 2>/dev/null) == *libQt6Core.so.6* ]]
}

package_hint()
{
    case $1 in
    designer | linguist | qml) echo "install it (apt-get install $1-qt6), or give its path" ;;
    qpool-histogram) 
        if is_installed; then
            echo "install it (apt-get install qpool-window)"
        else
            echo "./qpool demo builds it"
        fi
        ;;
    *) echo "check its name, or give its path" ;;
    esac
}
