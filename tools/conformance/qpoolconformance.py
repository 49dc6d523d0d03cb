#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The runner of ./qpool test --conformance, which has built the suites."""

import argparse
import concurrent.futures
import os
import re
import sys
import threading
import time
from dataclasses import replace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))

import document
import report
from documents import DocumentError
from run import Mode, run_functions, run_suite
from suites import ConformanceError, read_programs, read_suites
from verdict import settle


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="qpool test --conformance")
    parser.add_argument("--list", required=True, help="tests/conformance/suites.txt")
    parser.add_argument("--qt", required=True, help="the version of Qt")
    parser.add_argument("--stock", required=True, help="the QtCore to compare with")
    parser.add_argument("--pooled", required=True, help="the QtCore to test")
    parser.add_argument("--programs", required=True, help="the suites' build against stock Qt")
    parser.add_argument("--without", default="", help="modules that this build lacks")
    parser.add_argument("--plugins", default="", help="the folder of this build's plugins, if it is no installed Qt")
    parser.add_argument("--front", help="the malloc front, to run the suites as whole programs, too")
    parser.add_argument("--full-programs", help="the suites' build against the pooled Qt")
    parser.add_argument("--full-pooled", help="the QtCore to test with that build, if another")
    parser.add_argument("--full-without", default="", help="modules that that build lacks")
    parser.add_argument("--emulator", default=[], type=lambda words: words.split(";"),
                        help="what runs programs of another processor: words separated by ;")
    parser.add_argument("--suites", type=re.compile, default=re.compile(""))
    parser.add_argument("--json")
    parser.add_argument("--doc", help="the folder for the table")
    parser.add_argument("--command", default="", help="the command line, for the document")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=float, default=300, help="seconds a suite may take")
    parser.add_argument("--hunt", type=int, default=120,
                        help="seconds to search on stock for an outcome that varies")
    return parser.parse_args(arguments)


def make_modes(settings):
    programs = read_programs(settings.programs)
    without = settings.without.split(",")
    stock = Mode("stock", programs, settings.stock, False, without, plugins=settings.plugins)
    ours = [replace(stock, name="drop-in", library=settings.pooled)]
    if settings.front:
        ours.append(replace(ours[0], name="whole", front=settings.front))
    if settings.full_programs:
        ours.append(Mode("full", read_programs(settings.full_programs),
                         settings.full_pooled or settings.pooled, True,
                         settings.full_without.split(",")))
    for mode in [stock, *ours]:
        mode.emulator = settings.emulator
    return stock, ours


def again(mode, suite, functions, whole, timeout):
    if functions and not whole.trouble:
        return run_functions(mode, suite.name, timeout, functions, whole)
    return run_suite(mode, suite.name, timeout)


def function_in(troubles):
    """Return the function in which a suite hung or crashed, or an empty string."""
    found = [re.search(r" in (\w+)\(\)$", trouble) for trouble in troubles]
    return next((match[1] for match in found if match), "")


# How often the whole suite runs if a function by itself always gives the same result: the result may
# depend on what earlier functions leave behind.
WHOLE_HUNTS = 4


def hunt(mode, suite, difference, whole, settings):
    """Run a function repeatedly on stock until it has the outcome that it had on the pooled QtCore.

    As many processes run at once as when the outcome was seen, unless the suite measures time. If no run
    has the outcome, run the whole suite a few times. Return the number of runs, and the run with the
    outcome or None.
    """
    wanted = set(difference.ours) - set(difference.stock)
    function = difference.function or function_in(wanted)
    if not function:
        return 0, None
    deadline = time.monotonic() + settings.hunt
    found = threading.Event()

    def does_it(run):
        return wanted & {run.trouble, run.outcomes.get((difference.function, difference.tag))}

    def tries():
        count = 0
        while time.monotonic() < deadline and not found.is_set():
            count += 1
            run = run_functions(mode, suite.name, settings.timeout, [function], whole)
            if does_it(run):
                found.set()
                return count, run
        return count, None

    copies = 1 if suite.serial else settings.jobs + 1
    with concurrent.futures.ThreadPoolExecutor(copies) as pool:
        results = [future.result() for future in [pool.submit(tries) for _ in range(copies)]]
    count = sum(count for count, _ in results)
    run = next((run for _, run in results if run), None)
    for _ in range(0 if run or not settings.hunt else WHOLE_HUNTS):
        count += 1
        run = run_suite(mode, suite.name, settings.timeout)
        if does_it(run):
            return count, run
        run = None
    return count, run


def run_row(suite, stock, modes, settings):
    begun = time.monotonic()
    timeout = settings.timeout
    row = {"suite": suite.name, "runs": {}, "verdicts": {}, "left_out": {}}
    on_stock = [] if stock.lacks(suite) else [run_suite(stock, suite.name, timeout)]
    if on_stock:
        row["runs"]["stock"] = on_stock[0]
    for mode in modes:
        lacking = stock.lacks(suite) or mode.lacks(suite)
        if lacking:
            row["left_out"][mode.name] = "built without Qt" + " and Qt".join(lacking)
            continue
        ours = [run_suite(mode, suite.name, timeout)]
        row["runs"][mode.name] = ours[0]
        row["verdicts"][mode.name] = settle(
            on_stock, ours,
            lambda functions, mode=mode, first=ours[0]: (
                again(stock, suite, functions, on_stock[0], timeout),
                again(mode, suite, functions, first, timeout)),
            lambda difference: hunt(stock, suite, difference, on_stock[0], settings))
    row["seconds"] = time.monotonic() - begun
    return row


def told_progress(row, modes):
    said = ", ".join(f"{mode.name} {report.same_text(row, mode.name)}" for mode in modes)
    return f"{row['suite']}: {said} ({row['seconds']:.0f} s)"


def run_rows(suites, stock, modes, settings):
    """Run all suites; those that measure time run one by one, after the others."""
    rows = {}

    def run_some(some, jobs):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            futures = [pool.submit(run_row, suite, stock, modes, settings)
                       for suite in some]
            for future in concurrent.futures.as_completed(futures):
                row = future.result()
                rows[row["suite"]] = row
                print(f"      [{len(rows)}/{len(suites)}] {told_progress(row, modes)}",
                      flush=True)

    run_some([suite for suite in suites if not suite.serial], settings.jobs)
    run_some([suite for suite in suites if suite.serial], 1)
    return [rows[suite.name] for suite in suites]


def main(arguments):
    settings = parse_arguments(arguments)
    suites = [suite for suite in read_suites(settings.list)
              if suite.exists_in(settings.qt) and settings.suites.search(suite.name)]
    if not suites:
        raise ConformanceError(f"no suite's name matches '{settings.suites.pattern}'")
    if settings.doc:
        document.check(settings.doc)
    stock, modes = make_modes(settings)
    rows = run_rows(suites, stock, modes, settings)

    names = [stock.name] + [mode.name for mode in modes]
    text = "\n".join([report.table(rows, names), *report.notes(rows), report.summary(rows, names)])
    print()
    print(text)
    if settings.json:
        with open(settings.json, "w", encoding="utf-8") as file:
            file.write(report.as_json(settings.qt, rows, names))
    code = 0 if all(verdict.same for row in rows for verdict in row["verdicts"].values()) else 1
    if settings.doc:
        document.write(settings.doc, settings.qt, settings.command, code, text)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ConformanceError, DocumentError) as error:
        print(f"qpool: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
