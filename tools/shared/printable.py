# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Makes texts that come from other programs printable, as src/allocator/stats/qpoolprintable.h does."""

# Control characters, and those that have no shape of their own but change what is around them.
_HIDDEN = ((0, 0x1f), (0x7f, 0x9f), (0xad, 0xad), (0x34f, 0x34f), (0x61c, 0x61c), (0x115f, 0x1160),
           (0x17b4, 0x17b5), (0x180b, 0x180f), (0x200b, 0x200f), (0x2028, 0x202e), (0x2060, 0x206f),
           (0x3164, 0x3164), (0xfe00, 0xfe0f), (0xfeff, 0xfeff), (0xffa0, 0xffa0), (0xfff0, 0xfffb),
           (0xfffe, 0xffff), (0x1d173, 0x1d17a), (0xe0000, 0xe0fff))


def _escaped(character):
    code = ord(character)
    if 0xdc80 <= code <= 0xdcff:  # a byte that is not UTF-8, as Python decodes it
        return f"\\x{code - 0xdc00:02x}"
    if not any(first <= code <= last for first, last in _HIDDEN):
        # Other surrogates cannot be printed.
        return f"\\u{code:04x}" if 0xd800 <= code <= 0xdfff else character
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable(text, most=1000):
    """Return a text, or bytes that should be UTF-8, on one line of at most `most` printable characters."""
    if isinstance(text, bytes):
        text = text.decode(errors="surrogateescape")
    result, length, room = [], 0, 0
    for character in text:
        shown = _escaped(character)
        length += len(shown)
        if length > most:
            return "".join(result[:room]) + "\N{HORIZONTAL ELLIPSIS}"
        result.append(shown)
        if length < most:
            room = len(result)
    return "".join(result)
