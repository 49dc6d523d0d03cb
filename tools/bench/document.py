# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes a run's results into doc/results/VERSION: times with pictures, or numbers of instructions."""

import csv
import os
import time

from documents import DocumentError, write_whole
from pictures import plot
from report import to_csv

MACHINE = "machine.csv"
COLUMNS = ["file", "date", "command", "qt", "rounds", "processor", "processors", "memory_gib", "system", "libc",
           "load_before", "left_out"]


def shorter(value):
    """Four digits are more than a result is worth."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.4g}") if abs(value) < 1e4 else round(value)


def rows_of(result):
    """The rows that mean something, with short numbers."""
    return [{**{key: shorter(value) for key, value in row.items()},
             "peers": {peer: shorter(value) for peer, value in row["peers"].items()}}
            for row in result["rows"] if not row["worthless"] and row["ours"] is not None]


def check(folder):
    """Raises an error if there is no place for the results."""
    if not os.path.isdir(os.path.dirname(os.path.abspath(folder))):
        raise DocumentError(f"there is no folder for {folder}: create it")


def note_machine(result, folder, name, command):
    """Replace the line of this file in the list of runs."""
    path = os.path.join(folder, MACHINE)
    lines = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            lines = [line for line in csv.DictReader(file) if line["file"] != name]
    rows = result["rows"]
    lines.append({**result["machine"], "file": name, "date": time.strftime("%Y-%m-%d"), "command": command,
                  "qt": result["qt"], "rounds": result["rounds"],
                  "left_out": len(rows) - len(rows_of(result))})

    class Lines(list):
        write = list.append

    text = Lines()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for line in sorted(lines, key=lambda line: line["file"]):
        writer.writerow(line)
    write_whole(path, "".join(text))


def write(result, folder, count=False):
    name = "instructions.csv" if count else "times.csv"
    command = f"./qpool bench{' --quick' if result['quick'] else ''}{' --count' if count else ''} --doc"
    os.makedirs(folder, exist_ok=True)
    if not count:
        images = os.path.join(folder, "..", "..", "images", "bench")
        names = plot(result["rows"], images, ("svg",))
        # Pictures of groups that no longer exist.
        for picture in os.listdir(images):
            if picture.endswith(".svg") and picture[:-4] not in names:
                os.remove(os.path.join(images, picture))
    write_whole(os.path.join(folder, name), to_csv(rows_of(result)))
    note_machine(result, folder, name, command)
