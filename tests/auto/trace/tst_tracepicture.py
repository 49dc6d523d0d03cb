# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests how a process's stream of records becomes a trace and a table."""

import io
import json
import os
import random
import struct
import sys
import unittest

for folder in ("trace", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", folder))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import validator
from chrome import ChromeTrace
from counters import Queues
from stream import (CLASS, DELIVERED, DROPPED, END, EVENT, MAGIC, MEMORY, THREAD, TYPE, Event, Memory, Names,
                    StreamError, read_events, read_tail)
from summary import Summary, as_time

REMOVED, DIED, COMPRESSED, LOST = 1, 2, 3, 4


def message(kind, data=b"", text=""):
    rest = data + text.encode()
    return struct.pack("=II", kind, len(rest)) + rest


def event(posted, begin, end, thread=0, post_thread=0, class_id=1, kind=1000, fate=DELIVERED, signal=0, slot=0):
    return Event(posted, begin, end, class_id, post_thread, thread, signal, slot, kind, fate)


def as_message(one):
    return message(EVENT, struct.pack("=QQQIIIIIHBx", one.posted, one.begin, one.end, one.class_id,
                                      one.post_thread, one.thread, one.signal, one.slot, one.type, one.fate))


def names():
    return Names(classes={1: "Receiver"}, types={1000: "User+0"},
                 threads={0: (100, "main"), 1: (101, "worker")})


def picture(events, more=(), **arguments):
    """Return the trace; `more` are the events that are left out."""
    file = io.StringIO()
    queues = Queues()
    for one in (*events, *more):
        queues.add(one)
    ChromeTrace(100, "program", events, arguments.pop("names", names()), queues, **arguments).write(file)
    return file.getvalue()


def entries(text, phase):
    return [entry for entry in json.loads(text)["traceEvents"] if entry["ph"] == phase]


class Stream(unittest.TestCase):
    whole = (MAGIC + message(THREAD, struct.pack("=QQ", 0, 4711), "main") + message(
        CLASS, struct.pack("=I", 1), "Receiver") + message(TYPE, struct.pack("=I", 1000), "User+0")
        + as_message(event(10, 20, 30)) + message(DROPPED, struct.pack("=QQ", 5, 6)) + message(END))

    def read(self, data):
        known = Names()
        return list(read_events(io.BytesIO(data), known)), known

    def test_whole(self):
        events, known = self.read(self.whole)
        self.assertEqual(events, [event(10, 20, 30)])
        self.assertEqual(known.threads, {0: (4711, "main")})
        self.assertEqual((known.class_name(events[0]), known.type_name(events[0])), ("Receiver", "User+0"))
        self.assertEqual((known.dropped, known.unfinished, known.complete), (5, 6, True))

    def test_cut_anywhere(self):
        """A killed process leaves an incomplete record, and all before it count."""
        at = self.whole.index(as_message(event(10, 20, 30)))
        for length in range(len(MAGIC), len(self.whole)):
            events, known = self.read(self.whole[:length])
            self.assertFalse(known.complete)
            self.assertEqual(len(events), int(length >= at + 56), length)

    def test_nothing(self):
        self.assertEqual(self.read(b""), ([], Names()))

    def test_another_form(self):
        with self.assertRaisesRegex(StreamError, "another version"):
            self.read(b"QPLAT001" + self.whole[8:])

    def test_damage(self):
        for data in (message(THREAD, b"short"), as_message(event(1, 2, 3, fate=9)), struct.pack("=II", EVENT, 1 << 30), message(EVENT, b"x"),
                     message(DROPPED, b""), message(MEMORY, b"x"),
                     message(MEMORY, struct.pack("=QQQ", 1, 2, 1 << 60)),
                     message(MEMORY, struct.pack("=QQQQ", 1, 2, 1, 3), "event,object")):
            with self.assertRaisesRegex(StreamError, "damaged"):
                self.read(MAGIC + data)

    def test_a_tail_of_a_damaged_size(self):
        self.assertEqual(read_tail(io.BytesIO(b"\xff" * 8 + b"rest")), b"rest")

    def test_unknown_messages_are_passed_over(self):
        events, _ = self.read(MAGIC + message(77, b"later") + as_message(event(1, 2, 3)))
        self.assertEqual(len(events), 1)

    def test_memory(self):
        _, known = self.read(MAGIC + message(MEMORY, struct.pack("=QQQQQ", 5, 4096, 2, 24, 0), "event,object")
                             + message(MEMORY, struct.pack("=QQQ", 6, 8192, 0)))
        self.assertEqual(known.memory, [Memory(5, 4096, {"event": 24, "object": 0}), Memory(6, 8192, {})])

    def test_a_name_that_became_known_later(self):
        _, known = self.read(MAGIC + message(CLASS, struct.pack("=I", 3), "class at 0x12")
                             + message(CLASS, struct.pack("=I", 3), "Late"))
        self.assertEqual(known.classes[3], "Late")


class Picture(unittest.TestCase):
    def assert_valid(self, text):
        self.assertEqual(list(validator.faults(text)), [])

    def test_a_post_outside_of_handlers(self):
        text = picture([event(1000, 6000, 9500, thread=1)])
        self.assert_valid(text)
        handler, = (one for one in entries(text, "X") if one["name"] != "post")
        self.assertEqual(handler["name"], "Receiver: User+0")
        self.assertEqual((handler["pid"], handler["tid"]), (100, 101))
        self.assertEqual((handler["ts"], handler["dur"]), (5, 3.5))
        self.assertEqual(handler["args"]["waited µs"], 5)
        self.assertEqual([one["tid"] for one in entries(text, "X") if one["name"] == "post"], [100])
        begin, = entries(text, "s")
        end, = entries(text, "f")
        self.assertEqual((begin["tid"], begin["ts"], end["tid"], end["ts"]), (100, 0, 101, 5))

    def test_a_post_within_a_handler_has_no_slice_of_its_own(self):
        text = picture([event(1, 1000, 9000), event(2000, 20000, 21000, thread=1)])
        self.assert_valid(text)
        self.assertEqual(len([one for one in entries(text, "X") if one["name"] == "post"]), 1)

    def test_handlers_within_handlers(self):
        self.assert_valid(picture([event(3000, 4000, 5000), event(2500, 3500, 8000),
                                   event(1000, 2000, 9000)]))

    def test_both_begin_at_the_same_time(self):
        self.assert_valid(picture([event(900, 1000, 2000), event(900, 1000, 5000)]))

    def test_what_was_not_delivered(self):
        text = picture([event(1000, 5000, 5000, fate=REMOVED), event(1000, 6000, 6000, fate=DIED)])
        self.assert_valid(text)
        self.assertEqual([one["name"] for one in entries(text, "X")],
                         ["Receiver: User+0, removed", "Receiver: User+0, receiver died"])
        self.assertEqual(entries(text, "s"), [])

    def test_an_unknown_post_has_no_arrow(self):
        text = picture([event(0, 5000, 6000)])
        self.assert_valid(text)
        self.assertEqual(entries(text, "s") + entries(text, "f"), [])
        self.assertEqual(entries(text, "X")[0]["ts"], 0)

    def test_queued_calls(self):
        known = names()
        known.types[43] = "MetaCall"
        known.classes |= {2: "Receiver::take(int)", 3: "Sender::changed(int)", 4: "main::{lambda(int)#1}"}
        text = picture([event(1000, 5000, 6000, kind=43, slot=2, signal=3), event(0, 7000, 8000, kind=43, slot=4),
                        event(0, 9000, 9000, kind=43, fate=REMOVED, signal=3), event(0, 9500, 9600, kind=43)],
                       names=known)
        self.assert_valid(text)
        slices = [one for one in entries(text, "X") if one["name"] != "post"]
        self.assertEqual([one["name"] for one in slices],
                         ["Receiver: take(int) from Sender::changed(int)", "Receiver: main::{lambda(int)#1}",
                          "Receiver: MetaCall from Sender::changed(int), removed", "Receiver: MetaCall"])
        self.assertEqual((slices[0]["args"]["slot"], slices[0]["args"]["signal"]),
                         ("Receiver::take(int)", "Sender::changed(int)"))
        self.assertEqual(slices[0]["args"]["type"], "MetaCall")
        self.assertFalse({"slot", "signal"} & set(slices[3]["args"]))

    def test_the_clock_was_read_in_the_wrong_order(self):
        self.assert_valid(picture([event(5003, 5000, 6000)]))

    def test_what_is_missing_is_named(self):
        known = names()
        known.dropped, known.missing, known.unfinished = 17, 12, 3
        text = picture([event(1000, 5000, 6000)], names=known, left_out=9)
        self.assert_valid(text)
        other = json.loads(text)["otherData"]
        self.assertEqual(other["records dropped because a ring was full"], 17)
        self.assertEqual(other["events missing because ./qpool trace was too slow"], 12)
        self.assertEqual(other["events left out because of the limit"], 9)
        self.assertEqual(other["events not finished at the end"], 3)
        self.assertEqual([one["name"] for one in entries(text, "X")][-3:],
                         ["17 records dropped", "12 events missing", "9 events left out"])

    def test_nothing(self):
        self.assert_valid(picture([]))

    def test_names_that_need_quoting(self):
        known = names()
        known.classes[1] = 'Templ<"a\\b", ü>\n'
        text = picture([event(1000, 5000, 6000)], names=known)
        self.assert_valid(text)
        self.assertIn('Templ<"a\\b", ü>\n: User+0', [one["name"] for one in entries(text, "X")])

    def test_random(self):
        for seed in range(30):
            chance = random.Random(seed)
            events, now = [], [1, 1]
            for _ in range(200):
                thread = chance.randrange(2)
                begin = now[thread] + chance.randrange(20, 500)
                end = begin + chance.randrange(0, 3000)
                if chance.random() < 0.3 and end - begin > 100:
                    events.append(event(max(1, begin - 7), begin + 20, end - 20, thread,
                                        chance.randrange(2)))
                events.append(event(chance.choice([0, chance.randrange(1, begin)]), begin, end, thread,
                                    chance.randrange(2),
                                    fate=chance.choice([DELIVERED, DELIVERED, REMOVED])))
                now[thread] = end + 10
            self.assert_valid(picture(events))


class Counters(unittest.TestCase):
    def curves(self, text):
        self.assertEqual(list(validator.faults(text)), [])
        result = {}
        for entry in entries(text, "C"):
            self.assertEqual(entry["pid"], 100)
            result.setdefault(entry["name"], []).append((entry["ts"], *entry["args"].values()))
        return result

    def test_queues(self):
        """Each event waits from its post to its handler, or to its end."""
        text = picture([event(1000, 4000, 5000), event(2000, 5000, 6000), event(2000, 3000, 3000, fate=REMOVED),
                        event(7000, 8000, 9000, thread=1)])
        self.assertEqual(self.curves(text), {
            "queue of main (100)": [(0, 1), (1, 3), (2, 2), (3, 1), (4, 0)],
            "queue of worker (101)": [(6, 1), (7, 0)]})

    def test_what_changes_nothing_has_no_point(self):
        """As one begins to wait, another ceases to."""
        text = picture([event(1000, 2000, 2500), event(2000, 3000, 3500)])
        self.assertEqual(self.curves(text), {"queue of main (100)": [(0, 1), (2, 0)]})

    def test_what_never_waited(self):
        text = picture([event(0, 2000, 3000), event(1000, 1000, 1000, fate=COMPRESSED),
                        event(1000, 1000, 1000, fate=LOST), event(5003, 5000, 6000)])
        self.assertEqual(self.curves(text), {})

    def test_events_that_are_left_out_wait_too(self):
        """As far as the trace goes."""
        text = picture([event(1000, 4000, 5000)], [event(2000, 9000, 9500), event(6000, 9500, 9700)], left_out=2)
        self.assertEqual(self.curves(text), {"queue of main (100)": [(0, 1), (1, 2), (3, 1)]})

    def test_memory(self):
        known = names()
        known.memory = [Memory(500, 4096, {"event": 24, "heap": 100}), Memory(2500, 8192, {"event": 48, "heap": 0})]
        text = picture([event(1000, 2000, 3000)], names=known)
        self.assertEqual(self.curves(text), {
            "resident memory": [(0, 4096), (2, 8192)], "live memory": [(0, 24, 100), (2, 48, 0)],
            "queue of main (100)": [(0.5, 1), (1.5, 0)]})
        self.assertEqual(entries(text, "C")[1]["args"], {"event": 24, "heap": 100})

    def test_memory_that_is_not_known(self):
        known = names()
        known.memory = [Memory(500, 0, {})]
        self.assertEqual(self.curves(picture([event(0, 2000, 3000)], names=known)), {})

    def test_random(self):
        """At each time, the length is the number of events that wait."""
        chance = random.Random(1)
        events = []
        for _ in range(300):
            posted = chance.randrange(1, 1000)
            begin = posted + chance.randrange(0, 200)
            events.append(event(posted, begin, begin + 1, fate=REMOVED))
        queues = Queues()
        for one in events:
            queues.add(one)
        told = dict(queues.lengths(0))
        length = 0
        for time in range(1, 1300):
            length = told.get(time, length)
            self.assertEqual(length, sum(one.posted <= time < one.begin for one in events), time)


class Validator(unittest.TestCase):
    """The validator finds faults."""

    def faults(self, change):
        trace = json.loads(picture([event(1000, 5000, 9000), event(5500, 10000, 11000, thread=1)]))
        change(trace["traceEvents"])
        return " ".join(validator.faults(json.dumps(trace)))

    def change_of(self, phase, **values):
        def change(all_entries):
            next(one for one in reversed(all_entries) if one["ph"] == phase).update(values)
        return change

    def test_faults(self):
        self.assertEqual(self.faults(lambda _: None), "")
        self.assertIn("not JSON", validator.faults("{")[0])
        self.assertIn("not an object", validator.faults("[]")[0])
        self.assertIn("lacks dur", self.faults(lambda all_entries: [
            one.pop("dur", None) for one in all_entries]))
        self.assertIn("back in time", self.faults(self.change_of("X", ts=0)))
        self.assertIn("attached to no slice", self.faults(self.change_of("f", tid=100)))
        self.assertIn("has no end", self.faults(self.change_of("f", id=99)))
        self.assertIn("no name of thread", self.faults(self.change_of("M", tid=5)))
        self.assertIn("another name", self.faults(self.change_of("f", name="other")))
        self.assertIn("no list of numbers", self.faults(self.change_of("C", args={"events": -1})))
        self.assertIn("lacks a value", self.faults(self.change_of("C", args={"other": 1})))
        self.assertIn("ends after", self.faults(lambda all_entries: [
            one.update(dur=5) for one in all_entries if one["ph"] == "X" and one["name"] == "post"
            and one["ts"] == 0]))


class Table(unittest.TestCase):
    def table(self, events, known=None):
        summary = Summary()
        for one in events:
            summary.add(one)
        return list(summary.lines(known or names()))

    def test_the_worst_is_first(self):
        known = names()
        known.classes[2] = "Other"
        lines = self.table([event(1000, 2000, 3000)] * 99 + [event(1000, 2000, 3000, class_id=2),
                                                             event(1000, 9_001_000, 9_001_500,
                                                                   class_id=2)], known)
        self.assertEqual([line.split()[0] for line in lines], ["receiver", "Other", "Receiver"])
        self.assertEqual(lines[1].split(), ["Other", "User+0", "main", "2", "1", "µs", "9", "ms", "9",
                                            "ms", "500", "ns", "1", "µs", "1", "µs"])

    def test_what_was_not_delivered(self):
        lines = self.table([event(1, 2, 2, fate=REMOVED), event(1, 2, 2, fate=DIED),
                            event(1, 2, 2, fate=DIED)])
        self.assertTrue(lines[1].endswith("1 removed, 2 receiver died"), lines[1])
        self.assertEqual(lines[1].split()[3:5], ["0", "-"])

    def test_one_class_with_two_numbers(self):
        known = names()
        known.classes[2] = "Receiver"
        self.assertEqual(len(self.table([event(1, 2, 3), event(1, 2, 2, class_id=2, fate=DIED)], known)),
                         2)

    def test_times(self):
        self.assertEqual([as_time(value) for value in (0, 999, 1000, 1234, 99_400, 123_456, 5_000_000,
                                                       1_500_000_000)],
                         ["0 ns", "999 ns", "1 µs", "1.23 µs", "99.4 µs", "123 µs", "5 ms", "1.5 s"])


if __name__ == "__main__":
    unittest.main()
