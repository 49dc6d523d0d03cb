// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BOARD_H
#define BOARD_H

#include <qpool/qpoolsharedallocator.h>

#include <QtCore/qstring.h>

#include <cstdint>
#include <map>
#include <scoped_allocator>

// The data that the writers and the window share. Both must be built by the same compiler from this
// file. SegmentName is the default.

namespace Board {

inline constexpr char SegmentName[] = "qpool-example";
inline constexpr std::uint64_t SegmentBytes = 16 << 20;
inline constexpr char RootName[] = "board";

// The name of the window's local socket.
inline QString newsName(const QString &segment) { return segment + QLatin1StringView("-news"); }

template <class T>
using Allocator = std::scoped_allocator_adaptor<QPool::SharedAllocator<T>>;
using String = std::basic_string<char, std::char_traits<char>, QPool::SharedAllocator<char>>;

struct Entry
{
    double value = 0;
    std::uint64_t changes = 0;
    std::uint64_t writer = 0; // ID of the last process that wrote
};

using Map = std::map<String, Entry, std::less<>, Allocator<std::pair<const String, Entry>>>;

struct Root
{
    explicit Root(QPool::SharedSegment &segment) : entries(Map::allocator_type(segment)) { }

    Map entries;
    std::uint64_t structure = 0; // number of insertions and removals; pointers to entries are valid until it changes
    std::uint64_t changes = 0;
};

} // namespace Board

#endif // BOARD_H
