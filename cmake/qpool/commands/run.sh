# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_run() { echo "run an installed program with all that it allocates from the pool"; }
group_run=use

help_run()
{
    cat <<'HELP'
usage: ./qpool run [--without-malloc | --hardened] [--heap] [--latency] [--qt VERSION | --source DIR] [--jobs N]
                   [--] PROGRAM [ARGUMENTS]

Runs an installed program, unmodified, on the pooled QtCore, with all other blocks that it
allocates from the same pool: ./qpool run designer, ./qpool run qml FILE.
The exit code is the program's; or 125 if it was not started, 126 if it cannot be run, 127 if
there is no such program. QT_POOL_ALLOCATOR=0 in the environment disables the pool.
Unless that variable is set, ./qpool top can follow the program. QML's JavaScript heap exists once,
not also in files in memory; QT_POOL_ALLOCATOR_QML=0 leaves it these files.
HELP
    if is_installed; then
        cat <<'HELP'
If another Qt is installed than the pooled QtCore is for, says so, and starts the program on that Qt.
HELP
    else
        echo "Builds what is needed first."
    fi
    cat <<'HELP'

  --without-malloc
                 run on the pooled QtCore alone: events and objects come from the pool,
                 everything else from the C library
  --heap         sample call stacks of allocations from the start, for ./qpool heap
  --latency      record how long events wait, for ./qpool top and the window
HELP
    is_installed || cat <<'HELP'
  --hardened     run on a QtCore that reports misuse of events and objects on stderr, with the
                 place where they were freed, and aborts: double frees, uses after free, overruns.
                 Leaves the malloc front out, so it checks QtCore's blocks only. SECURITY.md lists
                 the checks and their cost
HELP
    qt_help_options
}

command_run()
{
    local operands=()
    programs_exit_code
    qt_run_whole=yes
    local heap='' latency='' hardened=''
    take_options "$qt_options --hardened --without-malloc --heap --latency -- PROGRAM" take_run_option "$@"
    [[ ! $heap || ! $hardened ]] || usage_error "--heap and --hardened exclude each other: a hardened pool takes no samples"
    [[ ! $heap ]] || export QT_POOL_ALLOCATOR=${QT_POOL_ALLOCATOR-monitor},heap
    [[ ! $latency ]] || export QT_POOL_ALLOCATOR=${QT_POOL_ALLOCATOR-monitor},latency
    set -- "${operands[@]}"
    (($#)) || usage_error "run needs a program: see ./qpool run --help"

    local program
    take_program "$1"
    if [[ ! $qt_run_whole ]] && ! links_qtcore "$program"; then
        say "qpool: $program is not linked to Qt 6's QtCore; it may not use the pool" >&2
    fi
    shift
    prepare_program
    exec_pooled "$program" "$@"
}

# Sets $qt_run_variant, $qt_run_whole, $hardened, $heap and $latency.
take_run_option()
{
    case $1 in
    --heap | --latency)
        local -n wanted=${1#--}
        wanted=yes
        return
        ;;
    esac
    qt_run_whole=
    [[ $1 != --hardened ]] || hardened=yes
    [[ $1 != --hardened ]] || ! is_installed ||
        usage_error "the packages have no hardened QtCore: --hardened works in QPool's repository"
    [[ $1 != --hardened ]] || qt_run_variant=hardened
}
