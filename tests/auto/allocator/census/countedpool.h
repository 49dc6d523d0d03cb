// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COUNTEDPOOL_H
#define COUNTEDPOOL_H

#include "census/qpoolcensusreader.h"
#include "census/qpoolwalk.h"
#include "pool/qsizedpoolallocator.h"
#include "stats/qpoolinspection.h"

// A pool with the domains that QtCore's has, and its table of facts.
struct CountedLayout
{
    static constexpr unsigned ClassCount = QPool::SizeClasses::Count;
    static constexpr unsigned BinCount = 4 * ClassCount;
    static constexpr unsigned FirstShared = BinCount - 1; // the heap's largest class
    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        return bin < FirstShared ? QPool::SizeClasses::sizeOf(bin % ClassCount) : 2048;
    }
    static bool isDisabled() noexcept { return false; }
};

using CountedPool = QPool::PoolFront<CountedLayout, QPool::MultiThreaded, QPool::SystemPages>;

inline const auto countedFacts =
        QPool::factsOf<CountedPool, CountedLayout>(CountedLayout::ClassCount);

enum CountedDomain : unsigned { Event, Object, Private, Heap };

constexpr unsigned countedBin(CountedDomain domain, std::size_t size)
{
    return domain * CountedLayout::ClassCount + QPool::SizeClasses::indexOf(size);
}

inline void *allocateIn(CountedDomain domain, std::size_t size)
{
    return CountedPool::allocate(countedBin(domain, size));
}

// Chunks of a domain that live until the end of a scope.
template <class Type>
Type *makeIn(CountedDomain domain)
{
    return new (allocateIn(domain, sizeof(Type))) Type;
}

template <class Type>
void destroy(Type *object)
{
    object->~Type();
    CountedPool::deallocate(object);
}

#endif // COUNTEDPOOL_H
