# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The probes at which tracers stop when a block is sampled, and when it is freed: in the libraries, and in a program
that is traced."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tests", "auto", "shared"))

import orders
from orders import Program
from tracer import Tracer, probes_of

FRONT = os.environ["QPOOL_FRONT"]
QTCORE = os.path.join(orders.RUNTIME, "libQt6Core.so.6")


class Probes(unittest.TestCase):
    def test_libraries_have_both(self):
        for library in FRONT, QTCORE:
            probes = probes_of(library)
            self.assertEqual(sorted(probes), ["sample_alloc", "sample_free"], library)
            for probe in probes.values():
                self.assertEqual([argument[:3] for argument in probe.arguments], ["8@%"] * 3)
                self.assertNotEqual(probe.base, 0)

    def test_tracers_stop_at_each_sample(self):
        with Program(os.environ["QPOOL_HEAP_SITES"], LD_PRELOAD=FRONT, QT_POOL_ALLOCATOR="monitor,heap=16384") as program:
            def read():
                result = orders.run(os.environ["QPOOL_HEAP"], program.pid, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                report = json.loads(result.stdout)
                return report["allocated"], report["inUse"]

            allocated, in_use = read()
            tracer = Tracer(program, FRONT)
            for order in "small 20000", "large 20", "free 0":
                tracer.order(order)
            allocations, frees = tracer.stops["sample_alloc"], tracer.stops["sample_free"]
            now_allocated, now_in_use = read()
            self.assertGreater(len(allocations), 50)
            self.assertEqual(now_allocated["samples"] - allocated["samples"], len(allocations))
            self.assertEqual(now_in_use["samples"] - in_use["samples"], len(allocations) - len(frees))
            self.assertEqual(now_allocated["bytes"] - allocated["bytes"], sum(weight for _, _, weight in allocations))
            self.assertLessEqual({112, 100000}, {size for _, size, _ in frees})
            self.assertLessEqual({tuple(one) for one in frees}, {tuple(one) for one in allocations})


if __name__ == "__main__":
    unittest.main()
