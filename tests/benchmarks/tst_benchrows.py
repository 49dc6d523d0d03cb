# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""rows.txt, which ./qpool bench --list prints, has the rows of the programs, in their order.

tst_benchrows.py BUILD: compares; with --write it writes the file instead. BUILD has the programs in benchmarks/.
"""

import os
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "tools", "bench"), os.path.join(ROOT, "tools", "shared")]

import qpoolbench
import rows
from peers import PEERS

HEADER = """# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The rows of ./qpool bench, for --list: written by tests/benchmarks/tst_benchrows.py --write. Measured by default (d),
# with --quick (q), with --count (c); {processors} and {even} depend on the machine.
"""


def rows_of(build, mode):
    """Return the names of the rows that the programs have."""
    arguments = ["--stock", build, "--pooled", build, "--qt-dir", build, "--distribution"]
    os.environ.pop("QPOOL_BENCH_QUICK", None)
    if mode != "default":
        arguments.append(f"--{mode}")
    if mode == "quick":
        os.environ["QPOOL_BENCH_QUICK"] = "1"
    settings = qpoolbench.parse_arguments(arguments)
    every = qpoolbench.all_contests(settings, dict.fromkeys(PEERS))
    if not settings.count:
        every = qpoolbench.with_second_thread(every)
    return [name for contest in qpoolbench.chosen(every, settings) for name in contest.ours]


def pattern_of(name):
    """Return a name with the numbers of the machine as the file has them."""
    here = rows.numbers()
    for group, number in (("threads/", "processors"), ("handover/", "even")):
        prefix = f"{group}{here[number]}"
        if name == prefix or name.startswith(prefix + "/"):
            return f"{group}{{{number}}}{name[len(prefix):]}"
    return name


def write(found):
    with open(rows.FILE, "w", encoding="utf-8") as file:
        file.write(HEADER)
        for name in found["default"]:
            modes = "".join(letter for mode, letter in rows.MODES.items() if name in found[mode])
            file.write(f"{modes:4}{pattern_of(name)}\n")


def differences(found, file):
    """Yield a line for each mode whose rows are others than the file's."""
    for mode, names in found.items():
        listed = rows.names(mode, file)
        if listed != names:
            yield (f"{mode}: missing {sorted(set(names) - set(listed))}, "
                   f"too many {sorted(set(listed) - set(names))}, or in another order")


def main(build, *options):
    found = {mode: rows_of(build, mode) for mode in rows.MODES}
    if "--write" in options:
        write(found)
        return 0
    wrong = list(differences(found, rows.FILE))
    # The comparison notices a missing row.
    with open(rows.FILE, encoding="utf-8") as file, tempfile.NamedTemporaryFile("w", suffix=".txt") as other:
        other.writelines(file.readlines()[:-1])
        other.flush()
        if not list(differences(found, other.name)):
            wrong.append("a file without its last row is not noticed")
    for line in wrong:
        print(f"FAIL   : {line}; tests/benchmarks/tst_benchrows.py BUILD --write corrects the file")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
