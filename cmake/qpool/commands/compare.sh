# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_compare() { echo "measure a program of yours on stock Qt, the best allocators and ours"; }

help_compare()
{
    cat <<'HELP'
usage: ./qpool compare [--rounds N] [--duration S | --timeout S] [--json FILE]
                       [--qt VERSION | --source DIR] [--jobs N]
                       [--] PROGRAM [ARGUMENTS]

Runs an installed program, as it is, on the distribution's QtCore; on the same with mimalloc,
jemalloc and tcmalloc preloaded, those that are installed; on ours, which is the pooled QtCore
with all of the program's malloc from the same pool; and on the pooled QtCore alone. The
processes take turns, and what counts is the median of each round's ratios to stock: wall
time, processor time, the most memory that was resident, and what was at the end.

A program that does not end by itself is told to after some seconds, by SIGTERM; then its
wall time is not compared, but that of its start is: until it first rests. What it prints is
not shown. One that fails on stock is not measured; a subject on which it fails is named and
left out. The exit code is 0 if it works on ours. Without a display, set
QT_QPA_PLATFORM=offscreen.

  --rounds N     so many rounds (default: 7)
  --duration S   how long a program runs before it is told to end (default: 5 seconds)
  --timeout S    the program ends by itself: if it has not after S seconds, it has failed
  --json FILE    also write the result as JSON, in the form of ./qpool bench
HELP
    qt_help_options
}

command_compare()
{
    local arguments=() operands=() duration='' timeout='' program
    take_options "$qt_options --rounds= --duration= --timeout= --json= -- PROGRAM" \
        take_compare_option "$@"
    set -- "${operands[@]}"
    [[ ! $duration || ! $timeout ]] ||
        usage_error "--duration and --timeout exclude each other: see ./qpool compare --help"
    (($#)) || usage_error "compare needs a program: see ./qpool compare --help"
    program=$(program_named "$1") || fail "there is no program $1: $(package_hint "$1")"
    shift

    qpool_steps=7
    qpool_quiet=yes
    use_built_qt "$front_library" >&2 || prepare_whole compare >&2
    [[ ! -e $front_library ]] || arguments+=("--front=$front_library")
    # The lock, if it is held, is kept, for compiling would disturb what is measured; but the programs
    # may outlive this.
    python3 -B "$QPOOL_ROOT/tools/compare/qpoolcompare.py" "--qtcore=$qt_dir/$qt_run_variant-runtime" \
        "${arguments[@]}" -- "$program" "$@" 9>&-
}

# Into the arguments of the runner, $duration and $timeout.
take_compare_option()
{
    check_runner_option "$1" "$2"
    case $1 in
    --duration) duration=$2 ;;
    --timeout) timeout=$2 ;;
    esac
    arguments+=("$1=$2")
}
