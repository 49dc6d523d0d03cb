# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""What a trace shows as curves: the length of each thread's queue, and memory."""

import heapq
from array import array


class Queues:
    """The times at which events began to wait, and ceased to, by the thread that they waited for.

    An event that never ended is in no message, so it is not counted: the thread that it waited for is not
    known. An event that was compressed never waited.
    """

    def __init__(self):
        self.times = {}

    def add(self, event):
        if 0 < event.posted < event.begin:
            begins, ends = self.times.setdefault(event.thread, (array("Q"), array("Q")))
            begins.append(event.posted)
            ends.append(event.begin)

    @property
    def begin(self):
        return min((min(begins) for begins, _ in self.times.values()), default=None)

    def lengths(self, thread):
        """Yield the length of a queue at each time at which it changes, as (time, length)."""
        begins, ends = (sorted(times) for times in self.times[thread])
        length = told = 0
        before = None
        for time, change in heapq.merge(((time, 1) for time in begins), ((time, -1) for time in ends)):
            if time != before and length != told:
                yield before, length
                told = length
            length += change
            before = time
        if length != told:
            yield before, length


def counters(queues, names):
    """Yield (time, name, values) of all curves, sorted by time."""
    def of_queue(thread):
        number, name = names.threads.get(thread, (thread, ""))
        for time, length in queues.lengths(thread):
            yield time, f"queue of {name} ({number})", {"events": length}

    def of_memory():
        for sample in names.memory:
            if sample.resident:
                yield sample.time, "resident memory", {"bytes": sample.resident}
            if sample.live:
                yield sample.time, "live memory", sample.live
    return heapq.merge(of_memory(), *(of_queue(thread) for thread in sorted(queues.times)),
                       key=lambda counter: counter[0])
