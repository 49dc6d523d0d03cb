# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests that every test has a label, so that ctest -L finds it, and that tests/README.md has every label."""

import json
import os
import re
import subprocess
import unittest

ROOT = os.environ["QPOOL_ROOT"]


def labels_of_tests():
    """Return each test's labels, by its name."""
    folder = os.environ["QPOOL_BUILD_DIR"]
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=folder, capture_output=True, text=True, check=True)
    found = {}
    for test in json.loads(listed.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        found[test["name"]] = properties.get("LABELS", [])
    return found


def documented_labels():
    with open(os.path.join(ROOT, "tests", "README.md"), encoding="utf-8") as file:
        table = [line for line in file if line.startswith("| ")]
    return {label for line in table if line.count("|") == 4 for label in re.findall(r"`(\w+)`", line.split("|")[3])}


def slow_patterns():
    with open(os.path.join(ROOT, "tests", "slow.txt"), encoding="utf-8") as file:
        return [line.split()[0] for line in file if line.strip() and not line.startswith("#")]


def without_test(patterns, tests):
    """Return the patterns that match no test's whole name."""
    return [pattern for pattern in patterns if not any(re.fullmatch(pattern, name) for name in tests)]


class Labels(unittest.TestCase):
    def test_every_test_has_a_label(self):
        tests = labels_of_tests()
        self.assertGreater(len(tests), 100)
        self.assertEqual([name for name, labels in tests.items() if not labels], [])

    def test_every_label_is_documented(self):
        used = {label for labels in labels_of_tests().values() for label in labels}
        self.assertEqual(sorted(used - documented_labels()), [])

    def test_slow_tests_exist(self):
        tests = labels_of_tests()
        self.assertEqual(without_test(slow_patterns(), tests), [])
        self.assertEqual(without_test(["tst_nosuch"], tests), ["tst_nosuch"])

    def test_slow_tests_are_the_fewer(self):
        tests = labels_of_tests()
        slow = [name for name in tests if any(re.fullmatch(pattern, name) for pattern in slow_patterns())]
        self.assertLess(len(slow), len(tests) / 4)


if __name__ == "__main__":
    unittest.main()
