# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_heap() { echo "show which code allocated what a running program has in use, and what grew"; }
group_heap=observe

help_heap()
{
    cat <<'HELP'
usage: ./qpool heap PID [--on [INTERVAL] | --off] [--seconds N] [--json | --csv | --folded]
       ./qpool heap PID --mark FILE
       ./qpool heap PID --since FILE
       ./qpool heap [--json]

Shows which code allocated what the process PID has in use, by samples of its call stacks: a table of
functions and their callers, with the class of the blocks if they have one. The numbers are
estimates. Switches sampling on if it is off; what was allocated before is not seen: start the
program by ./qpool run --heap to see all. Neither stops the process nor needs its help; changes one
word of its memory, the switch. Without PID, lists the processes that publish, and whether they are
sampled. doc/heap.md says what it costs and how exact it is.

  --on [INTERVAL]   switch sampling on, a sample every INTERVAL bytes in the mean: 1K to 1024M, by
                    default 512K
  --off             switch it off, after the last report
  --seconds N       report what grew within N seconds
  --mark FILE       also write the report to FILE, for --since
  --since FILE      report what grew since --mark, or --json, wrote FILE

  --in-use          the largest first by what is in use (default)
  --allocated       by what was allocated since sampling began
  --lines N         at most N lines (default 20; 0: all)
  --json, --csv     print the report in this format
  --folded          print a line a stack, for flame graphs
  --pprof FILE      also write FILE, for pprof

Exit codes: 0 on success; 1 if the process cannot be sampled, or not be read; 2 if there is no such
process, and for wrong arguments.
HELP
}

command_heap()
{
    # Rejects invalid arguments before anything is installed or built.
    local operands=() pid='' interval='' expects=''
    take_options "--on --off --seconds= --mark= --since= --in-use --allocated --lines= --json --csv --folded --pprof= OPERAND" \
        take_heap_option "$@"
    if [[ $interval && ! $pid ]]; then
        pid=$interval
        take_process OPERAND "$pid"
    fi
    [[ $pid || $# == 0 || $* == --json ]] || usage_error "which process? Give its number: see ./qpool heap --help"
    [[ ! $pid || -e /proc/$pid ]] ||
        usage_error "there is no process $pid: ./qpool heap lists the processes that publish"

    exec_tool heap "$@"
}

# Sets $pid, and $interval to the word after --on, which is the process if there is no other.
take_heap_option()
{
    if [[ $1 == OPERAND && $expects ]]; then
        interval=$2
    else
        take_process "$@"
    fi
    expects=
    [[ $1 != --on ]] || expects=yes
}
