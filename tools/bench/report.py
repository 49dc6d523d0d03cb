# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The output of ./qpool bench: a table, CSV."""

import csv


def number(value, digits=2):
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.{digits}f}"


def table(rows):
    peers = list(dict.fromkeys(peer for row in rows for peer in row["peers"]))
    head = ["row", "unit", "ours", *peers, "distribution", "limit", "x glibc", "x fastest",
            "spread", ""]
    lines = [head]
    for row in rows:
        spread = row["spread"]
        lines.append([
            row["name"], row["unit"], number(row["ours"]),
            *(number(row["peers"].get(peer)) for peer in peers),
            number(row.get("distribution")), number(row.get("limit")),
            number(row["ratio_glibc"]), number(row["ratio_fastest"]),
            "-" if spread is None else f"±{100 * spread:.0f} %",
            remark(row),
        ])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    # An empty column is omitted.
    shown = [column for column in range(len(head))
             if column < 3 or any(line[column] not in ("-", "") for line in lines[1:])]
    return "\n".join(
        "  ".join(line[column].ljust(widths[column]) if column < 2 or column == len(head) - 1
                  else line[column].rjust(widths[column]) for column in shown).rstrip()
        for line in lines)


def remark(row):
    if row["ours"] is None:
        return "NOT MEASURED: it failed"
    if row["ratio_fastest"] is None:
        return "no peer"
    if row["worthless"]:
        return "one round: no spread" if row["spread"] is None else "worthless: the spread is too wide"
    return f"loses to {row['fastest_peer']}" if row["ratio_fastest"] < 1 else ""


def to_csv(rows):
    peers = list(dict.fromkeys(peer for row in rows for peer in row["peers"]))
    columns = ["name", "unit", "ours", *peers, "distribution", "limit", "fastest_peer",
               "ratio_fastest", "ratio_glibc", "spread", "rounds", "worthless"]

    class Lines(list):
        write = list.append

    lines = Lines()
    writer = csv.DictWriter(lines, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        flat = {**row, **row["peers"]}
        writer.writerow({column: flat.get(column) for column in columns})
    return "".join(lines)
