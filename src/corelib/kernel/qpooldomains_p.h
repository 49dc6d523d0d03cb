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

#include "pool/qsizedpoolallocator.h"

namespace QPoolDomains {

// What is counted apart, each in pages of its own.
enum Domain : unsigned { Event, Object, Private };
inline constexpr unsigned DomainCount = 3;

// Whether the process asked for no pool, or a tool is watching every heap block whose reports
// a pool would blur.
bool standsAside() noexcept;

// Every size class once for each domain.
struct Layout
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

    static bool standsAside() noexcept { return QPoolDomains::standsAside(); }
};

using Pools = QPool::PoolFront<Layout, QPool::MultiThreaded, QPool::SystemPages>;

} // namespace QPoolDomains

#endif // QPOOLDOMAINS_P_H
