# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Reads a profile of pprof, by the format alone (github.com/google/pprof/proto/profile.proto): Debian's pprof of
gperftools reads only the formats before it."""

import gzip


def number(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message: pairs of a number and a value."""
    at = 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 0:
            value, at = number(data, at)
        elif key & 7 == 2:
            size, at = number(data, at)
            value = data[at:at + size]
            if len(value) != size:
                raise ValueError("a field ends behind its message")
            at += size
        else:
            raise ValueError(f"a field of kind {key & 7}")
        yield key >> 3, value


def numbers(data):
    at, result = 0, []
    while at < len(data):
        value, at = number(data, at)
        result.append(value)
    return result


class Profile:
    """types: of the values; samples: pairs of a stack, the innermost function first, and the values by type."""

    def __init__(self, path):
        with gzip.open(path) as file:
            parts = list(fields(file.read()))
        texts = [value.decode() for field, value in parts if field == 6]
        if texts[0]:
            raise ValueError("the first text must be empty")
        functions, locations = {}, {}
        for field, value in parts:
            if field == 5:
                function = dict(fields(value))
                functions[function[1]] = (texts[function[2]], texts[function[4]])
        for field, value in parts:
            if field == 4:
                location = dict(fields(value))
                lines = [dict(fields(line)) for kind, line in fields(value) if kind == 4]
                locations[location[1]] = [functions[line[1]][0] for line in lines]
        self.types = [texts[dict(fields(value))[1]] for field, value in parts if field == 1]
        self.units = [texts[dict(fields(value))[2]] for field, value in parts if field == 1]
        self.samples = []
        for field, value in parts:
            if field == 2:
                sample = dict(fields(value))
                stack = [name for location in numbers(sample[1]) for name in locations[location]]
                self.samples.append((stack, dict(zip(self.types, numbers(sample[2])))))
        self.period = next(value for field, value in parts if field == 12)
        self.default = texts[next(value for field, value in parts if field == 14)]

    def total(self, kind, function=None):
        return sum(values[kind] for stack, values in self.samples
                   if not function or any(name.startswith(function) for name in stack))
