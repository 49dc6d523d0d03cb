# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes a run's table into doc/conformance.md, between two marks for each version of Qt."""

import os

from documents import commit, read_with_marks, replace_between, write_whole


def marks(qt):
    return (f"<!-- results of Qt {qt}: written by ./qpool test --conformance --doc -->",
            f"<!-- end of results of Qt {qt} -->")


def results(command, code, table, measured):
    return (f"`{command}`, {measured}, exit code {code}, with {len(os.sched_getaffinity(0))} "
            f"processors.\n\n```\n{table}\n```")


def check(path, qt):
    """Check that the document has a place for the results, and return the commit that is measured.

    Call this first: it fails before an hour is spent, and another commit may be checked out by the end
    of the run.
    """
    read_with_marks(path, *marks(qt))
    return commit()


def write(path, qt, command, code, table, measured):
    begin, end = marks(qt)
    text = read_with_marks(path, begin, end)
    write_whole(path, replace_between(text, begin, end, results(command, code, table, measured)))
