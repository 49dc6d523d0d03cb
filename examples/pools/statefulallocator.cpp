// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A list whose memory is reserved before it is filled: the loop that fills it causes no page
// fault and no system call.

#include <qpool/qpoolstatefulallocator.h>

#include <cstdio>
#include <list>
#include <map>

int main()
{
    constexpr int samples = 100000;
    QPool::PoolResource resource;
    QPool::StatefulAllocator<int> allocator(resource);
    allocator.reserve(samples);
    const std::size_t reserved = resource.heldBytes();

    std::list<int, QPool::StatefulAllocator<int>> list(allocator);
    for (int i = 0; i < samples; ++i)
        list.push_back(i);
    std::printf("%zu KiB reserved, %zu KiB held with %zu nodes\n", reserved / 1024,
                resource.heldBytes() / 1024, list.size());

    // Another container in the same resource, with larger nodes: those of a map have more links.
    using Value = std::pair<const int, int>;
    QPool::StatefulAllocator<Value>(resource).reserve(1000, QPool::NodeLinks::Tree);
    std::map<int, int, std::less<>, QPool::StatefulAllocator<Value>> squares(resource);
    for (int i = 0; i < 1000; ++i)
        squares.emplace(i, i * i);

    // The allocator is moved with the memory, whatever resource the target had.
    QPool::PoolResource other;
    decltype(list) target(other);
    target = std::move(list);
    std::printf("moved without copying: %s\n",
                &target.get_allocator().resource() == &resource ? "yes" : "no");
    return target.size() == samples && squares.at(999) == 998001 ? 0 : 1;
}
