# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The output of ./qpool compare: a table of ratios to stock, and rows in ./qpool bench's format."""

from arithmetic import make_row, median_of, ratios, spread_of
from subjects import OURS, QT_ONLY

UNITS = {"wall": "s", "startup": "s", "processor": "s", "peak": "bytes", "final": "bytes"}
HEADS = {"wall": "wall", "startup": "start", "processor": "processor", "peak": "peak", "final": "final"}


class Comparison:
    """The samples of all rounds, by subject and measure. The first subject is stock."""

    def __init__(self, trials):
        self.subjects = trials.subjects
        self.failures = trials.failures
        ended, _ = trials.told_to_end()
        # The wall time of a program that had to be ended means nothing. If a program ends by itself, an
        # idle moment does not mean that it has started.
        left_out = "wall" if ended else "startup"
        self.measures = [measure for measure in UNITS if measure != left_out]
        self.samples = {
            subject.name: {measure: [getattr(run, measure) for run in trials.runs[subject.name]]
                           for measure in self.measures}
            for subject in trials.subjects}

    def of(self, subject, measure):
        return self.samples[subject.name][measure]

    def table(self):
        stock = self.subjects[0]
        head = ["", *(cell for measure in self.measures for cell in (HEADS[measure], "x stock", ""))]
        lines = [head]
        for subject in self.subjects:
            line = [subject.name]
            if subject.name in self.failures:
                lines.append([subject.name, f"failed: it {self.failures[subject.name]}"])
                continue
            for measure in self.measures:
                line.append(with_unit(median_of(self.of(subject, measure)), UNITS[measure]))
                line += ["", ""] if subject is stock else ratio_cells(
                    self.of(stock, measure), self.of(subject, measure))
            lines.append(line)
        whole = [line for line in lines if len(line) == len(head)]
        widths = [max(len(line[column]) for line in whole) for column in range(len(head))]
        widths[0] = max(len(line[0]) for line in lines)
        return "\n".join(
            "  ".join(cell.ljust(width) if column == 0 or len(line) < len(head)
                      else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines)

    def rows(self, missing_peers):
        """Yield rows in the format of ./qpool bench's JSON, where "glibc" is stock."""
        peers = {subject.peer: subject for subject in self.subjects if not subject.is_ours}
        for ours, ending in ((OURS, ""), (QT_ONLY, "/qt-only")):
            if ours not in self.samples:
                continue
            for measure in self.measures:
                others = {peer: None if subject.name in self.failures else self.of(subject, measure)
                          for peer, subject in peers.items()}
                others |= {peer: None for peer in missing_peers}
                yield make_row(measure + ending, UNITS[measure], self.samples[ours][measure], others)

    def against_the_best(self):
        """Return a line that compares ours with the best other subject; None if ours was not measured."""
        parts = [f"{row['name']} {verdict(row)}" for row in self.rows([])
                 if "/" not in row["name"] and row["ratio_fastest"] is not None]
        return f"Ours against the best of the others: {', '.join(parts)}." if parts else None


def verdict(row):
    """Say how ours compares with the fastest other subject: a ratio within its spread is no difference."""
    ratio, spread = row["ratio_fastest"], row["spread"]
    if spread is not None and abs(ratio - 1) <= spread:
        return f"level with {row['fastest_peer']}, within ±{100 * spread:.0f} %"
    return f"{ratio:.2f} x {row['fastest_peer']}'s" + ("" if spread is None else f" ±{100 * spread:.0f} %")


def ratio_cells(stock, other):
    """Return the ratio to stock and its spread, as printed."""
    of_rounds = ratios(stock, other)
    if not of_rounds:
        return ["-", ""]
    spread = spread_of(of_rounds)
    return [f"{median_of(of_rounds):.2f}", "" if spread is None else f"±{100 * spread:.0f} %"]


def with_unit(value, unit):
    if value is None:
        return "-"
    return f"{value / 1e6:.1f} MB" if unit == "bytes" else f"{value:.3f} s"
