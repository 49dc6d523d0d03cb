# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The pictures of ./qpool bench --plot: bars for each group of rows, curves for growing parameters."""

import os


def groups_of(rows):
    """Return the rows of each bar chart by the chart's name; rows of curves are left out."""
    groups = {}
    for row in rows:
        if row["ours"] is None or not row["peers"].get("glibc") or curve_of(row):
            continue
        first, _, rest = row["name"].partition("/")
        kind = ""
        if row["unit"].startswith("instructions"):
            kind = "-instructions"
        elif first == "memory":
            kind = "-blocks" if rest.isdigit() else "-kept"
        elif first == "programs":
            # Percentages and counts cannot be shown as bars beside other units.
            if row["unit"] not in ("ns/op", "bytes"):
                continue
            kind = kind_of_program(row["unit"], rest.split("/"))
        groups.setdefault(first + kind, []).append(row)
    return groups


def kind_of_program(unit, parts):
    """Return the end of the chart's name: whole programs have one of their own, for the README."""
    if unit == "bytes":
        return "-memory"
    for part in ("startup", "qt-only", "wall"):
        if part in parts:
            return f"-{part}"
    return ""


def curve_of(row):
    """Return (curve, x value) for a row such as scale/threads/8 or shared/spin/8/processes, else None."""
    parts = row["name"].split("/")
    if len(parts) >= 3 and parts[0] in ("scale", "shared") and parts[2].isdigit():
        return "-".join([*parts[:2], *parts[3:]]), int(parts[2])
    return None


def curves_of(rows):
    curves = {}
    for row in rows:
        if row["ours"] is not None and curve_of(row):
            curves.setdefault(curve_of(row)[0], []).append(row)
    # One point does not make a curve.
    return {name: sorted(points, key=lambda row: curve_of(row)[1])
            for name, points in curves.items() if len(points) > 1}


def subjects_of(rows):
    names = ["ours", *dict.fromkeys(peer for row in rows for peer in row["peers"])]
    return names + [key for key in ("distribution", "limit") if any(row.get(key) for row in rows)]


def value_of(row, subject):
    return row.get(subject, row["peers"].get(subject))


def save(figure, folder, name, kinds):
    for kind in kinds:
        # No date, so that equal values give an equal file.
        figure.savefig(os.path.join(folder, f"{name}.{kind}"), dpi=120,
                       metadata={"Date": None} if kind == "svg" else None)


def draw_bars(pyplot, group, members):
    """Draw bars relative to glibc's, so that rows in nanoseconds and microseconds fit in one picture."""
    names = subjects_of(members)
    height = 0.8 / len(names)
    figure, axes = pyplot.subplots(
        figsize=(9, 1.2 + 0.16 * len(names) * len(members)), layout="constrained")
    for index, name in enumerate(names):
        values = [(value_of(row, name) or 0) / row["peers"]["glibc"] for row in members]
        places = [place + index * height for place in range(len(members))]
        axes.barh(places, values, height, label=name)
    axes.margins(y=0.01)
    axes.set_yticks([place + 0.4 - height / 2 for place in range(len(members))],
                    [row["name"] for row in members])
    axes.invert_yaxis()
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"{members[0]['unit']}, glibc = 1, less is better")
    axes.set_title(group)
    # Beside the bars: there may be no free place among them.
    axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def label_of(curve):
    first, second, *rest = curve.split("-")
    labels = {"live": "blocks alive", "classes": "size classes in use",
              "fragmentation": "quarters of a million operations"}
    if first == "scale" or second in labels:
        return labels.get(second, second)
    return f"{rest[0] if rest else 'threads'} that write, lock: {second}"


def draw_curves(pyplot, name, points):
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for subject in subjects_of(points):
        known = [(curve_of(row)[1], value_of(row, subject)) for row in points
                 if value_of(row, subject) is not None]
        if not known:
            continue
        axes.plot(*zip(*known), marker="o", linewidth=2.5 if subject == "ours" else 1.2,
                  linestyle="--" if subject == "limit" else "-", label=subject)
    axes.set_xscale("log")
    places = [curve_of(row)[1] for row in points]
    axes.set_xticks(places, [f"{place:,}".replace(",", " ") for place in places])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(label_of(name))
    axes.set_ylabel(f"{points[0]['unit']}, less is better")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    return figure


def plot(rows, folder, kinds=("png", "svg")):
    """Write the pictures, and return their names without folder and extension."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "qpool"
    from matplotlib import pyplot

    os.makedirs(folder, exist_ok=True)
    drawn = []
    for draw, pictures in ((draw_bars, groups_of(rows)), (draw_curves, curves_of(rows))):
        for name, members in pictures.items():
            figure = draw(pyplot, name, members)
            save(figure, folder, name, kinds)
            pyplot.close(figure)
            drawn.append(name)
    return drawn
