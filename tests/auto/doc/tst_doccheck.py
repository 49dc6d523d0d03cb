#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests that the check of the documents finds errors, and nothing else."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
CHECK = os.path.join(ROOT, "tools", "doc", "qpooldoccheck.py")
COMPILER = os.environ.get("QPOOL_COMPILER", "c++")

COMMAND = """#!/bin/sh
case "$1" in
run) echo "usage: qpool run [--without-malloc] PROGRAM" ;;
--help) echo "usage: qpool COMMAND" ;;
*) exit 2 ;;
esac
"""


class DocCheck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("qpool", COMMAND)
        os.chmod(os.path.join(self.folder.name, "qpool"), 0o755)
        self.write("other.md", "# A heading, with `code`\n\n## Twice\n\n## Twice\n")

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, text):
        """Return the problems that the check finds in a document."""
        self.write("page.md", text)
        result = subprocess.run([sys.executable, CHECK, self.folder.name, "--compiler", COMPILER,
                                 "--file", "page.md", "--file", "other.md"],
                                capture_output=True, text=True)
        problems = result.stderr.splitlines()
        self.assertEqual(result.returncode, 1 if problems else 0, result.stderr)
        return problems

    def expect(self, text, *wanted):
        found = self.check(text)
        self.assertEqual(len(found), len(wanted), found)
        for problem, part in zip(found, wanted):
            self.assertTrue(problem.startswith("page.md:"), problem)
            self.assertIn(part, problem)

    def test_links_that_lead_somewhere(self):
        self.expect("[a](other.md) [b](other.md#a-heading-with-code) [c](other.md#twice-1)\n"
                    "[d](#here) ![e](other.md) [f](https://example.org/none) `[g](none.md)`\n\n# Here\n")

    def test_links_that_lead_nowhere(self):
        self.expect("[a](none.md)\n[b](other.md#none) [c](#none)\n", "page.md:1: there is no none.md",
                    "page.md:2: other.md has no heading #none", "page.md:2: page.md has no heading")

    def test_commands_that_there_are(self):
        self.expect("`./qpool run --without-malloc designer`, `./qpool COMMAND --help`, `./qpool --help`\n\n"
                    "```\n./qpool run -- designer --none  # ./qpool none\n```\n")

    def test_commands_that_there_are_not(self):
        self.expect("`./qpool walk`\n\n```\nsudo ./qpool run --fast designer\n```\n",
                    "page.md:1: ./qpool has no command walk",
                    "page.md:4: ./qpool run --help does not know --fast")

    def test_snippets_that_compile(self):
        self.expect("```cpp\n#include <vector>\n\ntemplate <class T>\nusing List = std::vector<T>;\n\n"
                    "List<int> list;\nfor (int i : list)\n    ...\n```\n\n"
                    "<!-- snippet: int seen(int); -->\n```cpp\nint a = seen(3);\n```\n\n"
                    "```cpp\nint main()\n{\n}\n```\n")

    def test_snippets_that_do_not_compile(self):
        self.expect("\n```cpp\nint a = seen(3);\n```\n", "page.md:2: this snippet does not compile")

    def test_a_block_without_an_end(self):
        self.write("page.md", "```cpp\nint a;\n")
        result = subprocess.run([sys.executable, CHECK, self.folder.name, "--file", "page.md"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("page.md:1: this code block has no end", result.stderr)


if __name__ == "__main__":
    unittest.main()
