# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Reads what a QTest program wrote with -o FILE,xml: the outcomes of each function and data row."""

import os
import xml.etree.ElementTree as ElementTree

# Not an outcome of QTest's: the function did not end.
HUNG = "hung"

# The outcomes that QTest counts. An expected failure (xfail) precedes the row's own outcome and is not
# counted. Blacklisted outcomes do not make a suite fail.
COUNTED_AS = {"pass": "passed", "fail": "failed", "xpass": "failed", "skip": "skipped",
              "bpass": "skipped", "bfail": "skipped", "bxpass": "skipped", HUNG: "failed"}


class Outcomes(dict):
    """The outcomes by (function, data tag): a string of them in their order."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # QTest's messages for rows that did not pass.
        self.details = {}

    def add(self, function, tag, outcome, detail=""):
        key = (function, tag)
        self[key] = f"{self[key]} {outcome}" if key in self else outcome
        if detail:
            self.details[key] = detail

    def counts(self):
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        for text in self.values():
            for outcome in text.split():
                if outcome in COUNTED_AS:
                    counts[COUNTED_AS[outcome]] += 1
        return counts


def tag_of(element):
    # A function that combines a global table with its own has both tags.
    tags = [element.findtext(name) for name in ("GlobalDataTag", "DataTag")]
    return ":".join(tag for tag in tags if tag)


def detail_of(element):
    said = " ".join((element.findtext("Description") or "").split())
    place = f"{os.path.basename(element.get('file', ''))}:{element.get('line')}"
    return f"{place}: {said}" if said else ""


def read_outcomes(path):
    """Return the outcomes, and the function in which the file is cut off; None if it is complete."""
    outcomes = Outcomes()
    parser = ElementTree.XMLPullParser(("start", "end"))
    function = whole = None
    try:
        with open(path, "rb") as file:
            parser.feed(file.read())
        events = list(parser.read_events())
    except (OSError, ElementTree.ParseError):
        events = read_valid_events(path)
    for event, element in events:
        if event == "start":
            if element.tag == "TestFunction":
                function = element.get("name")
        elif element.tag == "TestFunction":
            function = None
        elif element.tag == "TestCase":
            whole = True
        elif element.tag == "Incident":
            outcomes.add(function, tag_of(element), element.get("type"), detail_of(element))
        elif element.tag == "Message" and element.get("type") == "skip":
            outcomes.add(function, tag_of(element), "skip")
    return outcomes, None if whole else function or ""


def read_valid_events(path):
    """Return all events up to the point where the file is no longer valid XML."""
    parser = ElementTree.XMLPullParser(("start", "end"))
    events = []
    try:
        with open(path, "rb") as file:
            for line in file:
                parser.feed(line)
                events.extend(parser.read_events())
    except (OSError, ElementTree.ParseError):
        pass
    return events
