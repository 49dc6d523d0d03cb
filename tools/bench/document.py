# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes a run's results into doc/benchmarks.md: times with pictures, and numbers of instructions."""

import os

from arithmetic import WORTHLESS
from documents import read_with_marks, replace_between, write_whole
from pictures import plot
from report import number, remark

BEGIN = "<!-- results: written by ./qpool bench --doc -->"
END = "<!-- end of results -->"
COUNT_BEGIN = "<!-- instructions: written by ./qpool bench --count --doc -->"
COUNT_END = "<!-- end of instructions -->"


def cells(row, peers):
    spread = row["spread"]
    return [f"`{row['name']}`", row["unit"], number(row["ours"]),
            *(number(row["peers"].get(peer)) for peer in peers),
            number(row.get("limit")), number(row.get("distribution")),
            number(row["ratio_glibc"]), number(row["ratio_fastest"]),
            "-" if spread is None else f"±{100 * spread:.0f} %", remark(row)]


def as_table(head, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *lines))


def results(result, pictures):
    """Return the text between the marks."""
    machine, rows = result["machine"], result["rows"]
    peers = list(dict.fromkeys(peer for row in rows for peer in row["peers"]))
    memory = f", {machine['memory_gib']} GiB" if machine.get("memory_gib") else ""
    most = max(row["rounds"] for row in rows)
    parts = [
        f"`./qpool bench{' --quick' if result['quick'] else ''} --doc`, {result['commit']}, Qt {result['qt']}, "
        f"{result['rounds']} rounds, up to {most} of noisy rows, on {machine['processor']}, {machine['processors']} "
        f"processors{memory}, {machine['system']}, {machine['libc']}; its load before was "
        f"{machine['load_before']}.",
        as_table(["row", "unit", "ours", *peers, "limit", "distribution", "x glibc", "x fastest",
                  "spread", ""], [cells(row, peers) for row in rows]),
        "### Where we lose",
    ]
    lost = [row for row in rows if row["ratio_fastest"] is not None and row["ratio_fastest"] < 1
            and not row["worthless"]]
    # If a ratio is below 1 by less than its spread, it does not show that we lose.
    clear = [row for row in lost if row["ratio_fastest"] + row["spread"] * row["ratio_fastest"] < 1]
    parts.append(", ".join(
        f"`{row['name']}` ({number(row['ratio_fastest'])} of {row['fastest_peer']})"
        for row in clear) + "." if clear else "Nowhere beyond the spread.")
    near = [f"`{row['name']}`" for row in lost if row not in clear]
    if near:
        parts.append("Below 1 by less than the spread: " + ", ".join(near) + ".")
    noisy = [f"`{row['name']}`" for row in rows if row["worthless"]]
    if noisy:
        parts.append(f"Worthless, with a spread of more than ±{100 * WORTHLESS:.0f} %: "
                     + ", ".join(noisy) + ".")
    parts.append("### Pictures")
    parts += [f"![{name}](images/bench/{name}.svg)" for name in pictures]
    return "\n\n".join(parts)


def counted(result):
    """The text between the marks of the instructions."""
    rows = result["rows"]
    peers = [peer for peer in dict.fromkeys(peer for row in rows for peer in row["peers"])
             if any(row["peers"].get(peer) is not None for row in rows)]
    lines = [[f"`{row['name']}`", number(row["ours"], 1),
              *(number(row["peers"].get(peer), 1) for peer in peers), number(row.get("limit"), 1),
              number(row["ratio_glibc"]), number(row["ratio_fastest"])] for row in rows]
    return (f"`./qpool bench --count --doc`, {result['commit']}, Qt {result['qt']}, on "
            f"{result['machine']['processor']}, {result['machine']['libc']}:\n\n"
            + as_table(["row", "ours", *peers, "limit", "x glibc", "x fewest"], lines))


def check(path, count):
    """Raises an error if the document has no place for the results."""
    marks = (COUNT_BEGIN, COUNT_END) if count else (BEGIN, END)
    read_with_marks(path, *marks)


def write_counted(result, path):
    text = read_with_marks(path, COUNT_BEGIN, COUNT_END)
    write_whole(path, replace_between(text, COUNT_BEGIN, COUNT_END, counted(result)))


def write(result, path):
    text = read_with_marks(path, BEGIN, END)
    folder = os.path.join(os.path.dirname(os.path.abspath(path)), "images", "bench")
    pictures = plot(result["rows"], folder, ("svg",))
    # Pictures of groups that no longer exist.
    for name in os.listdir(folder):
        if name.endswith(".svg") and name[:-4] not in pictures:
            os.remove(os.path.join(folder, name))
    write_whole(path, replace_between(text, BEGIN, END, results(result, pictures)))
