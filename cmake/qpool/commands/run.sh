# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_run() { echo "run an installed program from the pool: QtCore, and all else that it allocates"; }

help_run()
{
    cat <<'HELP'
usage: ./qpool run [--qt-only | --hardened] [--qt VERSION | --source DIR] [--jobs N]
                   [--] PROGRAM [ARGUMENTS]

Runs a program, as it was installed, on the pooled QtCore, and with all small blocks that it
allocates otherwise from the same pool: ./qpool run designer, ./qpool run qml FILE. What is
needed for that is built first. The exit code is the program's. With QT_POOL_ALLOCATOR=0 in
the environment the pool is disabled; unless that variable is set, ./qpool top can follow the
program.

  --qt-only      on the pooled QtCore alone: events and objects from the pool, all else from the
                 C library
  --hardened     on a QtCore that names misuse of events and objects on stderr, and where they
                 were freed, and aborts: second frees, use after free, overruns; SECURITY.md
                 says which, and what it costs. Of QtCore only
HELP
    qt_help_options
}

# The distribution keeps Qt's own programs out of PATH, and ours is where demo built it.
program_named()
{
    local name=$1 path
    if [[ $name == */* ]]; then
        path=$name
    elif [[ -x /usr/lib/qt6/bin/$name ]]; then
        # In PATH these names may stand for Qt 5's, or for a chooser between the two.
        path=/usr/lib/qt6/bin/$name
    elif [[ $name == qpool-histogram ]]; then
        path=$QPOOL_BUILD/demo/examples/histogram/$name
    else
        path=$(type -P "$name" || true)
    fi
    [[ $path && -f $path && -x $path ]] && echo "$path"
}

package_hint()
{
    case $1 in
    designer | linguist | qml) echo "install it (apt-get install $1-qt6), or give its path" ;;
    qpool-histogram) echo "./qpool demo builds it" ;;
    *) echo "check its name, or give its path" ;;
    esac
}

command_run()
{
    local operands=()
    qt_run_whole=yes
    take_options "$qt_options --hardened --qt-only -- PROGRAM" take_run_option "$@"
    set -- "${operands[@]}"
    (($#)) || usage_error "run needs a program: see ./qpool run --help"

    local program
    program=$(program_named "$1") || fail "there is no program $1: $(package_hint "$1")"
    if [[ ! $qt_run_whole ]] && ! ldd "$program" 2>/dev/null | grep -q 'libQt6Core\.so\.6'; then
        say "qpool: $program is not linked to Qt 6's QtCore; it may not use the pool" >&2
    fi
    shift
    qpool_quiet=yes
    # What the program prints must be all there is on its standard output.
    if [[ $qt_run_whole ]]; then
        qpool_steps=7
        use_built_qt "$front_library" >&2 || prepare_whole >&2
    else
        qpool_steps=5
        use_built_qt >&2 || prepare_qt >&2
    fi
    exec_pooled "$program" "$@"
}

# Into $qt_run_variant and $qt_run_whole.
take_run_option()
{
    qt_run_whole=
    [[ $1 != --hardened ]] || qt_run_variant=hardened
}
