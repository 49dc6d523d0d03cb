# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_census() { echo "count a running program's objects and events by class, and what grew"; }

help_census()
{
    cat <<'HELP'
usage: ./qpool census PID [--json | --csv] [--sort count|bytes|growth] [--filter TEXT]
       ./qpool census PID --watch SECONDS [--fail-if-grows CLASS] ...
       ./qpool census PID --since FILE [--fail-if-grows CLASS] ...

Lists what is alive in the pool of the process PID, by class: objects, private parts, events with
their types, and in a whole program what of the heap begins with a vtable. Any process on the
pooled QtCore will do, whether it publishes or sleeps. Its memory is read as a debugger would;
it is neither stopped nor changed. doc/census.md tells what is exact and what the system must allow.

  --json, --csv         in this form
  --sort ORDER          count, bytes (default) or growth (default if it is compared)
  --filter TEXT         only classes, domains and modules with this text in their names
  --since FILE          compare with a census that --json wrote to FILE before
  --watch SECONDS       take two, so many seconds apart, and compare them; -: when a line comes on
                        standard input
  --fail-if-grows CLASS exit with 1 if there are more objects of that class than before; may be
                        given again

Exit codes: 0; 1 if a class grew that must not; 2 if that can't be told: there is no such process,
it has no pool, the system does not let you read it, or the call makes no sense.
HELP
}

command_census()
{
    # Before anything is installed or built for a call that makes no sense.
    local operands=() pid=''
    take_options "--json --csv --sort= --filter=? --since= --watch= --fail-if-grows= OPERAND" \
        take_process "$@"
    [[ $pid ]] || usage_error "which process? Give its number: see ./qpool census --help"
    # 1 would say that something grew.
    [[ -e /proc/$pid ]] || usage_error "there is no process $pid: ./qpool top lists those that publish"

    local build=$QPOOL_BUILD/census
    qpool_steps=3
    qpool_quiet=yes
    use_what_is_built "$build/tools/census/qpool-census" >&2 ||
        (build_tool census "$build" build qt) >&2 || exit 2
    exec "$build/tools/census/qpool-census" "$@"
}
