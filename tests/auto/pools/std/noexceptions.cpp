// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Compiled without exceptions and without RTTI.

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"
#include "noexceptions.h"

#include <list>
#include <map>
#include <vector>

#ifdef __cpp_exceptions
#  error this file is about code without them
#endif

using namespace QPool;

int useWithoutExceptions()
{
    PoolResource resource;
    StatefulAllocator<int> allocator(resource);
    allocator.reserve(100);
    std::list<int, StatefulAllocator<int>> list(allocator);
    std::map<int, int, std::less<int>, StdAllocator<std::pair<const int, int>>> map;
    std::vector<int, HugePageAllocator<int>> vector;
    std::list<int, CacheLineAllocator<int>> lines;
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        list.push_back(i);
        map[i] = i;
        vector.push_back(i);
        lines.push_back(i);
        sum += list.back() + map[i] + vector.back() + lines.back();
    }
    return sum;
}

void exhaustWithoutExceptions()
{
    struct Tag;
    using Pages = StaticPages<16 * 1024, Tag>;
    StdAllocator<int, SingleThreaded, Pages> allocator;
    for (;;)
        static_cast<void>(allocator.allocate(1));
}

void askForTooMuchWithoutExceptions()
{
    static_cast<void>(StdAllocator<int>().allocate(SIZE_MAX / 2));
}
