# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Reads the records that a process writes about its posted events.

The format is that of QPoolLatencyTrace, in src/corelib/kernel/qlatencytrace_p.h."""

import os
import struct
from dataclasses import dataclass, field

from printable import printable

MAGIC = b"QPLAT002"
CLASS, TYPE, THREAD, EVENT, DROPPED, END, MISSING, MEMORY = range(1, 9)
FATES = ("delivered", "removed", "receiver died", "compressed", "lost")
DELIVERED = 0

_HEAD = struct.Struct("=II")
_EVENT = struct.Struct("=QQQIIIIIHBx")
_NUMBER = struct.Struct("=I")
_PAIR = struct.Struct("=QQ")
_COUNT = struct.Struct("=Q")
_MEMORY = struct.Struct("=QQQ")
_LONGEST = 1 << 20
# More than the process keeps in its buffer, at most 4 MiB and some names.
_TAIL_SIZE = 8 << 20


class StreamError(Exception):
    pass


@dataclass(frozen=True)
class Event:
    """A posted event.

    Times are in nanoseconds of the system's steady clock. `posted` is 0 if that record was dropped.
    """

    posted: int
    begin: int
    end: int
    class_id: int
    post_thread: int
    thread: int
    signal: int  # a number as of a class; 0 if there is none
    slot: int
    type: int
    fate: int

    @property
    def wait(self):
        return max(0, self.begin - self.posted) if self.posted else None

    @property
    def run(self):
        return max(0, self.end - self.begin)


@dataclass(frozen=True)
class Memory:
    """The memory of the process at a time, in bytes; `live` is that of its pool, by domain."""

    time: int
    resident: int  # 0 if not known
    live: dict


@dataclass
class Names:
    """All but the events: the names of their numbers, the memory, and the number of events that are missing."""

    classes: dict = field(default_factory=dict)
    types: dict = field(default_factory=dict)
    threads: dict = field(default_factory=dict)  # number: (the system's number, name)
    memory: list = field(default_factory=list)
    dropped: int = 0  # records, because a ring was full
    missing: int = 0  # events, because the reader of the stream was too slow
    unfinished: int = 0  # events that were posted but not completely handled
    complete: bool = False  # the process ended by itself

    def class_name(self, event):
        return self.classes.get(event.class_id, "?")

    def type_name(self, event):
        return self.types.get(event.type, str(event.type))

    def signal_name(self, event):
        return self.classes.get(event.signal, "") if event.signal else ""

    def slot_name(self, event):
        return self.classes.get(event.slot, "") if event.slot else ""

    def title(self, event):
        """Return what the receiver got: a type, or of a queued call the slot and the signal."""
        signal, slot = self.signal_name(event), self.slot_name(event)
        # Beside it is the receiver's class.
        called = slot.removeprefix(f"{self.class_name(event)}::") or self.type_name(event)
        return f"{called} from {signal}" if signal else called


def make_tail():
    """Return a file in which a process leaves what the stream's reader has not taken when it ends.

    The process does not wait for the reader. The file is memory that both share, so that a full disk is no
    obstacle. Return None if the system has no such memory.
    """
    try:
        descriptor = os.memfd_create("qpool-trace-tail")
        file = os.fdopen(descriptor, "r+b")
        os.truncate(descriptor, _TAIL_SIZE)
        return file
    except (AttributeError, OSError):
        return None


def read_tail(file):
    """Return the end of the stream, after the process has ended."""
    file.seek(0)
    size, = _COUNT.unpack(file.read(_COUNT.size))
    return file.read(min(size, _TAIL_SIZE))


def read_events(file, names):
    """Yield the events of a stream in its order, and add to `names`.

    An incomplete message at the end is ignored: the process may have been killed.
    """
    magic = file.read(len(MAGIC))
    if not magic:
        return
    if magic != MAGIC:
        raise StreamError("the program writes its records in another format: "
                          "its QtCore is from another version of QPool")
    while True:
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        kind, length = _HEAD.unpack(head)
        if length > _LONGEST:
            raise StreamError("the records that the program wrote are damaged")
        rest = file.read(length)
        if len(rest) < length:
            return
        try:
            if kind == EVENT:
                event = Event(*_EVENT.unpack(rest))
                if event.fate >= len(FATES):
                    raise struct.error
                yield event
            else:
                _take(kind, rest, names)
        except struct.error:
            raise StreamError("the records that the program wrote are damaged") from None


def _take(kind, rest, names):
    def text(size):
        return printable(rest[size:])

    if kind in (CLASS, TYPE):
        known = names.classes if kind == CLASS else names.types
        known[_NUMBER.unpack_from(rest)[0]] = text(_NUMBER.size)
    elif kind == THREAD:
        index, number = _PAIR.unpack_from(rest)
        names.threads[index] = (number, text(_PAIR.size))
    elif kind == DROPPED:
        names.dropped, names.unfinished = _PAIR.unpack(rest)
    elif kind == MISSING:
        names.missing, = _COUNT.unpack(rest)
    elif kind == END:
        names.complete = True
    elif kind == MEMORY:
        time, resident, count = _MEMORY.unpack_from(rest)
        live = struct.unpack_from(f"={count}Q", rest, _MEMORY.size)
        domains = text(_MEMORY.size + count * _COUNT.size).split(",") if count else []
        if len(domains) != count:
            raise struct.error
        names.memory.append(Memory(time, resident, dict(zip(domains, live))))
