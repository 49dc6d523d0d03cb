// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FAILINGPAGES_H
#define FAILINGPAGES_H

#include "pages/qpoolpage.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    Any page source, made to fail on request, to test what happens when memory runs out. The first
    \a requests after setBudget(requests) succeed; all later ones fail until the next call.
*/
template <class Source>
class FailingPages : public Source
{
public:
    static void setBudget(std::int64_t requests) noexcept { s_budget.store(requests); }
    static std::int64_t requests() noexcept { return s_requests.load(); }

    static PageHeader *acquirePage() noexcept
    {
        return spend() ? Source::acquirePage() : nullptr;
    }

    static void *allocateMetadata(std::size_t bytes) noexcept
    {
        return spend() ? Source::allocateMetadata(bytes) : nullptr;
    }

    static void *allocateArena(std::size_t bytes) noexcept
    {
        return spend() ? Source::allocateArena(bytes) : nullptr;
    }

private:
    static bool spend() noexcept
    {
        s_requests.fetch_add(1);
        return s_budget.fetch_sub(1) > 0;
    }

    static inline std::atomic<std::int64_t> s_budget { INT64_MAX };
    static inline std::atomic<std::int64_t> s_requests { 0 };
};

QPOOL_END_NAMESPACE

#endif // FAILINGPAGES_H
