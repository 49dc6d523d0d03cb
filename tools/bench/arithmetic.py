# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The arithmetic of ./qpool bench: from samples to rows.

A sample is one process's figure for one round. Ratios are taken within a round, where both sides
ran within seconds of each other, and only then is the median taken: what slows the machine down
for a while slows down both.
"""

from statistics import median

# Beyond this half-width the row says nothing that one could rely on.
WORTHLESS = 0.25


def ratios(peer, ours):
    """The per-round ratios peer / ours, of the rounds in which both were measured."""
    return [p / o for p, o in zip(peer, ours) if p is not None and o]


def median_of(samples):
    present = [sample for sample in samples if sample is not None]
    return median(present) if present else None


def spread_of(values):
    """Half the width of the interval that values cover, relative to their median.

    From seven values on the lowest and the highest are left out: between the second and the sixth
    of seven the true median lies with 87 % confidence, and one disturbed round does not count.
    """
    if len(values) < 2:
        return None
    ordered = sorted(values)
    if len(ordered) >= 7:
        ordered = ordered[1:-1]
    return (ordered[-1] - ordered[0]) / (2 * median(values))


def make_row(name, unit, ours, peers, extra=None):
    """A row of the result. `ours` and each of `peers` are samples by round; a peer that could not
    be measured is None. `extra` is what is reported beside, and competes with nobody."""
    row = {
        "name": name,
        "unit": unit,
        "ours": median_of(ours),
        "peers": {peer: samples and median_of(samples) for peer, samples in peers.items()},
        "fastest_peer": None,
        "ratio_fastest": None,
        "ratio_glibc": None,
        "spread": None,
    }
    measured = {peer: value for peer, value in row["peers"].items() if value is not None}
    if measured and row["ours"] is not None:
        fastest = min(measured, key=measured.get)
        row["fastest_peer"] = fastest
        against_fastest = ratios(peers[fastest], ours)
        row["ratio_fastest"] = median_of(against_fastest)
        row["spread"] = spread_of(against_fastest)
        if measured.get("glibc") is not None:
            row["ratio_glibc"] = median_of(ratios(peers["glibc"], ours))
    row["worthless"] = row["spread"] is None or row["spread"] > WORTHLESS
    for key, samples in (extra or {}).items():
        row[key] = median_of(samples)
    return row
