#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The tree keeps its rules, and tools/doc/tree.py finds what breaks them."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
TREE = os.path.join(ROOT, "tools", "doc", "tree.py")


def run(*arguments):
    return subprocess.run([sys.executable, "-B", TREE, *arguments], capture_output=True, text=True)


class Tree(unittest.TestCase):
    def copy(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        shutil.copytree(os.path.join(ROOT, "src"), os.path.join(folder.name, "src"))
        os.mkdir(os.path.join(folder.name, "doc"))
        shutil.copy(os.path.join(ROOT, "doc", "internals.md"), os.path.join(folder.name, "doc"))
        return folder.name

    def refuses(self, tree, message):
        result = run(tree)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(message, result.stderr)

    def append(self, tree, name, text):
        with open(os.path.join(tree, "src", name), "a", encoding="utf-8") as file:
            file.write(text)

    def test_keepsItsRules(self):
        result = run()
        sys.stderr.write(result.stdout)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_findsIncludesUpwards(self):
        tree = self.copy()
        self.append(tree, "allocator/os/qpoolos.h", '#include "../core/qpoolbin.h"\n')
        self.refuses(tree, 'src/allocator/os/qpoolos.h includes "../core/qpoolbin.h"')

    def test_findsIncludesOfOtherLibraries(self):
        for source, target in (("allocator/pool/qpoolfront.h", "../../pools/objects/qtypedpool.h"),
                               ("sharedmemory/qpoolsharedheap.h", "../allocator/core/qpoolbin.h"),
                               ("pools/std/qpoolblocks.h", "../../sharedmemory/qpoolsharedheap.h")):
            with self.subTest(source):
                tree = self.copy()
                self.append(tree, source, f'#include "{target}"\n')
                self.refuses(tree, f'src/{source} includes "{target}"')

    def test_findsAnAllocatorThatGrows(self):
        tree = self.copy()
        self.append(tree, "allocator/core/qpoolbin.h", "// more\n" * 20000)
        self.refuses(tree, "lines of the allocator: ")

    def change(self, tree, name, old, new):
        path = os.path.join(tree, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))

    def test_findsAFunctionThatIsNotWhereAWalkSays(self):
        for name, old, new in (
                ("src/allocator/core/qpoolbinpages.h", "PageHeader *addPage(", "PageHeader *getPage("),
                ("src/allocator/core/qpoolbinpages.h", "class BinPages\n", "class BinsPages\n"),
                ("doc/internals.md", "| `BinPages::addPage()` | `core/qpoolbinpages.h` |",
                 "| `BinPages::addPage()` | `core/qpoolslowpath.h` |"),
                ("doc/internals.md", "| `BinPages::addPage()` | `core/qpoolbinpages.h` |",
                 "| `BinPages::addPage()` | `core/qpoolnone.h` |")):
            with self.subTest(new):
                tree = self.copy()
                self.change(tree, name, old, new)
                self.refuses(tree, 'doc/internals.md, "A refill": there is no BinPages::addPage() in ')

    def test_findsAMovedFunctionThatIsStillCalled(self):
        tree = self.copy()
        self.change(tree, "doc/internals.md", "| `Magazine::prepare()` | `core/qpoolmagazine.h` |",
                    "| `SlowPath::prepare()` | `core/qpoolslowpath.h` |")
        self.refuses(tree, "there is no SlowPath::prepare() in src/allocator/core/qpoolslowpath.h")

    def test_findsAPathThatGrows(self):
        tree = self.copy()
        self.change(tree, "doc/internals.md", "| `Bin::pop()` | `core/qpoolbin.h` |",
                    "| `PageWindows::findNear()` | `pages/qpoolwindows.h` | |\n| `Bin::pop()` | `core/qpoolbin.h` |")
        self.refuses(tree, "functions of an allocation: ")
        self.refuses(tree, "files of an allocation: ")

    def test_findsAPathWithoutAWalk(self):
        tree = self.copy()
        self.change(tree, "doc/internals.md", "## An adoption\n", "## Adopting\n")
        self.refuses(tree, 'no table of functions in a section "An adoption"')


if __name__ == "__main__":
    unittest.main()
