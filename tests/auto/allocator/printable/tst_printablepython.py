# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The tools in Python print the same as those in C++."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", "shared"))

from printable import printable


class PrintableTest(unittest.TestCase):
    def test_prints_as_the_tools_in_cpp(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.txt")
        with open(path, encoding="utf-8", newline="\n") as cases:
            lines = [line.rstrip("\n") for line in cases if not line.startswith("#")]
        self.assertGreater(len(lines), 50)
        for line in lines:
            text, _, expected = line.partition(" ")
            with self.subTest(text=text):
                self.assertEqual(printable(bytes.fromhex(text.strip("-"))), expected)
                self.assertEqual(printable(expected), expected)

    def test_prints_surrogates(self):
        self.assertEqual(printable("a\ud800b"), "a\\ud800b")
        printable("a\ud800b").encode()


if __name__ == "__main__":
    unittest.main()
