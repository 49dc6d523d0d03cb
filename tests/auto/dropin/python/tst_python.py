# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the pooled QtCore in Python: with an extension module built for the distribution's Qt, and ctypes."""

import ctypes
import json
import os
import subprocess
import sys
import threading
import time
import unittest

import qpoolobjects

core = ctypes.CDLL("libQt6Core.so.6")
core.qt_pool_allocator_snapshot.restype = ctypes.c_size_t
core.qt_pool_allocator_snapshot.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def snapshot():
    size = core.qt_pool_allocator_snapshot(None, 0) + 4096
    buffer = ctypes.create_string_buffer(size)
    core.qt_pool_allocator_snapshot(buffer, size)
    return json.loads(buffer.value)


def live(domain):
    return sum(entry["live"] for entry in snapshot()["domains"][domain]["classes"])


def statistics():
    core.qt_pool_allocator_idle()
    return {domain: live(domain) for domain in ("event", "object", "private")}


def use():
    """Return objects, half of them created by QtCore, that have posted events."""
    objects = [make() for make in (qpoolobjects.make, qpoolobjects.make_in_qtcore)
               for _ in range(100)]
    for each in objects:
        qpoolobjects.post(each, 3)
    return objects


class Python(unittest.TestCase):
    def setUp(self):
        self.before = statistics()

    def tearDown(self):
        # Python may have joined a thread a moment before it ends for Qt.
        deadline = time.monotonic() + 60
        while statistics() != self.before and time.monotonic() < deadline:
            os.sched_yield()
        self.assertEqual(statistics(), self.before)

    def test_pooled(self):
        self.assertTrue(snapshot()["enabled"])
        kept = [qpoolobjects.make_in_qtcore() for _ in range(10)]
        self.assertEqual(live("object") - self.before["object"], 10)
        self.assertEqual(live("private") - self.before["private"], 10)
        del kept

    def test_delivered(self):
        objects = use()
        self.assertGreater(live("event"), self.before["event"])
        qpoolobjects.deliver()
        del objects

    def test_undelivered(self):
        use()

    def test_threads(self):
        """Threads that Qt did not start create objects, and another such thread deletes them."""
        made = []
        makers = [threading.Thread(target=lambda: made.append(use())) for _ in range(4)]
        for thread in makers:
            thread.start()
        for thread in makers:
            thread.join()
        self.assertEqual(len(made), 4)
        deleter = threading.Thread(target=made.clear)
        deleter.start()
        deleter.join()

    def test_fork(self):
        """The child has live objects, and the arena of a thread that it does not have."""
        objects = []
        thread = threading.Thread(target=lambda: objects.extend(use()))
        thread.start()
        thread.join()
        child = os.fork()
        if child == 0:
            result = 1
            try:
                objects.extend(use())
                objects.clear()
                result = 0
            finally:
                os._exit(result)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        objects.clear()

    def test_exit(self):
        """Objects and events are alive at the end: in a global, in a thread, and in a cycle."""
        program = """
import threading, qpoolobjects
kept = [qpoolobjects.make(), qpoolobjects.make_in_qtcore()]
cycle = [qpoolobjects.make_in_qtcore()]
cycle.append(cycle)
for each in kept:
    qpoolobjects.post(each, 10)
local = threading.local()
def work():
    local.object = qpoolobjects.make_in_qtcore()
    qpoolobjects.post(local.object, 10)
threading.Thread(target=work).start()
"""
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))

    def test_ctypes(self):
        """Objects are created and deleted by the names of C++ symbols, without the extension."""
        new = core["_ZN7QObjectnwEm"]
        new.restype = ctypes.c_void_p
        new.argtypes = [ctypes.c_size_t]
        construct = core["_ZN7QObjectC1EPS_"]
        construct.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        delete = core["_ZN7QObjectD0Ev"]
        delete.argtypes = [ctypes.c_void_p]
        core.qt_pool_allocator_owns.restype = ctypes.c_bool
        core.qt_pool_allocator_owns.argtypes = [ctypes.c_void_p]
        for _ in range(100):
            place = new(16)
            self.assertTrue(core.qt_pool_allocator_owns(place))
            construct(place, None)
            delete(place)


if __name__ == "__main__":
    unittest.main()
