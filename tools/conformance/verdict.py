# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Judges, function by function, whether a suite behaves on the pooled QtCore as on stock."""

from dataclasses import dataclass, field

from qtestxml import HUNG

MISSING = "not run"
# How often both sides run again if they differ, and how often if the difference comes and goes.
RERUNS = 3
MORE_RERUNS = 10


@dataclass
class Difference:
    function: str
    tag: str
    stock: list
    ours: list
    # QTest's message if ours differs from stock.
    detail: str = ""

    @property
    def name(self):
        if not self.function:
            return "the suite"
        return f"{self.function}({self.tag})"


@dataclass
class Verdict:
    differences: list = field(default_factory=list)
    flaky: list = field(default_factory=list)
    runs: int = 1
    # The number of additional runs on stock, to see whether functions vary there, too.
    hunted: int = 0

    @property
    def same(self):
        return not self.differences


def seen(runs, key):
    """Return a function's outcomes in these runs.

    If a crash kept the function from running, it has no outcome: the crash itself is the difference.
    """
    return sorted({run.outcomes.get(key, MISSING) for run in runs
                   if key in run.outcomes or not run.trouble})


def troubles(runs):
    return sorted({run.trouble or "ended well" for run in runs})


def detail(runs, key, outcomes):
    return next((run.outcomes.details[key] for run in runs
                 if run.outcomes.get(key) in outcomes and key in run.outcomes.details), "")


def never_well(function, on_ours):
    """Whether each run of the function hung, or, without a function, none of the suite ended well.

    A function that did not run because the suite crashed has no outcomes.
    """
    if not function:
        return "ended well" not in on_ours
    return bool(on_ours) and all(HUNG in outcomes.split() for outcomes in on_ours)


def judge(stock, ours):
    """Compare our runs with those on stock.

    Ours differs if it has an outcome that stock never had. If stock itself varies, and ours has no other
    outcomes than stock, the result is flaky. A suite of which none of our runs ended normally always
    differs.
    """
    verdict = Verdict(runs=len(ours))
    keys = dict.fromkeys(key for run in stock + ours for key in run.outcomes)
    pairs = [(key, seen(stock, key), seen(ours, key)) for key in keys]
    pairs.insert(0, (("", ""), troubles(stock), troubles(ours)))
    for (function, tag), on_stock, on_ours in pairs:
        difference = Difference(function, tag, on_stock, on_ours)
        if never_well(function, on_ours) or not set(on_ours) <= set(on_stock):
            difference.detail = detail(ours, (function, tag), set(on_ours) - set(on_stock))
            verdict.differences.append(difference)
        elif len(on_stock) > 1:
            verdict.flaky.append(difference)
    return verdict


def comes_and_goes(verdict):
    return all(len(difference.ours) > 1 for difference in verdict.differences)


def functions_of(verdict):
    """Return the functions to run again; an empty list means all."""
    names = {difference.function for difference in verdict.differences}
    return [] if "" in names else sorted(names)


def settle(stock, ours, rerun, hunt):
    """Judge the given runs; while they differ, add the pair of runs that rerun(functions) returns.

    A difference that still comes and goes may be too rare to occur on stock in as many runs:
    hunt(difference) searches for it there, and returns the number of tries, and the run with the same
    outcome or None.
    """
    verdict = judge(stock, ours)
    while not verdict.same and verdict.runs <= MORE_RERUNS:
        if verdict.runs > RERUNS and not comes_and_goes(verdict):
            break
        again_stock, again_ours = rerun(functions_of(verdict))
        stock.append(again_stock)
        ours.append(again_ours)
        verdict = judge(stock, ours)
    if verdict.same or not comes_and_goes(verdict):
        return verdict
    hunted = 0
    for difference in verdict.differences:
        tries, found = hunt(difference)
        hunted += tries
        if found:
            stock.append(found)
    verdict = judge(stock, ours)
    verdict.hunted = hunted
    return verdict
