# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Checks that a file is in Chrome's trace event format, for the parts that ./qpool trace uses.

It uses no instant events, because Qt Creator 9 crashes when it reads them.
"""

import json

REQUIRED = {"X": {"name", "ph", "pid", "tid", "ts", "dur"},
            "s": {"name", "cat", "ph", "pid", "tid", "ts", "id"},
            "f": {"name", "cat", "ph", "pid", "tid", "ts", "id", "bp"},
            "C": {"name", "ph", "pid", "ts", "args"},
            "M": {"name", "ph", "pid", "tid", "args"}}


def faults(text):
    """Return the faults of a trace, a line each."""
    try:
        trace = json.loads(text)
    except json.JSONDecodeError as error:
        return [f"it is not JSON: {error}"]
    if not isinstance(trace, dict) or not isinstance(trace.get("traceEvents"), list):
        return ["it is not an object with traceEvents"]
    found = []
    entries = trace["traceEvents"]
    for number, entry in enumerate(entries):
        missing = REQUIRED.get(entry.get("ph"), {"a known ph"}) - set(entry)
        if missing:
            found.append(f"entry {number} lacks {', '.join(sorted(missing))}: {entry}")
    if found:
        return found
    found += faults_of_times(entries)
    found += faults_of_nesting(entries)
    found += faults_of_arrows(entries)
    found += faults_of_counters(entries)
    found += faults_of_names(entries)
    return found


def timed(entries, *phases):
    return [entry for entry in entries if entry["ph"] in phases]


def end_of(entry):
    return entry["ts"] + entry["dur"]


def faults_of_times(entries):
    before = 0
    for entry in timed(entries, "X", "s", "f", "C"):
        if entry["ts"] < before:
            yield f"goes back in time from {before}: {entry}"
        before = entry["ts"]
        if entry.get("dur", 0) < 0:
            yield f"has a negative duration: {entry}"


def faults_of_nesting(entries):
    """Yield a fault for each slice that overlaps another of its thread without being within it."""
    open_slices = {}
    for entry in timed(entries, "X"):
        stack = open_slices.setdefault((entry["pid"], entry["tid"]), [])
        while stack and end_of(stack[-1]) <= entry["ts"] + 0.0005:
            stack.pop()
        # Times are rounded to nanoseconds, which are not whole numbers of microseconds.
        if stack and end_of(entry) > end_of(stack[-1]) + 0.0015:
            yield f"ends after the one it is in, {stack[-1]}: {entry}"
        stack.append(entry)


def faults_of_arrows(entries):
    slices = {}
    for entry in timed(entries, "X"):
        slices.setdefault((entry["pid"], entry["tid"]), []).append(entry)

    def is_in_slice(entry):
        return any(one["ts"] - 0.0005 <= entry["ts"] <= end_of(one) + 0.0005
                   for one in slices.get((entry["pid"], entry["tid"]), ()))

    begun, ended = {}, set()
    for entry in timed(entries, "s", "f"):
        if not is_in_slice(entry):
            yield f"is attached to no slice: {entry}"
        if entry["ph"] == "s":
            if entry["id"] in begun:
                yield f"begins an arrow twice: {entry}"
            begun[entry["id"]] = entry
        elif entry["id"] not in begun or entry["id"] in ended:
            yield f"ends an arrow that has not begun: {entry}"
        else:
            ended.add(entry["id"])
            if entry["cat"] != begun[entry["id"]]["cat"] or entry["name"] != begun[entry["id"]]["name"]:
                yield f"ends an arrow of another name: {entry}"
    for number in set(begun) - ended:
        yield f"has no end: {begun[number]}"


def faults_of_counters(entries):
    known = {}
    for entry in timed(entries, "C"):
        values = entry["args"]
        if not values or not all(isinstance(value, int) and value >= 0 for value in values.values()):
            yield f"is no list of numbers: {entry}"
        # A viewer makes a curve of each value of each name.
        if not set(values) >= known.setdefault((entry["pid"], entry["name"]), set()):
            yield f"lacks a value that it had: {entry}"
        known[entry["pid"], entry["name"]] |= set(values)


def faults_of_names(entries):
    named = {(entry["pid"], entry["tid"]) for entry in timed(entries, "M")
             if entry["name"] == "thread_name"}
    used = {(entry["pid"], entry["tid"]) for entry in timed(entries, "X", "s", "f")}
    for thread in sorted(used - named):
        yield f"there is no name of thread {thread}"
    processes = {entry["pid"] for entry in timed(entries, "M") if entry["name"] == "process_name"}
    used_by = {entry["pid"] for entry in timed(entries, "X", "s", "f", "C")}
    for pid in sorted(used_by - processes):
        yield f"there is no name of process {pid}"
