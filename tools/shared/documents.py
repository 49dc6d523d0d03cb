# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes results into documents: between two marks, with the commit at which they were measured."""

import os
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


class DocumentError(Exception):
    pass


def write_whole(path, text):
    """Write a file. If this fails, the old file stays."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8",
                                     newline="") as file:
        file.write(text)
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(file.name, 0o666 & ~umask)
    os.replace(file.name, path)


def commit(root=ROOT):
    """Return the commit that is checked out, and whether the tree has uncommitted changes.

    Changes of documents do not count, because results are written into them.
    """
    def git(*arguments):
        result = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
        return result.stdout.strip() if result.returncode == 0 else ""
    try:
        name = git("rev-parse", "--short=10", "HEAD")
        if not name:
            return "a tree without version control"
        changes = git("status", "--porcelain", "--", ".", ":!doc", ":!README.md")
    except OSError:
        return "an unknown commit, because git is not installed"
    return f"commit {name}" + (" with changes" if changes else "")


def replace_between(text, begin, end, new):
    """Return the text with `new` between the lines `begin` and `end`."""
    before, mark, rest = text.partition(begin)
    _, other, after = rest.partition(end)
    if not mark or not other:
        raise DocumentError(f"the document lacks the line \"{end if mark else begin}\": put it where "
                            "the results belong")
    return f"{before}{begin}\n\n{new}\n\n{end}{after}"


def read_with_marks(path, begin, end):
    """Return the document's text, or raise DocumentError if it has no place for results."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise DocumentError(f"{path} cannot be read: {error.strerror}") from None
    replace_between(text, begin, end, "")
    return text
