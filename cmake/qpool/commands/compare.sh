# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_compare() { echo "measure your program on stock Qt, with the best allocators and with QPool"; }
group_compare=observe

help_compare()
{
    cat <<'HELP'
usage: ./qpool compare [--rounds N] [--duration S | --timeout S] [--json FILE]
                       [--qt VERSION | --source DIR] [--jobs N]
                       [--] PROGRAM [ARGUMENTS]

Runs an installed program, unmodified, on these subjects: the distribution's QtCore ("stock");
stock with mimalloc, jemalloc and tcmalloc preloaded, if installed; QPool ("ours"), which is the
pooled QtCore with all of the program's malloc from the same pool; and the pooled QtCore alone.
The processes take turns. The result is the median of each round's ratios to stock: wall time,
processor time, the largest resident memory, and the resident memory at the end.

A program that does not end by itself gets SIGTERM after some seconds. Its wall time is then not
compared; instead the time until it is first idle is. The program's output is not shown. If it
fails on stock, it is not measured. If it fails on another subject, that subject is named and left
out. The exit code is 0 if the program works on ours. Without a display, set
QT_QPA_PLATFORM=offscreen.

  --rounds N     run N rounds (default: 7)
  --duration S   send SIGTERM to the program after S seconds (default: 5)
  --timeout S    the program ends by itself; if it has not after S seconds, it has failed
  --json FILE    also write the result as JSON, in the format of ./qpool bench
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
    take_program "$1"
    shift

    qt_run_whole=yes
    prepare_program compare
    [[ ! $qt_run_stock ]] || fail "there is no pooled QtCore for this Qt to compare with"
    [[ ! -e $front_library ]] || arguments+=("--front=$front_library")
    # Nobody should compile meanwhile, which would disturb the measurement. The runner has the lock, and the
    # programs do not inherit it.
    try_lock || true
    exec python3 -B "$QPOOL_ROOT/tools/compare/qpoolcompare.py" "--qtcore=$pooled_runtime" \
        "${arguments[@]}" -- "$program" "$@"
}

# Adds an option to the arguments of the runner, and sets $duration and $timeout.
take_compare_option()
{
    check_runner_option "$1" "$2"
    case $1 in
    --duration) duration=$2 ;;
    --timeout) timeout=$2 ;;
    esac
    arguments+=("$1=$2")
}
