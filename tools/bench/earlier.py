# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Compares counted instructions with those of an earlier version, as doc/results has them."""

import csv
import os

from documents import DocumentError

FILE = "instructions.csv"
# Counts of one tree differ by less from run to run, and from processor to processor.
SAME = 0.01


def read(folder):
    """Return the instructions of an earlier version by row, in their order."""
    path = os.path.join(folder, FILE)
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return {line["name"]: float(line["ours"]) for line in csv.DictReader(file)}
    except (KeyError, TypeError, ValueError, UnicodeDecodeError, csv.Error) as error:
        raise DocumentError(f"{path} is no table of ./qpool bench --count --doc: {error}") from error


def without_peers(contests):
    """Yield the contests with nothing but ours to measure."""
    for contest in contests:
        contest.peers = {}
        contest.extra = {}
        yield contest


def remark(then, now):
    if now is None:
        return "NOT MEASURED: it failed"
    if then is None:
        return "new"
    if abs(now - then) <= SAME * then:
        return ""
    return f"{100 * (now - then) / then:+.1f} %"


def table(rows, earlier, version):
    """Return a text with a line for each measured row."""
    def text(value):
        return "-" if value is None else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"

    lines = [("row", version, "now", "")]
    lines += [(row["name"], text(earlier.get(row["name"])), text(row["ours"]),
               remark(earlier.get(row["name"]), row["ours"])) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    return "\n".join(f"{name:{widths[0]}}  {then:>{widths[1]}}  {now:>{widths[2]}}  {said}".rstrip()
                     for name, then, now, said in lines)


def summary(rows, earlier, version):
    """Return a sentence on the rows that both have."""
    both = [(earlier[row["name"]], row["ours"]) for row in rows
            if row["name"] in earlier and row["ours"] is not None]
    more = sum(now > then * (1 + SAME) for then, now in both)
    less = sum(now < then * (1 - SAME) for then, now in both)
    return (f"Instructions an operation. Of {len(both)} rows that {version} has, too, {more} take more, {less} less, "
            f"and {len(both) - more - less} the same within {SAME:.0%}.")
