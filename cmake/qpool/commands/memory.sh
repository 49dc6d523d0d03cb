# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_memory() { echo "show whose a running program's memory is, and what it takes without showing it"; }
group_memory=observe

help_memory()
{
    cat <<'HELP'
usage: ./qpool memory [PID] [--json] [--parts]

Divides the resident memory of the process PID among its owners: the pool, the rest of malloc,
JavaScript, stacks, files, shared memory, graphics. The sum is what the system reports as Rss.
Below it are things that the process takes without being resident, such as the second copy that
the system keeps of QML's JavaScript heap. PID may be any process; without it, the processes that
publish their statistics are listed, as ./qpool run starts them. The command reads like a
debugger, and neither stops nor changes a process. doc/observe.md describes each line.

  --json   print the same as JSON
  --parts  also list what the owners' memory consists of, by name: libraries, files

Exit codes: 0 on success; 1 if the process may not be read; 2 if there is no such process, and
for wrong arguments.
HELP
}

command_memory()
{
    # Rejects invalid arguments before anything is installed or built.
    local operands=() pid='' by_name=''
    take_options "--json --parts OPERAND" take_memory_option "$@"
    [[ ! $pid || -e /proc/$pid ]] ||
        usage_error "there is no process $pid: ./qpool memory lists the processes that publish"
    [[ $pid || ! $by_name ]] || usage_error "--parts needs a process: see ./qpool memory --help"

    exec_tool memory "$@"
}

# Sets $pid and $by_name.
take_memory_option()
{
    [[ $1 != --parts ]] || by_name=yes
    take_process "$@"
}
