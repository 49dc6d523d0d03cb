# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Reads the list of suites, and the list of programs that a build of them writes."""

import os
from dataclasses import dataclass, field


class ConformanceError(Exception):
    """An error whose text is a line for the user."""


@dataclass
class Suite:
    name: str
    needs: list = field(default_factory=list)
    remarks: list = field(default_factory=list)

    @property
    def serial(self):
        return "serial" in self.remarks

    def exists_in(self, version):
        since = [remark[5:] for remark in self.remarks if remark.startswith("since")]
        return not since or number(version) >= number(since[0])


def number(version):
    return [int(part) for part in version.split(".")]


def words(text):
    return [] if text == "-" else text.split(",")


def read_suites(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    for line in lines:
        if len(line) != 4:
            raise ConformanceError(f"{path}: '{' '.join(line)}' has not four fields")
    return [Suite(name, words(needs), words(remarks)) for name, _, needs, remarks in lines]


def read_programs(folder):
    """Return each suite's program and the folder in which to run it, by the suite's name."""
    path = os.path.join(folder, "suites.tsv")
    try:
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    except OSError as error:
        raise ConformanceError(f"no suites are built in {folder} ({error.strerror}): "
                               "./qpool test --conformance builds them") from error
    return {name: (program, run_in) for name, program, run_in in rows}
