# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs the contests in rounds, each contestant a process of its own."""

import os
import re
import subprocess
import sys
import time

from arithmetic import make_row
from contests import BenchError

TIMEOUT = 120


class Progress:
    """One line that is written over on a terminal; elsewhere a line now and then."""

    def __init__(self):
        self.stream = sys.stderr
        self.terminal = self.stream.isatty()
        self.begun = time.monotonic()
        self.told = -100.0

    def show(self, done, total, text, eta=None):
        elapsed = time.monotonic() - self.begun
        if not self.terminal and elapsed - self.told < 10 and done < total:
            return
        self.told = elapsed
        left = f", about {eta:.0f} s left" if eta is not None else ""
        line = f"      {100 * done // max(total, 1):3d} %  {text}, {elapsed:.0f} s{left}"
        print(f"\r{line[:110]:<110}" if self.terminal else line, end="" if self.terminal else "\n",
              file=self.stream, flush=True)

    def end(self):
        if self.terminal:
            print(file=self.stream)


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


def run_timed(contest, who, settings):
    environment = {**who.environment, "QPOOL_BENCH_MS": str(settings.milliseconds)}
    if settings.quick:
        environment["QPOOL_BENCH_QUICK"] = "1"
    if contest.one_processor:
        environment["QPOOL_BENCH_PROCESSOR_TIME"] = "1"
    result = run_process([who.program, who.test, "-o", "-,csv"], environment,
                         contest.one_processor)
    return result and parse_csv(result[0])


def count_instructions(who, bodies):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", who.program,
               who.test, "-o", "-,csv"]
    result = run_process(command, {**who.environment, "QPOOL_BENCH_BODIES": str(bodies)}, False)
    if not result:
        return None, None
    collected = re.search(r"Collected : (\d+)", result[1])
    return collected and int(collected[1]), parse_csv(result[0])


def run_counted(_contest, who, settings):
    """Instructions for one operation: what twice as many take beyond once as many, so that what a
    process does besides cancels out."""
    once, operations = count_instructions(who, settings.bodies)
    twice, _ = count_instructions(who, 2 * settings.bodies)
    if once is None or twice is None or not operations:
        return None
    return (twice - once) / (settings.bodies * operations)


def run_rounds(contests, settings, progress):
    """Samples by contest and contestant, one a round; and the number of rounds."""
    run_one = run_counted if settings.count else run_timed
    samples = [{key: [] for key, _ in contest.contestants()} for contest in contests]
    processes = sum(len(of_contest) for of_contest in samples)
    begun = time.monotonic()
    rounds = 0
    while rounds < settings.rounds:
        done = 0
        for contest, of_contest in zip(contests, samples):
            turn = list(contest.contestants())
            # Who goes first changes, so that no one always runs on a processor just woken.
            first = rounds % len(turn)
            for key, who in turn[first:] + turn[:first]:
                of_contest[key].append(run_one(contest, who, settings))
                done += 1
            elapsed = time.monotonic() - begun
            at = rounds * processes + done
            total = settings.rounds * processes
            progress.show(at, total, f"round {rounds + 1} of {settings.rounds}: {contest.name}",
                          elapsed * (total - at) / at)
        rounds += 1
        elapsed = time.monotonic() - begun
        if settings.seconds and elapsed + elapsed / rounds > settings.seconds:
            break
    progress.end()
    return samples, rounds


def rows_of(contest, samples, count):
    unit = "instructions/op" if count else contest.unit
    peers = {peer: who and samples[peer] for peer, who in contest.peers.items()}
    extra = {key: samples[key] for key in contest.extra}
    for name in contest.ours:
        yield make_row(name, unit, samples[name], peers, extra)


def measure(contests, settings):
    if not contests:
        raise BenchError("no row has such a name: ./qpool bench --list prints the names")
    samples, rounds = run_rounds(contests, settings, Progress())
    rows = []
    for contest, of_contest in zip(contests, samples):
        rows += rows_of(contest, of_contest, settings.count)
    return rows, rounds
