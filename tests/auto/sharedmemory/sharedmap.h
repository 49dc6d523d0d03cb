// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SHAREDMAP_H
#define SHAREDMAP_H

#include "sharedmemory/qpoolsharedallocator.h"
#include "testsegment.h"

#include <map>
#include <scoped_allocator>
#include <string>

// A map of strings that lies in a segment as a whole.

template <class T>
using Allocator = std::scoped_allocator_adaptor<QPool::SharedAllocator<T>>;
using String = std::basic_string<char, std::char_traits<char>, QPool::SharedAllocator<char>>;
using Map = std::map<String, String, std::less<>, Allocator<std::pair<const String, String>>>;

inline constexpr char longText[] = "a text that is too long to be kept within the string itself, number ";

inline String text(QPool::SharedSegment &segment, int number)
{
    return String(longText, segment) + std::to_string(number).c_str();
}

#endif // SHAREDMAP_H
