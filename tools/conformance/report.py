# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The output of ./qpool test --conformance: a table, the notes below it, and the same as JSON."""

import json

COUNTS = ("passed", "failed", "skipped")


def same_text(row, mode):
    if mode in row["left_out"]:
        return "-"
    verdict = row["verdicts"][mode]
    if not verdict.same:
        return "NO"
    return "flaky" if verdict.flaky else "yes"


def row_cells(row, modes):
    cells = [row["suite"]]
    for mode in modes:
        run = row["runs"].get(mode)
        counts = run.outcomes.counts() if run else None
        cells += [str(counts[name]) if counts else "-" for name in COUNTS]
        if mode != "stock":
            cells.append(same_text(row, mode))
    return cells


def table(rows, modes):
    titles = ["suite"]
    groups = [""]
    for mode in modes:
        columns = list(COUNTS) + ([] if mode == "stock" else ["same"])
        titles += columns
        groups += [mode] + [""] * (len(columns) - 1)
    lines = [titles] + [row_cells(row, modes) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(titles))]

    def aligned(cells):
        first = cells[0].ljust(widths[0])
        return "  ".join([first] + [cell.rjust(width)
                                    for cell, width in zip(cells[1:], widths[1:])]).rstrip()

    # A group's name is above its first column and may be wider than the column.
    header = " " * widths[0]
    column = 1
    for mode in modes:
        span = len(COUNTS) + (mode != "stock")
        width = sum(widths[column:column + span]) + 2 * (span - 1)
        header += "  " + mode.center(width)
        column += span
    return "\n".join([header.rstrip()] + [aligned(line) for line in lines])


def told(row, mode, difference, what):
    return (f"{row['suite']}, {mode}: {difference.name} {what}: on stock "
            f"{', '.join(difference.stock) or 'not seen'}; here {', '.join(difference.ours)}")


def notes(rows):
    """Return a line for each difference, then each flaky function, then each suite left out."""
    differences, flaky, absent = [], [], []
    for row in rows:
        for mode, verdict in row["verdicts"].items():
            for difference in verdict.differences:
                what = f"differs in {verdict.runs} runs"
                if verdict.hunted:
                    what += f", and {verdict.hunted} more on stock"
                differences.append(told(row, mode, difference, what))
                if difference.detail:
                    differences.append("    " + difference.detail)
                output = row["runs"][mode].output
                if not difference.function and output:
                    differences.append("    " + output.replace("\n", "\n    "))
            for difference in verdict.flaky:
                what = f"varies on stock, in {verdict.runs} runs"
                if verdict.hunted:
                    what += f" and {verdict.hunted} more there"
                flaky.append(told(row, mode, difference, what))
        for mode, why in row["left_out"].items():
            absent.append(f"{row['suite']}, {mode}: left out: {why}")
    return differences + flaky + absent


def summary(rows, modes):
    parts = []
    for mode in modes:
        if mode == "stock":
            continue
        judged = [row["verdicts"][mode] for row in rows if mode in row["verdicts"]]
        same = sum(verdict.same for verdict in judged)
        flaky = sum(verdict.same and bool(verdict.flaky) for verdict in judged)
        text = f"{mode}: {same} of {len(rows)} suites the same as on stock"
        text += f" ({flaky} of them flaky there, too)" if flaky else ""
        left_out = sum(mode in row["left_out"] for row in rows)
        parts.append(text + (f"; {left_out} left out" if left_out else ""))
    return "\n".join(parts)


def as_json(qt, rows, modes):
    def difference_of(difference):
        return {"function": difference.function, "tag": difference.tag,
                "stock": difference.stock, "ours": difference.ours, "detail": difference.detail}

    def suite_of(row):
        result = {"suite": row["suite"], "seconds": round(row["seconds"], 1),
                  "left_out": row["left_out"], "modes": {}}
        for mode in modes:
            run = row["runs"].get(mode)
            if run is None:
                continue
            entry = {**run.outcomes.counts(), "trouble": run.trouble}
            verdict = row["verdicts"].get(mode)
            if verdict:
                entry.update(same=verdict.same, runs=verdict.runs, hunted=verdict.hunted,
                             differences=[difference_of(d) for d in verdict.differences],
                             flaky=[difference_of(d) for d in verdict.flaky])
            result["modes"][mode] = entry
        return result

    return json.dumps({"qt": qt, "suites": [suite_of(row) for row in rows]}, indent=1) + "\n"
