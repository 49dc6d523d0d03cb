# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The processes that ./qpool bench runs."""

import os
import re
import subprocess

TIMEOUT = 120


def parse_csv(output):
    """The figure of a QTest benchmark from its -o -,csv: function, tag, metric, value, ...

    Qt's own benchmarks give milliseconds, ours nanoseconds."""
    for line in output.splitlines():
        fields = re.match(r'"[^"]*","[^"]*","(\w+)",([-+.\deE]+),', line)
        if fields:
            return float(fields[2]) * (1e6 if fields[1] == "WalltimeMilliseconds" else 1)
    return None


def pinned_to(processors):
    def pin():
        try:
            os.sched_setaffinity(0, processors)
        except OSError:
            pass  # not everywhere allowed; the spread will tell
    return pin


def run_process(command, environment, one_processor):
    """Output and errors, or None if it failed. The last processor is the one that the system
    keeps for itself least."""
    allowed = os.sched_getaffinity(0)
    processors = {max(allowed)} if one_processor else allowed
    try:
        result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True,
                                text=True, timeout=TIMEOUT, preexec_fn=pinned_to(processors))
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (result.stdout, result.stderr) if result.returncode == 0 else None


def calm_reference(program):
    """What the work of tests/benchmarks/shared/calm.h takes when nobody disturbs it, in ns. One
    look may fall into a burst of a neighbour's work; None if there is no such program."""
    figures = []
    for _ in range(20):
        result = run_process([program, "-o", "-,csv"], {}, True)
        figures.append(result and parse_csv(result[0]))
    return min((figure for figure in figures if figure), default=None)
