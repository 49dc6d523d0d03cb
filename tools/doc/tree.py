#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Holds the tree of the libraries to its rules: a file includes only files of its own layer or of one below
it, no library includes one that it does not use, and the allocator does not outgrow its budgets. For the paths
of a chunk it reads the tables of doc/internals.md, whose functions must be where the tables say.

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
    "samples": {"", "os"},
    "stats": {"", "track", "os", "pages", "core", "samples"},
    "pool": {"", "track", "os", "pages", "core", "models", "stats", "samples"},
    "census": {"", "os", "stats"},
    "malloc": {"", "track", "os", "pages", "core", "models", "stats", "samples", "pool"},
}
# What a library may include of the allocator: all that programs may know of it, or only some layers.
LIBRARIES = {"allocator": set(), "pools": set(ALLOCATOR) - {"malloc", "census"},
             "sharedmemory": {"", "os"}}

# The most that there may be. A change that needs more takes something else away, or says here why not.
BUDGETS = {
    # 420 for the arenas that large chunks share, 80 for one copy of QML's heap, 49 for blocks that grow where they are,
    # 12 for errors said without a lock of the C library, 28 for frees of sampled threads without a guard,
    # 181 for parts of pages that a trim gives back, 5 for locks that spin, 46 for waits that spin, chunks of 64 KiB,
    # steps without a turn, 15 for words in QT_POOL_ALLOCATOR that nobody knows,
    # 9 for sizes in messages of level 2, 58 for locked pages, metadata of a program at its limit and large zeros,
    # 36 for objects inside blocks of a program's own operator new
    "lines of the allocator": 17961,
    "files of core and pages": 27,
}

# The most functions, and the most files, that one must read to follow a chunk: what the tables of
# doc/internals.md may name in the section of each path.
PATHS = {
    "An allocation": (7, 5),
    "A refill": (12, 7),
    "A free": (7, 5),
    "A remote free": (8, 4),
    "An adoption": (7, 4),
}
ROW = re.compile(r"^\| `([\w:]+)\(\)` \| `([^`]+)` \|", re.M)
SECTION = re.compile(r"^## (.+)\n", re.M)

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


def defines(text, name):
    """Whether the text of a file defines the function Class::function, or a function of no class."""
    owner, _, function = name.rpartition("::")
    begin = r"^ *(?!return\b|else\b)[^\n;{}()=]*[ *&]"
    body = r"\([^;{}]*\)[^;{}()]*\{"
    outside = re.search(rf"{begin}{owner}(<[^;{{}}()]*>)?::{function}{body}", text, re.M) if owner else None
    inside = not owner or re.search(rf"^ *(class|struct) ([A-Z_]+ |alignas\(\w+\) )?{owner}\b", text, re.M)
    return bool(outside or inside and re.search(begin + function + body, text, re.M))


def read(path):
    """The text of a file, or none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def walks(root):
    """For each section of doc/internals.md: the functions of its table, each with its file."""
    parts = SECTION.split(read(os.path.join(root, "doc", "internals.md")))
    return {title: ROW.findall(text) for title, text in zip(parts[1::2], parts[2::2])}


def path_problems(root):
    texts = {}
    found = walks(root)
    for path in PATHS:
        rows = found.get(path, [])
        if not rows:
            yield f"doc/internals.md has no table of functions in a section \"{path}\""
        for name, file in rows:
            if file not in texts:
                texts[file] = read(os.path.join(root, "src", "allocator", file))
            if not defines(texts[file], name):
                yield f"doc/internals.md, \"{path}\": there is no {name}() in src/allocator/{file}"


def path_counts(root):
    """The functions and the files of each path, with the budget of each."""
    found = walks(root)
    for path, budgets in PATHS.items():
        rows = found.get(path, [])
        numbers = len(rows), len({file for _, file in rows})
        for number, budget, kind in zip(numbers, budgets, ("functions", "files")):
            yield f"{kind} of {path[0].lower()}{path[1:]}", number, budget


def main(arguments):
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "..", "..")
    broken = list(problems(root)) + list(path_problems(root))
    numbers = [(name, count, BUDGETS[name]) for name, count in counts(root).items()]
    for name, count, budget in numbers + list(path_counts(root)):
        print(f"{count} {name}, at most {budget}")
        if count > budget:
            broken.append(f"{name}: {count} are more than the budget of {budget}")
    for problem in broken:
        print(problem, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
