#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Checks the documents: their links, the commands that they show, their C++ snippets."""

import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import commandlines
import links
import snippets
from markdown import read_documents


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="qpool doc --check")
    parser.add_argument("root", help="the folder of the tree")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--flag", action="append", default=[], dest="flags",
                        help="a flag for the compiler; can be repeated")
    parser.add_argument("--file", action="append", default=[], dest="files",
                        help="check only these (default: all that git lists)")
    return parser.parse_args(arguments)


def listed(root):
    result = subprocess.run(["git", "-C", root, "ls-files", "-z", "*.md"], capture_output=True,
                            text=True)
    if result.returncode != 0:
        raise OSError(f"git does not list the documents of {root}: {result.stderr.strip()}")
    return [name for name in result.stdout.split("\0") if name]


def main(arguments):
    options = parse_arguments(arguments)
    try:
        documents = read_documents(options.root, options.files or listed(options.root))
        problems = links.problems(documents, options.root)
        problems += commandlines.problems(documents, options.root)
        problems += snippets.problems(documents, options.compiler, options.flags)
    except OSError as error:
        print(f"qpool: {error}", file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(documents)} documents: {links.count(documents)} links, "
          f"{commandlines.count(documents)} command lines, {snippets.count(documents)} snippets; "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
