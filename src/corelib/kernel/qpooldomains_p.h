// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLDOMAINS_P_H
#define QPOOLDOMAINS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// For what is compiled into QtCore: other modules do not find the allocator's headers, and to them
// this one is empty.
#if __has_include("pool/qsizedpoolallocator.h")

#include "pool/qsizedpoolallocator.h"
#include "stats/qpoolpublication.h"

namespace QPoolDomains {

// What is counted apart, each in pages of its own.
enum Domain : unsigned { Event, Object, Private };
inline constexpr unsigned DomainCount = 3;

// Whether the process asked for no pool, or a tool is watching every heap block whose reports
// a pool would blur.
bool standsAside() noexcept;

// Shows the figures to other processes, if this one was asked to. Called once, before the first
// arena is made.
void publishIfAsked(bool enabled) noexcept;

// Every size class once for each domain. The name must be one that no symbol of Qt's contains:
// see tests/auto/build/tst_privatenames.sh.
struct QPoolLayout
{
    static constexpr unsigned BinCount = DomainCount * QPool::SizeClasses::Count;

    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        return QPool::SizeClasses::sizeOf(bin % QPool::SizeClasses::Count);
    }

    QPOOL_ALWAYS_INLINE static unsigned bin(Domain domain, std::size_t size) noexcept
    {
        return domain * QPool::SizeClasses::Count + QPool::SizeClasses::anyIndexOf(size);
    }

    static bool standsAside() noexcept
    {
        const bool aside = QPoolDomains::standsAside();
        publishIfAsked(!aside);
        return aside;
    }
};

inline constexpr QPool::PublishedDomain Domains[DomainCount] = {
    { "event", Event * QPool::SizeClasses::Count, QPool::SizeClasses::Count },
    { "object", Object * QPool::SizeClasses::Count, QPool::SizeClasses::Count },
    { "private", Private * QPool::SizeClasses::Count, QPool::SizeClasses::Count },
};

using Pools = QPool::PoolFront<QPoolLayout, QPool::MultiThreaded, QPool::PublishedPages>;

} // namespace QPoolDomains

#endif // __has_include("pool/qsizedpoolallocator.h")

#endif // QPOOLDOMAINS_P_H
