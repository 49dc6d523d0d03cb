#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The runner of ./qpool bench, which has built the programs to measure."""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))

import commands
import document
import earlier
import pictures
import report
import runner
from contests import (TICKS, BenchError, QtBuilds, allocator_contests, qt_contests, require_release, with_asked,
                      with_second_thread)
from documents import DocumentError, commit, to_json, write_whole
from machine import machine_properties
from peers import find_peers
from processes import calm_reference
from programs import program_contests
from startups import missing_programs, startup_contests

ALLOCATOR_PROGRAMS = ("loop", "threads", "patterns", "threadpatterns", "memory", "scale", "tail",
                      "objects", "stl", "stlmemory", "queue", "shared")
# Qt's own benchmarks.
QT_PROGRAMS = ("events", "qcoreapplication", "qobject", "qtimer_vs_qmetaobject", "qfuture",
               "qthreadpool")
# Rows whose instructions can be counted: they do the same work each time, in one thread except for
# the programs.
COUNTED = re.compile(r"(loop/.*x100|pattern/(sh6|sh8|glibc-simple)|qt/(?!queued).*"
                     r"|programs/(?!queued|list|longrun|startup).*)$")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="qpool bench")
    parser.add_argument("--stock", required=True, help="the build against stock")
    parser.add_argument("--pooled", required=True, help="the build against the pooled QtCore")
    parser.add_argument("--qt-dir", required=True)
    parser.add_argument("--distribution", action="store_true", help="the distribution's Qt has this version")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--json")
    parser.add_argument("--csv")
    parser.add_argument("--plot")
    parser.add_argument("--doc")
    parser.add_argument("--compare", metavar="FOLDER", help="the results of an earlier version; implies --count")
    settings = parser.parse_args(arguments)
    settings.alone = os.path.join(settings.stock, "benchmarks", "bench_alone")
    settings.milliseconds = 8 if settings.quick else 25
    # The time limit minus the time that building and starting take on the slowest machine.
    settings.seconds = None if settings.rounds else 200 if settings.quick else 2300
    settings.count = settings.count or bool(settings.compare)
    if settings.count:
        # Instructions hardly differ from run to run, so that no row is measured again.
        settings.rounds = settings.rounds or 1
        settings.seconds = None
    settings.rounds = settings.rounds or (7 if settings.quick else 9)
    return settings


def all_contests(settings, libraries):
    builds = QtBuilds(settings.pooled, settings.stock, settings.qt_dir, settings.distribution)
    for name in ALLOCATOR_PROGRAMS:
        program = os.path.join(settings.stock, "benchmarks", f"tst_bench_{name}")
        yield from allocator_contests(program, libraries, builds.front())
    yield from qt_contests(builds, "qt", libraries)
    yield from qt_contests(builds, "qml", libraries)
    if not settings.quick and not settings.count:
        for name in QT_PROGRAMS:
            yield from qt_contests(builds, name, libraries, f"qtkernel/{name}/", TICKS)
    # One process yields many values.
    yield from program_contests(builds, libraries, settings.quick, settings.count)
    if not settings.quick and not settings.count:
        yield from startup_contests(builds, libraries)


def chosen(contests, settings):
    """Yield the contests that match the filter, without the rows that do not match."""
    for contest in contests:
        contest.ours = {name: who for name, who in contest.ours.items()
                        if settings.filter.search(name)}
        if contest.ours and (not settings.count or COUNTED.match(contest.name)):
            yield contest


def print_result(rows, rounds, machine, settings):
    print(report.table(rows))
    print(f"\n{machine['processor']}, {machine['processors']} processors, load "
          f"{machine['load_before']} before; {rounds} rounds. Rows with one thread show the second "
          "lowest round of its processor time, and other rows show medians.")
    if rounds < runner.FEWEST_ROUNDS and not settings.count:
        print(f"Only {rounds} rounds: with fewer than {runner.FEWEST_ROUNDS} the spread includes every outlier.")
    worthless = [row["name"] for row in rows if row["worthless"] and row["ours"] is not None]
    if worthless and rounds > 1:
        print(f"Too noisy to mean anything, {len(worthless)} of {len(rows)} rows: "
              + ", ".join(worthless))


def main(arguments):
    settings = parse_arguments(arguments)
    before = settings.compare and earlier.read(settings.compare)
    qt_builds = [os.path.join(settings.qt_dir, variant)
                 for variant in ("on", "off", "pool", "wakeup", "fastpaths")]
    require_release(settings.stock, settings.pooled, *qt_builds)
    if settings.quick:
        os.environ["QPOOL_BENCH_QUICK"] = "1"  # also changes which rows the programs list
    libraries = {} if settings.compare else with_asked(find_peers(), settings.peer)
    every = all_contests(settings, libraries)
    # A second thread changes the number of instructions only by the instructions for locks.
    if not settings.count:
        every = with_second_thread(every)
    contests = list(chosen(every, settings))
    if settings.compare:
        contests = list(earlier.without_peers(contests))
    missing = [peer for peer, path in libraries.items() if path is None]
    # Peers that are compiled into a program.
    missing += sorted({peer for contest in contests for peer, who in contest.peers.items()
                       if who is None} - set(missing))
    for peer in missing:
        print(f"qpool: the peer {peer} is missing: its library is not installed", file=sys.stderr)
    without = {} if settings.quick or settings.count else missing_programs(settings.filter)
    for program, package in without.items():
        print(f"qpool: the program {program} is missing, and its rows are left out: install it "
              f"(apt-get install {package})", file=sys.stderr)

    if settings.plot:
        # Fails now, not after an hour of measuring, if the folder cannot be written.
        os.makedirs(settings.plot, exist_ok=True)
    if settings.doc:
        document.check(settings.doc)
    machine = machine_properties()
    measured = commit()  # another commit may be checked out by the end of the run
    if not settings.count:
        settings.calm = calm_reference(os.path.join(settings.stock, "benchmarks", "tst_bench_calm"))
    rows, rounds = runner.measure(contests, settings)
    result = {
        "machine": machine,
        "commit": measured,
        "qt": os.path.basename(os.path.normpath(settings.qt_dir)),
        "quick": settings.quick,
        "rounds": rounds,
        "missing_peers": missing,
        "missing_programs": list(without),
        "rows": rows,
    }
    if settings.compare:
        version = os.path.basename(os.path.normpath(settings.compare))
        print(f"{earlier.table(rows, before, version)}\n\n{earlier.summary(rows, before, version)}")
    else:
        print_result(rows, rounds, machine, settings)
    if settings.json:
        write_whole(settings.json, to_json(result))
    if settings.csv:
        write_whole(settings.csv, report.to_csv(rows))
    if settings.plot:
        pictures.plot(rows, settings.plot)
    if settings.doc:
        document.write(result, settings.doc, settings.count)
    failed = [row["name"] for row in rows if row["ours"] is None]
    if failed:
        raise BenchError("not measured, because the program failed: " + ", ".join(failed))
    return 0


if __name__ == "__main__":
    commands.run(main, BenchError, DocumentError, OSError)
