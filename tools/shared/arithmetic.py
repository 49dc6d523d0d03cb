# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The arithmetic of ./qpool bench: from samples to rows.

A sample is the value of one process in one round.

If a row has several threads, waiting is part of the cost. The ratio is computed for each round, in which both
sides ran within seconds of each other, and the row shows the median of the ratios: whatever slows the machine
down for a while slows down both sides.

If a row has one thread, other programs can only make its processor time longer. The row compares each side's
least disturbed rounds.
"""

from math import comb
from statistics import median

# A row with a larger spread is not reliable.
WORTHLESS = 0.25


def ratios(peer, ours):
    """Return peer / ours for each round in which both were measured."""
    return [p / o for p, o in zip(peer, ours) if p is not None and o]


def median_of(samples):
    present = [sample for sample in samples if sample is not None]
    return median(present) if present else None


# Rows of this unit are times of single operations. On a virtual machine these times are multiples of the
# clock's step, in ns, so even the median of seven equal readings is not exact.
SINGLE = "ns"
CLOCK_STEP = 10


def spread_of(values):
    """Return by how much the median may be wrong, up or down, as a fraction of it; None for one value.

    The bounds of the confidence interval are two of the ordered values, whatever the distribution. The
    interval leaves out as many values on both sides as 96 % of confidence permits: none of seven, one
    of nine, two of twelve. The result is at least 1 %, because memory layout has an effect of this size
    and does not change between the rounds of a run.
    """
    count = len(values)
    if count < 2:
        return None
    left_out, outside = 0, 2 * 0.5 ** count
    while True:
        outside += 2 * comb(count, left_out + 1) * 0.5 ** count
        if outside > 0.04 or 2 * (left_out + 1) >= count - 1:
            break
        left_out += 1
    ordered = sorted(values)
    middle = median(values)
    lowest, highest = ordered[left_out], ordered[count - 1 - left_out]
    return max(highest - middle, middle - lowest, 0.01 * middle) / middle


def least_disturbed(samples):
    """Return the second lowest sample: the lowest may be due to a lucky layout of memory."""
    ordered = sorted(sample for sample in samples if sample is not None)
    return ordered[min(1, len(ordered) - 1)] if ordered else None


def gap_of(samples):
    """Return the range of the three lowest samples as a fraction of the second, at least 0.5 %.

    The three agree if other programs hardly disturbed three of the rounds.
    """
    ordered = sorted(sample for sample in samples if sample is not None)
    if len(ordered) < 3 or not ordered[1]:
        return None
    return max((ordered[2] - ordered[0]) / ordered[1], 0.005)


def of_the_least_disturbed(peer, ours):
    """Return the ratio of both sides' least disturbed samples, and its spread."""
    over, under = least_disturbed(peer), least_disturbed(ours)
    gaps = gap_of(peer), gap_of(ours)
    return over / under if under else None, None if None in gaps else sum(gaps)


def of_the_rounds(peer, ours):
    """Return the median of the rounds' ratios, and its spread."""
    of_rounds = ratios(peer, ours)
    return median_of(of_rounds), spread_of(of_rounds) if of_rounds else None


def make_row(name, unit, ours, peers, extra=None, only_longer=False):
    """Return a row of the result.

    `ours` and each of `peers` are samples by round; a peer that could not be measured is None. `extra`
    is reported in addition and does not compete. `only_longer` says that other programs can only make a
    sample longer.
    """
    figure_of, compare = ((least_disturbed, of_the_least_disturbed) if only_longer
                          else (median_of, of_the_rounds))
    row = {
        "name": name,
        "unit": unit,
        "ours": figure_of(ours),
        "peers": {peer: samples and figure_of(samples) for peer, samples in peers.items()},
        "fastest_peer": None,
        "ratio_fastest": None,
        "ratio_glibc": None,
        "spread": None,
        "rounds": len(ours),
        "samples": {"ours": ours, **{peer: samples for peer, samples in peers.items() if samples}},
    }
    measured = {peer: value for peer, value in row["peers"].items() if value is not None}
    if measured and row["ours"] is not None:
        fastest = min(measured, key=measured.get)
        row["fastest_peer"] = fastest
        row["ratio_fastest"], row["spread"] = compare(peers[fastest], ours)
        if unit == SINGLE and row["spread"] is not None:
            row["spread"] = max(row["spread"], CLOCK_STEP / row["ours"] + CLOCK_STEP / measured[fastest])
        if measured.get("glibc") is not None:
            row["ratio_glibc"], _ = compare(peers["glibc"], ours)
    # Numbers of instructions need no spread.
    row["worthless"] = not unit.startswith("instructions") if row["spread"] is None else row["spread"] > WORTHLESS
    for key, samples in (extra or {}).items():
        row[key] = figure_of(samples)
    return row
