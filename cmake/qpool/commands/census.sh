# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_census() { echo "count a running program's objects and events by class, and what grew"; }
group_census=observe

help_census()
{
    cat <<'HELP'
usage: ./qpool census PID [--json | --csv] [--sort count|bytes|growth] [--filter TEXT]
       ./qpool census PID --watch SECONDS [--fail-if-grows CLASS] ...
       ./qpool census PID --since FILE [--fail-if-grows CLASS] ...
       ./qpool census PID --holders CLASS | --show CLASS [--json]

Lists the live objects in the pool of the process PID by class: objects, private parts, events with
their types, and in a whole program the heap blocks that begin with a vtable. PID may be any process
on the pooled QtCore; it need not publish and may be asleep. The command reads its memory like a
debugger, and neither stops nor changes it. doc/observe.md says what is exact and what the system must
allow.

  --json, --csv         print the list in this format
  --sort ORDER          count, bytes (default) or growth (default for comparisons)
  --filter TEXT         only classes, domains and modules with this text in their names
  --since FILE          compare with an earlier census that --json wrote to FILE
  --watch SECONDS       take two censuses, SECONDS apart, and compare them; -: take the second when
                        a line arrives on standard input
  --all                 with --since or --watch: as text, also list what did not change
  --fail-if-grows CLASS exit with 1 if there are more objects of that class than before; can be
                        repeated
  --strict              exit with 2 if there are no objects of that class, before or now

  --holders CLASS       instead: who holds the objects of that class: their parents by class,
                        connections, threads, and how many wait for deleteLater()
  --show CLASS          instead: some of its objects, with address, objectName, parents, thread: those
                        with the most children and connections, and the newest. Both with --json, too

Exit codes: 0 on success; 1 if a class of --fail-if-grows grew; 2 if this cannot be determined:
the process does not exist, it has no pool, the system does not let you read it, the arguments
are wrong, or, with --strict, --holders or --show, a class has no objects.
HELP
}

command_census()
{
    # Rejects invalid arguments before anything is installed or built.
    local operands=() pid=''
    take_options "--json --csv --sort= --filter=? --since= --watch= --fail-if-grows= --strict --all --holders= --show= OPERAND" \
        take_process "$@"
    [[ $pid ]] || usage_error "which process? Give its number: see ./qpool census --help"
    # Exit code 1 would mean that something grew.
    qpool_failure=2
    [[ -e /proc/$pid ]] || usage_error "there is no process $pid: ./qpool top lists the processes that publish"

    exec_tool census "$@"
}
