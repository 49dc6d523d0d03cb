#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The names of the rows, for ./qpool bench --list, which builds nothing: tests/benchmarks/rows.txt.

Only the programs know their rows. tests/benchmarks/tst_benchrows.py compares the file with them, and writes it.
"""

import argparse
import os
import re
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "benchmarks", "rows.txt")
# In which mode a row is measured: a letter each in the file's first column.
MODES = {"default": "d", "quick": "q", "count": "c"}
# These need the distribution's QtGui, QtQml and QtQuick.
OF_THE_DISTRIBUTION = re.compile(r"qml/|qtkernel/qobject/")


def numbers():
    """Return what the names of rows contain of the machine."""
    processors = len(os.sched_getaffinity(0))
    return {"processors": processors, "even": max(2, processors // 2 * 2)}


def names(mode, file=FILE):
    """Return the names of the rows of a mode on this machine, in their order."""
    here = numbers()
    found = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                modes, name = line.split()
                if MODES[mode] in modes:
                    found.append(name.format(**here))
    return found


def main(arguments):
    parser = argparse.ArgumentParser(prog="qpool bench --list")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--other-qt", action="store_true")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""))
    settings, _ = parser.parse_known_args(arguments)
    mode = "count" if settings.count else "quick" if settings.quick else "default"
    chosen = [name for name in names(mode) if settings.filter.search(name)
              and not (settings.other_qt and OF_THE_DISTRIBUTION.match(name))]
    if chosen:
        print("\n".join(chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
