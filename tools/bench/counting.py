# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Counts instructions with callgrind."""

import re

from processes import run_process

# The largest of the programs takes a minute under callgrind, if nothing else runs.
TIMEOUT = 600


def count_instructions(command, environment):
    """Return the number of instructions of a process and its output; None if it failed."""
    # The order of hash tables, and so the work of a program, is the same each time.
    result = run_process(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                         {**environment, "QT_HASH_SEED": "0"}, False, TIMEOUT)
    collected = result and re.search(r"Collected : (\d+)", result[1])
    return collected and (int(collected[1]), result[0])


def count_difference(run, times):
    """Return what run(2 * times) takes more instructions than run(times), and the output of the second.

    Other work of the process, such as its start, cancels out. None if a process failed.
    """
    once, twice = run(times), run(2 * times)
    return once and twice and (twice[0] - once[0], twice[1])
