# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The processes that ./qpool bench runs."""

import os
import re
import subprocess

TIMEOUT = 120


def csv_fields(output):
    """Return the fields that a QTest benchmark prints with -o -,csv; None if there are none.

    They are: metric, value for one iteration, total, iterations. A data row with two results has
    none: QTest 6.8 prints that of QBENCHMARK beside the one that the test has set itself.
    """
    results = re.findall(r'^("[^"]*","[^"]*"),"(\w+)",([-+.\deE]+),([-+.\deE]+),(\d+)', output, re.M)
    rows = [result[0] for result in results]
    if not results or len(set(rows)) < len(rows):
        return None
    _, metric, value, total, iterations = results[0]
    return metric, float(value), float(total), int(iterations)


def parse_csv(output):
    """Return the value of a QTest benchmark, in nanoseconds or the metric's unit."""
    fields = csv_fields(output)
    return fields and fields[1]


# Qt's own benchmarks measure with a clock of whole milliseconds, and double the iterations until it
# shows 50 ms. With a given number of iterations, and counting the processor's ticks, they are more
# precise in a quarter of the time.
ENOUGH_MS = 10


def iterations_wanted(start, who, one_processor):
    """Return the number of iterations that Qt's own benchmark needs; None if it fails."""
    command = [*start, who.program, who.test, "-o", "-,csv", "-minimumvalue", str(ENOUGH_MS)]
    result = run_process(command, who.environment, one_processor)
    fields = result and csv_fields(result[0])
    return fields and fields[3]


def in_ticks(iterations):
    """Return the options for a given number of iterations."""
    return ["-tickcounter", "-iterations", str(iterations)]


def pinned_to(processors):
    def pin():
        try:
            os.sched_setaffinity(0, processors)
        except OSError:
            pass  # not permitted everywhere; the spread shows the effect
    return pin


def run_process(command, environment, one_processor, timeout=TIMEOUT):
    """Run a process, and return its output and errors; None if it failed.

    With `one_processor`, it runs on the last processor, which the system itself uses least.
    """
    allowed = os.sched_getaffinity(0)
    processors = {max(allowed)} if one_processor else allowed
    try:
        result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True,
                                text=True, timeout=timeout, preexec_fn=pinned_to(processors))
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (result.stdout, result.stderr) if result.returncode == 0 else None


def calm_reference(program):
    """Return how long the work of tests/benchmarks/shared/calm.h takes undisturbed, in ns.

    This is the shortest of several times, because one measurement may coincide with a burst of other load.
    None if the program does not exist.
    """
    times = []
    for _ in range(20):
        result = run_process([program, "-o", "-,csv"], {}, True)
        times.append(result and parse_csv(result[0]))
    return min((time for time in times if time), default=None)
