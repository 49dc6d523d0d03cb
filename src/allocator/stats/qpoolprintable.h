// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPRINTABLE_H
#define QPOOLPRINTABLE_H

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace QPool {

/*
    What a reader does with every text that comes from another process, before anybody sees it. Terminals
    obey control characters; others reverse the text around them, or hide what they are in. So each of these
    becomes an escape that shows which one it was: \x1b for a byte, also one that is not UTF-8, \u202e or
    \U000e0041 for other characters. The result is UTF-8 on one line, of at most \a most characters: if it is
    longer, it ends with an ellipsis. What is printable stays as it is, so it does no harm to do it twice.

    tools/shared/printable.py does the same.
*/
inline std::string printable(std::string_view text, std::size_t most = 1000);

namespace Printable {

struct Character
{
    char32_t code;
    std::size_t bytes; // 0: not UTF-8
};

// The character at the start of a text that is not empty.
inline Character first(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return { byte(0), 1 };
    const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes)
        return { 0, 0 };
    char32_t code = byte(0) & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return { 0, 0 };
        code = code << 6 | (byte(i) & 0x3f);
    }
    const char32_t least = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
    const bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return { code, code < least || code > 0x10ffff || isSurrogate ? 0 : bytes };
}

// Control characters, and those of Unicode that have no shape of their own but change what is around them.
inline bool isHidden(char32_t code)
{
    struct Range
    {
        char32_t first, last;
    };
    constexpr Range ranges[] = {
        { 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
        { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
        { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },
        { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
        { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff }
    };
    for (const Range &range : ranges) {
        if (code >= range.first && code <= range.last)
            return true;
    }
    return false;
}

} // namespace Printable

inline std::string printable(std::string_view text, std::size_t most)
{
    std::string result;
    std::size_t length = 0; // of the result, in characters
    std::size_t room = 0; // where the result ends that has room for an ellipsis
    while (!text.empty()) {
        const Printable::Character character = Printable::first(text);
        const bool isText = character.bytes > 0;
        const std::size_t bytes = isText ? character.bytes : 1;
        std::string_view shown = text.substr(0, bytes);
        char escape[16];
        if (!isText || Printable::isHidden(character.code)) {
            const bool isByte = !isText || character.code < 0x80;
            const char *form = isByte ? "\\x%02lx" : character.code < 0x10000 ? "\\u%04lx" : "\\U%08lx";
            const unsigned long value = isByte ? static_cast<unsigned char>(text[0])
                                               : static_cast<unsigned long>(character.code);
            shown = std::string_view(escape, std::size_t(std::snprintf(escape, sizeof(escape), form, value)));
            length += shown.size();
        } else {
            ++length;
        }
        if (length > most) {
            result.resize(room);
            return result + "\xe2\x80\xa6";
        }
        result += shown;
        if (length < most)
            room = result.size();
        text.remove_prefix(bytes);
    }
    return result;
}

} // namespace QPool

#endif // QPOOLPRINTABLE_H
