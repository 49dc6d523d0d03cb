// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A large array in pages of 2 MiB, and a pool that takes its memory from such pages. Whether the system
// provides huge pages depends on its settings; the program runs in any case.

#include <qpool/qhugepageallocator.h>
#include <qpool/qpoolstdallocator.h>
#include <qpool/qpoolhugepages.h>

#include <cstdio>
#include <set>
#include <vector>

int main()
{
    std::printf("the system provides %s pages\n", QPool::HugeMemory::name(QPool::HugeMemory::transparent()));

    std::vector<int, QPool::HugePageAllocator<int>> table(4 * 1024 * 1024, 1);
    std::printf("%zu of %zu MiB of the table are in huge pages\n",
                table.get_allocator().hugeBytes(table.data(), table.size()) >> 20,
                table.size() * sizeof(int) >> 20);

    // Nodes are small, so their pool uses huge pages.
    using Allocator = QPool::StdAllocator<int, QPool::MultiThreaded, QPool::HugePages>;
    std::set<int, std::less<>, Allocator> set;
    for (int i = 0; i < 100000; ++i)
        set.insert(i);
    const auto statistics = QPool::HugePages::statistics();
    std::printf("the set's nodes are in %zu MiB of reserved, %zu of transparent and %zu of ordinary "
                "pages\n", statistics.reserved >> 20, statistics.transparent >> 20, statistics.ordinary >> 20);
    return set.size() == 100000 && table.back() == 1 ? 0 : 1;
}
