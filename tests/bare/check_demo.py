# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the files that a headless ./qpool demo wrote: check_demo.py SNAPSHOT.json PICTURE.png

This reads the files with code of its own, so that it does not repeat an error of the program."""

import json
import struct
import sys
import zlib

# The theme's colours, light and dark: the window, and the bars of events.
WINDOW = {(0xF3, 0xF5, 0xF8), (0x0F, 0x13, 0x18)}
BARS = {(0x24, 0x63, 0xD9), (0x6F, 0xA3, 0xFF)}


class Wrong(Exception):
    """A file has other contents than expected."""


def check(condition, what):
    if not condition:
        raise Wrong(what)


def check_snapshot(snapshot):
    """Check the statistics of a program whose workloads ran, and return the number of events."""
    check(snapshot.get("version") == 2, f"the snapshot is of version {snapshot.get('version')}")
    check(snapshot.get("enabled") is True, "the pool is not enabled")
    # The demo is a whole program, so there is a heap.
    check(set(snapshot["domains"]) == {"event", "object", "private", "heap"},
          f"the domains are {sorted(snapshot['domains'])}")
    for name, domain in snapshot["domains"].items():
        check(sum(entry["allocated"] for entry in domain["classes"]) > 1000,
              f"hardly anything was allocated in the domain {name}")
        for entry in domain["classes"]:
            check(entry["allocated"] - entry["freed"] == entry["live"] >= 0,
                  f"{name} of {entry['size']} bytes: allocated - freed is not live")
    events = snapshot["domains"]["event"]["classes"]
    check(sum(entry["remote"] for entry in events) > 0, "no event was freed by another thread")
    check(len(snapshot["arenas"]) > 1, "there is one arena for several threads")
    memory = snapshot["bytes"]
    check(0 < memory["live"] <= memory["committed"] <= memory["reserved"],
          f"live, committed and reserved bytes do not fit: {memory}")
    return sum(entry["allocated"] for entry in events)


def png_rows(data):
    """Yield the rows of a PNG of 8 bits a channel, as lists of (red, green, blue)."""
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "the picture is no PNG")
    place, packed, header = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    check(header is not None and packed, "the picture is incomplete")
    width, height, depth, kind, _, _, interlaced = header
    check(depth == 8 and kind in (2, 6) and not interlaced,
          f"the picture has {depth} bits a channel in colour type {kind}, which this check cannot read")
    channels = 3 if kind == 2 else 4
    stride = width * channels
    pixels = zlib.decompress(packed)
    check(len(pixels) == (stride + 1) * height, "the picture is incomplete")
    before = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(pixels[start + 1:start + 1 + stride])
        unfilter(pixels[start], row, before, channels)
        before = row
        yield [tuple(row[x:x + 3]) for x in range(0, stride, channels)]


def unfilter(kind, row, above, channels):
    """Undo a filter of PNG's specification (ISO/IEC 15948, 9.2)."""
    for i in range(len(row)):
        left = row[i - channels] if i >= channels else 0
        up = above[i]
        corner = above[i - channels] if i >= channels else 0
        if kind == 0:
            return
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            estimate = left + up - corner
            guess = min((left, up, corner), key=lambda near: abs(estimate - near))
        row[i] = (row[i] + guess) & 0xFF


def check_picture(data):
    """Check that the picture has bars, not only the window's axes and title; return its size."""
    rows = list(png_rows(data))
    size = (len(rows[0]), len(rows))
    check(size[0] >= 640 and size[1] >= 480, f"the picture is of {size[0]} x {size[1]}")
    window = sum(pixel in WINDOW for row in rows for pixel in row)
    check(window > size[0] * size[1] // 20, "the picture does not show the window")
    bars = sum(sum(pixel in BARS for pixel in row[100:]) >= 20 for row in rows[size[1] // 5:])
    check(bars >= 50, f"the picture shows no bars of events: {bars} rows of their colour")
    return size


def main(snapshot_file, picture_file):
    try:
        with open(snapshot_file, encoding="utf-8") as file:
            events = check_snapshot(json.load(file))
        with open(picture_file, "rb") as file:
            width, height = check_picture(file.read())
    except (Wrong, OSError, ValueError, KeyError, zlib.error, struct.error) as error:
        print(f"FAIL: {error}", file=sys.stderr)
        return 1
    print(f"{events} events allocated; a picture of {width} x {height} with their bars")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
