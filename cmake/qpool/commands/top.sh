# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_top() { echo "show in the terminal what a running program allocates"; }
group_top=observe

help_top()
{
    cat <<'HELP'
usage: ./qpool top [PID] [--once] [--json | --csv] [--interval SECONDS]
       ./qpool top --compare BEFORE AFTER

Shows live what the pool of the process PID holds: bars per size class for events, objects
and their private parts, rates, arenas, memory; the live objects by class; the code that
allocated what is in use, by samples; and how long events wait, if the process was started by
./qpool run --latency. Without PID it lists the processes that publish their statistics: those
started by ./qpool run or ./qpool demo, and any other on the pooled QtCore with
QT_POOL_ALLOCATOR=monitor in its environment. Reading a process neither stops nor changes it; the
screen of call sites switches sampling on and off. The key ? lists all keys:

  o  live objects by class
  h  call sites, by samples
  e  how long events wait

  --once             print the statistics once and end, as when the output is a pipe
  --json             print them once as JSON, in the format of qt_pool_allocator_snapshot(), with
                     the object caches, the event latency, the time, the command line, and, without
                     --interval, the live objects by class: a session that the window opens
  --csv              print them once as CSV
  --interval SECONDS time between two readings (default: 1); with --json or --csv: print
                     repeatedly until the process ends
  --compare          print what grew, by class, by size and in total, from one saved session to
                     another: two files that --json or the window wrote
HELP
}

command_top()
{
    # Rejects invalid arguments before anything is installed or built.
    local operands=() named=() pid='' compares=''
    take_options "--once --json --csv --interval= --compare OPERAND" take_top_option "$@"
    if [[ $compares ]]; then
        ((${#named[@]} == 2)) || usage_error "--compare needs two files"
    elif ((${#named[@]})); then
        take_process OPERAND "${named[0]}"
    fi
    if [[ $pid && ! -e /proc/$pid ]]; then
        usage_error "there is no process $pid: ./qpool top lists the processes that publish"
    fi

    exec_tool top "$@"
}

# Sets $compares and $named, what is no option.
take_top_option()
{
    case $1 in
    --compare) compares=yes ;;
    OPERAND) named+=("$2") ;;
    esac
}
