#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Holds the tree of the libraries to its rules: a file includes only files of its own layer or of one below
it, no library includes one that it does not use, and the allocator does not outgrow its budget.

usage: tree.py [ROOT]    prints the counts, and what breaks a rule; exit code 1 if anything does
"""

import os
import re
import sys

# Each layer with those that it may include, apart from itself. "" is the library's own folder.
ALLOCATOR = {
    "track": {""},
    "": set(),
    "os": {"", "track"},
    "pages": {"", "track", "os"},
    "core": {"", "track", "os", "pages"},
    "models": {"", "track", "os", "pages", "core"},
    "stats": {"", "track", "os", "pages", "core"},
    "pool": {"", "track", "os", "pages", "core", "models", "stats"},
    "census": {"", "os", "stats"},
    "malloc": {"", "track", "os", "pages", "core", "models", "stats", "pool"},
}
# What a library may include of the allocator: all that programs may know of it, or only some layers.
LIBRARIES = {"allocator": set(), "pools": set(ALLOCATOR) - {"malloc", "census"},
             "sharedmemory": {"", "os"}}

# The most that there may be. A change that needs more takes something else away, or says here why not.
BUDGETS = {
    "lines of the allocator": 17600,
    "files of core and pages": 38,
}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def sources(root, library):
    folder = os.path.join(root, "src", library)
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".h", ".cpp")):
                yield os.path.join(path, name)


def place(root, path):
    """The library and the layer of a file."""
    parts = os.path.relpath(path, os.path.join(root, "src")).split(os.sep)
    return parts[0], parts[1] if len(parts) > 2 else ""


def allowed(source, target):
    (library, layer), (other, below) = source, target
    if library == other:
        return library != "allocator" or layer == below or below in ALLOCATOR[layer]
    return other == "allocator" and below in LIBRARIES[library]


def problems(root):
    for library in LIBRARIES:
        for path in sources(root, library):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for name in INCLUDE.findall(text):
                target = os.path.normpath(os.path.join(os.path.dirname(path), name))
                shown = os.path.relpath(path, root)
                if not os.path.exists(target):
                    yield f'{shown} includes "{name}", which is not there'
                elif not allowed(place(root, path), place(root, target)):
                    yield (f'{shown} includes "{name}", which is not below it: '
                           "tools/doc/tree.py lists what may include what")


def counts(root):
    files = list(sources(root, "allocator"))
    lines = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            lines += sum(1 for _ in file)
    layers = [place(root, path)[1] for path in files]
    return {"lines of the allocator": lines,
            "files of core and pages": layers.count("core") + layers.count("pages")}


def main(arguments):
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "..", "..")
    broken = list(problems(root))
    for name, count in counts(root).items():
        print(f"{count} {name}, at most {BUDGETS[name]}")
        if count > BUDGETS[name]:
            broken.append(f"{name}: {count} are more than the budget of {BUDGETS[name]}")
    for problem in broken:
        print(problem, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
