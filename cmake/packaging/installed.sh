# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash disable=SC2034 # variables of other files
# In packages, the place of the files of cmake/qpool that build: everything is there, or its package is missing.

# Where the packages' files are: qpool_version, qpool_libraries and qpool_programs, relative to the prefix, and the
# Qt that the pooled QtCore is for: qpool_qt_package, qpool_qt_file.
# shellcheck source=/dev/null
source "$QPOOL_ROOT/installation"
qpool_prefix=${QPOOL_ROOT%/share/qpool}
qpool_libraries=$qpool_prefix/$qpool_libraries
qpool_programs=$qpool_prefix/$qpool_programs

# There is nothing to choose or to build, and so no lock.
qt_options=
qt_help_options() { :; }
try_lock() { :; }
release_lock() { :; }

front_name=libqpool-malloc.so.1
front_runtime=$qpool_libraries
front_library=$front_runtime/$front_name
histogram=$qpool_programs/qpool-histogram

pooled_runtime=$qpool_libraries/qpool

# needs FILE PACKAGE
needs()
{
    [[ -e $1 ]] || fail "there is no $1: install it (apt-get install $2)"
}

# The distribution's QtCore. Its version is in dpkg's database, which takes longer to read than everything else that
# starts a program, so its size and its time are looked at first.
qt_fits()
{
    local library=/usr/${qpool_libraries#"$qpool_prefix"/}/${qpool_qt_file%% *} version
    [[ $(exec stat -c '%n %s %Y' "$library" 2>/dev/null) != "${library%/*}/$qpool_qt_file" ]] || return 0
    # shellcheck disable=SC2016 # dpkg's, not the shell's
    version=$(dpkg-query -W -f '${Version}' "$qpool_qt_name" 2>/dev/null) || version=none
    [[ $version != "$qpool_qt_package" ]] || return 0
    say "qpool: the pooled QtCore is for Qt $qpool_qt_package, and $version is installed: starting on stock Qt; install a qpool-qtcore for it" >&2
    return 1
}

# prepare_program [ANYTHING]
prepare_program()
{
    if ! qt_fits; then
        qt_run_stock=yes
        return 0
    fi
    needs "$qpool_libraries/qpool/libQt6Core.so.6" qpool-qtcore
    [[ ! $qt_run_whole ]] || needs "$front_library" libqpool-malloc1
}

# prepare_tool NAME [ANYTHING]
prepare_tool()
{
    tool=$qpool_programs/qpool-$1
    needs "$tool" qpool
}

prepare_histogram()
{
    needs "$histogram" qpool-window
    prepare_program
}

prepare_view() { prepare_histogram; }
