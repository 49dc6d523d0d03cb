# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_check() { echo "check whether programs and plugins can run on a Qt with the pool"; }
group_check=observe

help_check()
{
    cat <<'HELP'
usage: ./qpool check [--json] [--in PROGRAM] FILE...

Checks programs, libraries and plugins without running them: whether each was compiled for a Qt
with the pool or without, what it allocates from the pool, whether QtCore or the dynamic linker
would refuse it with the libraries that it finds, and why. LD_LIBRARY_PATH and LD_PRELOAD have the
same effect as at a start of the program. Object files and static libraries are judged together,
as if linked into one program. doc/compatibility.md describes what must not be mixed.

  --json         print the result as JSON
  --in PROGRAM   judge the files as plugins that PROGRAM loads

The exit code is 0 if nothing is refused, 1 if something is, and 2 if a file could not be judged.
HELP
}

command_check()
{
    # Rejects invalid arguments before anything is installed or built.
    local operands=() files=0
    take_options "--json --in= OPERAND" count_files "$@"
    ((files)) || usage_error "check needs a program, library or plugin: see ./qpool check --help"

    exec_tool check "$@"
}

# Sets $files; the options are for the tool itself.
count_files()
{
    [[ $1 != OPERAND ]] || files=$((files + 1))
}
