# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes events in Chrome's trace event format, which Perfetto and Qt Creator open."""

import bisect
import heapq
import itertools
import json

from counters import counters
from stream import DELIVERED, FATES

# In nanoseconds. A post outside of any handler gets a slice, so that its arrow has a place to begin. What has
# no duration is such a slice, too, and not an instant event ("i"): Qt Creator 9 crashes when it reads these.
POINT_DURATION = 1


class Handlers:
    """The times of the handlers of one thread."""

    def __init__(self, events):
        slices = sorted((event.begin, event.end) for event in events)
        self.begins = [begin for begin, _ in slices]
        self.latest_ends = list(itertools.accumulate((end for _, end in slices), max))

    def ran_at(self, time):
        # Handlers of one thread are nested or separate. So if any handler that began earlier ends later, it
        # ran at the time.
        index = bisect.bisect_right(self.begins, time) - 1
        return index >= 0 and self.latest_ends[index] > time


class ChromeTrace:
    """The trace of a process's events.

    `left_out` is the number of events that were not kept; `queues` has these, too.
    """

    def __init__(self, pid, program, events, names, queues, left_out=0):
        self.pid = pid
        self.program = program
        self.events = events
        self.names = names
        self.queues = queues
        self.left_out = left_out
        # Sorted by time: (time, order among equal times, kind, event).
        self.entries = []
        self.origin = min([min(event.posted or event.begin, event.begin) for event in events]
                          + [sample.time for sample in names.memory[:1]]
                          + ([queues.begin] if queues.times else []), default=0)
        self._collect()

    def _collect(self):
        delivered = {}
        for event in self.events:
            if event.fate == DELIVERED:
                delivered.setdefault(event.thread, []).append(event)
        handlers = {thread: Handlers(events) for thread, events in delivered.items()}
        nothing = Handlers(())
        for number, event in enumerate(self.events):
            if event.fate != DELIVERED:
                self.entries.append((event.end, 3, self._mark, number))
                continue
            # An outer slice precedes its inner slices, and an arrow follows the slice that it is attached
            # to.
            self.entries.append((event.begin, 0, self._slice, number))
            if not event.posted:
                continue
            posted = min(event.posted, event.begin)
            if not handlers.get(event.post_thread, nothing).ran_at(posted):
                self.entries.append((posted, 1, self._post, number))
            self.entries.append((posted, 2, self._arrow_begin, number))
            self.entries.append((event.begin, 4, self._arrow_end, number))
        self.entries.sort(key=lambda entry: (entry[0], entry[1], -self.events[entry[3]].end, entry[3]))

    # The format's times are in microseconds.
    @staticmethod
    def _duration(nanoseconds):
        return round(nanoseconds / 1000, 3)

    def _common(self, phase, name, thread, time):
        return {"ph": phase, "name": name, "cat": "event", "pid": self.pid,
                "tid": self._thread_number(thread), "ts": self._duration(time - self.origin)}

    def _thread_number(self, thread):
        return self.names.threads.get(thread, (thread, ""))[0]

    def _title(self, event):
        return f"{self.names.class_name(event)}: {self.names.title(event)}"

    def _arguments(self, event):
        arguments = {"class": self.names.class_name(event), "type": self.names.type_name(event),
                     "number": event.type}
        for key, name in (("slot", self.names.slot_name(event)), ("signal", self.names.signal_name(event))):
            if name:
                arguments[key] = name
        if event.posted:
            arguments["waited µs"] = self._duration(event.wait)
        return arguments

    def _slice(self, number, event):
        return {**self._common("X", self._title(event), event.thread, event.begin),
                "dur": self._duration(event.run), "args": self._arguments(event)}

    def _mark(self, number, event):
        return {**self._common("X", f"{self._title(event)}, {FATES[event.fate]}", event.thread, event.end),
                "dur": self._duration(POINT_DURATION), "args": self._arguments(event)}

    def _post(self, number, event):
        return {**self._common("X", "post", event.post_thread, min(event.posted, event.begin)),
                "dur": self._duration(POINT_DURATION), "args": {"to": self._title(event)}}

    def _arrow_begin(self, number, event):
        return {**self._common("s", "wait", event.post_thread, min(event.posted, event.begin)),
                "id": number + 1}

    def _arrow_end(self, number, event):
        return {**self._common("f", "wait", event.thread, event.begin), "id": number + 1, "bp": "e"}

    def _counters(self):
        # Curves that go on alone for long after the last event would make the events hard to find.
        end = max((event.end for event in self.events), default=0) if self.left_out else None
        for time, name, values in counters(self.queues, self.names):
            if end is not None and time > end:
                return
            yield {"ph": "C", "name": name, "cat": "counter", "pid": self.pid,
                   "ts": self._duration(time - self.origin), "args": values}

    def _metadata(self):
        def entry(name, thread, value):
            return {"ph": "M", "name": name, "cat": "__metadata", "pid": self.pid, "tid": thread,
                    "ts": 0, "args": {"name": value}}
        yield entry("process_name", self.pid, self.program)
        for number, name in self.names.threads.values():
            yield entry("thread_name", number, name)

    @property
    def other_data(self):
        return {"program": self.program,
                "records dropped because a ring was full": self.names.dropped,
                "events missing because ./qpool trace was too slow": self.names.missing,
                "events left out because of the limit": self.left_out,
                "events not finished at the end": self.names.unfinished,
                "the process ended by itself": self.names.complete}

    def _missing(self):
        """Yield marks that say how many events are missing, because few users read the metadata."""
        for what, count in (("records dropped", self.names.dropped),
                            ("events missing", self.names.missing),
                            ("events left out", self.left_out)):
            if count and self.events:
                last = max(self.events, key=lambda event: event.end)
                yield {**self._common("X", f"{count} {what}", last.thread, last.end),
                       "dur": self._duration(POINT_DURATION)}

    def write(self, file):
        """Write the trace in pieces, because it may be larger than memory."""
        encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
        file.write('{"displayTimeUnit":"ns","otherData":' + encode(self.other_data)
                   + ',"traceEvents":[')
        separator = "\n"
        timed = itertools.chain(
            (make(number, self.events[number]) for _, _, make, number in self.entries), self._missing())
        for entry in itertools.chain(
                self._metadata(), heapq.merge(timed, self._counters(), key=lambda entry: entry["ts"])):
            file.write(separator + encode(entry))
            separator = ",\n"
        file.write("\n]}\n")
