# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests how the runner of ./qpool test --conformance judges the results of fake suites."""

import os
import select
import unittest

from pretendedsuites import Fixture

import suites


class Comparison(Fixture):
    def test_same(self):
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"suite +passed +failed +skipped +passed +failed +skipped +same\n")
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes\n")
        self.assertIn("drop-in: 1 of 1 suites the same as on stock", output)
        self.assertEqual(self.runs_of("pooled"), 1)

    def test_same_failure_is_the_same(self):
        for core in ("stock", "pooled"):
            self.behave(core, "first=fail")
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\nfake +2 +1 +1 +2 +1 +1 +yes\n")

    def test_difference_is_named_and_fails(self):
        self.behave("pooled", "second=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +3 +0 +1 +2 +1 +1 +NO\n")
        self.assertIn("fake, drop-in: rows(second) differs in 4 runs: on stock xfail pass; "
                      "here xfail fail", output)
        self.assertNotIn("rows(first)", output)
        self.assertIn("drop-in: 0 of 1 suites", output)

    def test_what_was_said_of_a_difference(self):
        self.behave("pooled", "first=fail said='<Description><![CDATA[1 is\n not 2]]></Description>'")
        _, output = self.conform()
        self.assertIn("\n    tst_fake.cpp:7: 1 is not 2\n", output)

    def test_equal_counts_do_not_hide_a_difference(self):
        self.behave("stock", "first=fail")
        self.behave("pooled", "second=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +2 +1 +1 +2 +1 +1 +NO\n")
        self.assertIn("rows(first)", output)
        self.assertIn("rows(second)", output)

    def test_a_skip_instead_of_a_pass_is_a_difference(self):
        self.behave("stock", "skipped=pass")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("last() differs", output)

    def test_passing_more_is_a_difference(self):
        self.behave("stock", "first=fail")
        code, _ = self.conform()
        self.assertEqual(code, 1)


class Flakiness(Fixture):
    def test_what_varies_on_stock_is_flaky(self):
        self.behave("stock", "[ $runs = 1 ] || first=fail")
        self.behave("pooled", "first=fail")
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\nfake .* flaky\n")
        self.assertIn("rows(first) varies on stock, in 2 runs: on stock fail, pass; here fail",
                      output)
        self.assertIn("(1 of them flaky there, too)", output)

    def test_what_varies_here_alone_is_a_difference(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("here fail, pass", output)
        # Stock ran as often, so it could have varied, too.
        self.assertEqual(self.runs_of("stock"), self.runs_of("pooled"))
        self.assertGreater(self.runs_of("stock"), 4)


    def test_what_is_rare_is_looked_for_on_stock(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        self.behave("stock", '[ "$alone" ] && [ $runs -gt 20 ] && first=fail')
        code, output = self.conform("--hunt", "100")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"rows\(first\) varies on stock, in 11 runs and \d+ more there: "
                                 "on stock fail, pass; here fail, pass")

    def test_what_takes_the_whole_suite_is_looked_for_on_stock(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        self.behave("stock", '[ -z "$alone" ] && [ $runs -gt 1 ] && first=fail')
        code, output = self.conform("--hunt", "1")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"rows\(first\) varies on stock, in 11 runs and \d+ more there: "
                                 "on stock fail, pass; here fail, pass")

    def test_rare_crash_is_looked_for_on_stock(self):
        self.behave("pooled", "[ $runs = 1 ] && end='kill -SEGV $$'")
        self.behave("stock", '[ "$alone" ] && [ $runs -gt 20 ] && end="kill -SEGV $$"')
        code, output = self.conform("--hunt", "100")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"the suite varies on stock, in 11 runs and \d+ more there: "
                                 r"on stock crashed \(SIGSEGV\) in last\(\), ended well")

    def test_what_is_not_met_on_stock_stays_a_difference(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        # Another function varies on stock.
        self.behave("stock", '[ "$alone" ] && second=fail')
        code, output = self.conform("--hunt", "1")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"rows\(first\) differs in 11 runs, and [1-9]\d* more on stock")
        self.assertGreater(self.runs_of("stock"), self.runs_of("pooled"))

    def test_what_always_differs_is_not_looked_for(self):
        self.behave("pooled", "first=fail")
        self.conform("--hunt", "100")
        self.assertEqual(self.runs_of("stock"), self.runs_of("pooled"))


class Endings(Fixture):
    def test_crash_is_a_failed_row(self):
        self.behave("pooled", "end='kill -SEGV $$'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +0 +NO\n")
        self.assertIn("the suite differs in 4 runs: on stock ended well; "
                      "here crashed (SIGSEGV) in last()", output)
        self.assertIn("about to end", output)
        self.assertNotIn("last() differs", output)

    def test_crash_on_both_sides_is_a_failed_row(self):
        for core in ("stock", "pooled"):
            self.behave(core, "end='kill -ABRT $$'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("crashed (SIGABRT)", output)

    def test_timeout_is_a_failed_row_and_leaves_no_process(self):
        # A child that is still alive keeps the pipe open.
        os.mkfifo(self.path("pipe"))
        self.behave("pooled", f"end='sleep 60 >{self.path('pipe')} & wait'")
        pipe = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        code, output = self.conform("--timeout", "1")
        self.assertEqual(code, 1)
        self.assertIn("last() differs in 4 runs: on stock skip; here hung", output)
        self.assertIn("timed out after 1 s in last()", output)
        end = select.poll()
        end.register(pipe, 0)
        self.assertEqual([event for _, event in end.poll(30000)], [select.POLLHUP])

    def test_what_follows_a_function_that_hangs_is_compared(self):
        self.behave("pooled", "stuck='sleep 60' skipped=pass")
        code, output = self.conform("--timeout", "1")
        self.assertEqual(code, 1)
        self.assertIn("fake, drop-in: rows() differs in 4 runs: on stock not run; here hung", output)
        self.assertIn("fake, drop-in: last() differs in 4 runs: on stock skip; here pass", output)
        self.assertNotIn("the suite differs", output)

    def test_always_hanging_on_both_sides_is_a_failed_row(self):
        for core in ("stock", "pooled"):
            self.behave(core, "stuck='sleep 60'")
        code, output = self.conform("--timeout", "1")
        self.assertEqual(code, 1)
        self.assertIn("rows() differs in 4 runs: on stock hung; here hung", output)

    def test_hanging_that_comes_and_goes_on_both_sides_varies(self):
        for core in ("stock", "pooled"):
            self.behave(core, "[ $runs = 1 ] && stuck='sleep 60'")
        code, output = self.conform("--timeout", "1")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"rows\(\) varies on stock, in 2 runs: on stock hung, not run; here hung")
        # The suite, the functions after the one that hung, and that function again.
        self.assertEqual([self.runs_of(core) for core in ("stock", "pooled")], [3, 3])

    def test_early_exit_is_a_failed_row(self):
        self.behave("pooled", "end='exit 0'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("ended early (exit code 0) in last()", output)

    def test_suite_that_was_not_built_is_a_failed_row(self):
        self.write("suites.txt", "fake some/folder - -\nabsent other/folder - -\n")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nabsent +0 +0 +0 +0 +0 +0 +NO\n")
        self.assertIn("was not built", output)
        self.assertIn("drop-in: 1 of 2 suites", output)

    def test_no_build_at_all(self):
        os.remove(self.path("programs", "suites.tsv"))
        with self.assertRaisesRegex(suites.ConformanceError, "no suites are built"):
            self.conform()


if __name__ == "__main__":
    unittest.main()
