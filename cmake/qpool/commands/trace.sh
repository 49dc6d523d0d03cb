# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_trace() { echo "record how long a program's posted events wait and its handlers run"; }
group_trace=observe

help_trace()
{
    cat <<'HELP'
usage: ./qpool trace [-o FILE] [--summary] [--limit N] [--duration S] [--without-malloc]
                     [--qt VERSION | --source DIR] [--jobs N]
                     [--] PROGRAM [ARGUMENTS]

Runs an installed program as ./qpool run does, and records each event that it posts and each call
that it queues: when it was posted, when its handler began and ended, and on which threads. Writes
a file in Chrome's trace event format, which Perfetto (ui.perfetto.dev) and Qt Creator's viewer
open: a slice for each handler, an arrow from the post, and curves of the length of each thread's
queue, of live bytes by domain, and of resident memory. See doc/observe.md.

  -o FILE        the file (default: PROGRAM.trace.json in this folder); it is written when the
                 program has ended, by itself, by Ctrl+C or by a crash
  --summary      print a table of how long events waited and handlers ran, by the receiver's class,
                 the event's type and the thread, the worst first. Without -o no file is written
  --limit N      write the first N events (default: 250000); the table includes all
  --duration S   tell the program to end after S seconds
  --without-malloc
                 run on the pooled QtCore alone, without the malloc front

The exit code is the program's; 1 instead of 0 if no events were recorded, and 1 if the file could not
be written; 125, 126 or 127 if the program was not started, as of ./qpool run. The file says how many
records could not be made.
HELP
    qt_help_options
}

command_trace()
{
    local arguments=() operands=() program output=''
    qt_run_whole=yes
    take_options "$qt_options -o= --output= --limit= --duration= --summary --without-malloc -- PROGRAM" \
        take_trace_option "$@"
    set -- "${operands[@]}"
    (($#)) || usage_error "trace needs a program: see ./qpool trace --help"
    programs_exit_code
    take_program "$1"
    [[ ! $output ]] || check_written_file -o "$output"
    if ! links_qtcore "$program"; then
        say "qpool: $program is not linked to Qt 6's QtCore; it may have no events to record" >&2
    fi
    shift
    prepare_program compare
    [[ ! $qt_run_stock ]] || fail "stock Qt records no events"
    # The user can still set "0" and "1".
    export QT_POOL_ALLOCATOR=${QT_POOL_ALLOCATOR-monitor},latency
    # The runner is not a Qt program: only the program that it runs gets the front.
    export_pooled
    exec env -u LD_PRELOAD -u LD_LIBRARY_PATH python3 -B "$QPOOL_ROOT/tools/trace/qpooltrace.py" \
        "--libraries=${LD_LIBRARY_PATH-}" "--preload=${LD_PRELOAD-}" "${arguments[@]}" -- "$program" "$@"
}

# Sets the arguments of the runner, $output and $qt_run_whole.
take_trace_option()
{
    case $1 in
    --summary) arguments+=(--summary) ;;
    --without-malloc) qt_run_whole= ;;
    -o | --output)
        output=$2
        arguments+=("--output=$2")
        ;;
    --limit)
        [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "--limit $2 is not a number of events"
        arguments+=("--limit=$2")
        ;;
    --duration)
        check_runner_option "$1" "$2"
        arguments+=("$1=$2")
        ;;
    esac
}
