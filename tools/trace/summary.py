# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The table of ./qpool trace --summary: how long events waited, and how long their handlers ran."""

from array import array

from stream import DELIVERED, FATES


# Of a name in the table: those of functors can be very long.
LONGEST = 60


class Row:
    def __init__(self):
        self.waits = array("Q")
        self.runs = array("Q")
        self.fates = [0] * len(FATES)

    def add(self, other):
        self.waits.extend(other.waits)
        self.runs.extend(other.runs)
        self.fates = [mine + its for mine, its in zip(self.fates, other.fates)]


class Summary:
    def __init__(self):
        self.rows = {}  # by class, type, thread, signal and slot
        self.count = 0

    def add(self, event):
        self.count += 1
        kind = event.class_id, event.type, event.thread, event.signal, event.slot
        row, _ = self.rows.setdefault(kind, (Row(), event))
        row.fates[event.fate] += 1
        if event.fate == DELIVERED:
            row.runs.append(event.run)
            if event.posted:
                row.waits.append(event.wait)

    def _by_name(self, names):
        """Merge rows: undelivered events may have another number for the same class."""
        merged = {}
        for row, event in self.rows.values():
            key = names.class_name(event), names.title(event), event.thread
            merged.setdefault(key, Row()).add(row)
        return merged

    def lines(self, names, most=30):
        """Yield the lines of the table, sorted by the longest wait and then by the longest run."""
        header = ("receiver", "event", "thread", "count", "wait p50", "p99", "worst", "run p50",
                  "p99", "worst", "not delivered")
        table = [header]
        ordered = sorted(self._by_name(names).items(), key=lambda item: (-max(item[1].waits, default=0),
                                                              -max(item[1].runs, default=0), item[0]))
        for (class_name, kind, thread), row in ordered[:most]:
            missed = ", ".join(f"{count} {fate}" for fate, count in zip(FATES[1:], row.fates[1:])
                               if count)
            table.append((class_name, kind if len(kind) <= LONGEST else kind[:LONGEST - 1] + "…",
                          names.threads.get(thread, (thread, str(thread)))[1],
                          str(row.fates[DELIVERED]), *columns(row.waits), *columns(row.runs), missed))
        widths = [max(len(line[column]) for line in table) for column in range(len(header))]
        for line in table:
            cells = [cell.ljust(width) if column < 3 or column == len(header) - 1 else cell.rjust(width)
                     for column, (cell, width) in enumerate(zip(line, widths))]
            yield "  ".join(cells).rstrip()
        if len(ordered) > most:
            yield f"and {len(ordered) - most} rows more"


def columns(times):
    """Return the median, the 99th percentile and the maximum as text."""
    if not times:
        return ("-",) * 3
    ordered = sorted(times)
    def percentile(percent):
        return ordered[(len(ordered) * percent + 99) // 100 - 1]
    return tuple(as_time(value) for value in (percentile(50), percentile(99), ordered[-1]))


def as_time(nanoseconds):
    for factor, unit in ((1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs")):
        if nanoseconds >= factor:
            value = nanoseconds / factor
            return f"{value:.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
    return f"{nanoseconds} ns"
