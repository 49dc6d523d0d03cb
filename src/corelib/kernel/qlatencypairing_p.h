// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYPAIRING_P_H
#define QLATENCYPAIRING_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qlatencypending_p.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

QPOOL_BEGIN_NAMESPACE

// What became of an event.
struct LatencyOutcome
{
    LatencyRecord post;
    LatencyRecord end;
    unsigned postThread;
    unsigned endThread;
    bool hasPost; // false: its record was dropped
    bool hasEnd; // false: its record was dropped
};

/*
    Finds the post that belongs to the end of each event. Different threads may record the two, each in
    its own ring. The records identify an event by its address alone, and another event may have the same
    address as soon as the first is deleted.

    But the records of one address are ordered. The post is recorded with the list of events locked,
    before the delivering thread can see the event there. The end is recorded before the event is deleted,
    and so before its memory can be allocated and posted again. Sorted by time, the records of an address
    are therefore post, end, post, end. The time of an end is the time at which the handler returned: a
    processor may read its clock some nanoseconds early, but at least one lock is taken and released
    between the post and that time, and between that time and the next post.

    The reader does not see all rings at one moment: it may find an end in one ring after it has passed
    the ring with the post. But that post is in its ring already, so the reader's next pass finds it. A
    record is therefore settled in the pass after the one that found it, together with older records of
    the same address that were found later.

    If records were dropped, an end has no post, or a post follows another post. Both are reported.
    Not thread-safe.
*/
class LatencyPairing
{
public:
    static constexpr std::size_t QueueCount = 256;

    void add(const LatencyRecord &record, unsigned thread)
    {
        if (m_records.empty() || record.time < m_records.back().record.time)
            m_runs.push_back(m_records.size());
        m_records.push_back({ record, thread, false });
    }

    // Ends a pass over all rings. Calls \a tell with a LatencyOutcome for each event that is settled.
    template <class Function>
    void endPass(Function &&tell)
    {
        if (m_records.empty())
            return;
        sortRecords();
        const auto isNew = [](const Item &item) { return !item.seenBefore; };
        const auto begin = m_records.begin();
        const auto firstNew = std::size_t(
                std::find_if(begin, m_records.end(), isNew) - begin);
        const auto seenEnd = std::size_t(
                std::find_if_not(m_records.rbegin(), m_records.rend(), isNew).base() - begin);
        // Most new records are later than all that were seen before. Only the others are looked up.
        m_lastSettled.clear();
        for (std::size_t i = firstNew; i < seenEnd; ++i) {
            if (m_records[i].seenBefore)
                m_lastSettled[m_records[i].record.event] = i;
        }
        m_others.clear();
        m_others.reserve(m_records.size());
        for (std::size_t i = 0; i < m_records.size(); ++i) {
            Item &item = m_records[i];
            bool settled = item.seenBefore;
            if (!settled && i < seenEnd) {
                const auto last = m_lastSettled.find(item.record.event);
                settled = last != m_lastSettled.end() && i < last->second;
            }
            if (settled) {
                settle(item, tell);
            } else {
                item.seenBefore = true;
                m_others.push_back(item);
            }
        }
        std::swap(m_records, m_others);
        m_runs.assign(m_records.empty() ? 0 : 1, 0);
        m_pending.trim();
    }

    // Events that were posted and have not ended, as far as records are settled; those of one list of events, or,
    // with 0, of lists that have no number.
    std::size_t unfinished() const noexcept { return m_pending.size(); }
    std::size_t unfinishedOf(std::uint8_t queue) const noexcept { return m_unfinished[queue]; }

private:
    struct Item
    {
        LatencyRecord record;
        unsigned thread;
        bool seenBefore;
    };

    // The records of a ring are in order, and so are those that the last pass left. So merge them, which
    // takes time in proportion to the logarithm of the number of rings. Records with equal times keep
    // their order.
    void sortRecords()
    {
        m_others.reserve(m_records.size()); // so that nothing below throws
        const auto earlier = [](const Item &a, const Item &b) { return a.record.time < b.record.time; };
        while (m_runs.size() > 1) {
            const auto begin = m_records.begin();
            const auto boundary = [this, begin](std::size_t run) {
                return run < m_runs.size() ? begin + std::ptrdiff_t(m_runs[run]) : m_records.end();
            };
            m_others.clear();
            for (std::size_t run = 0; run < m_runs.size(); run += 2) {
                std::merge(boundary(run), boundary(run + 1), boundary(run + 1), boundary(run + 2),
                           std::back_inserter(m_others), earlier);
                m_runs[run / 2] = m_runs[run];
            }
            m_runs.resize((m_runs.size() + 1) / 2);
            std::swap(m_records, m_others);
        }
    }

    template <class Function>
    void settle(const Item &item, Function &&tell)
    {
        LatencyPost *const pending = m_pending.find(item.record.event);
        if (item.record.kind == LatencyRecord::Posted) {
            if (pending) {
                tell(LatencyOutcome { pending->record, {}, pending->thread, 0, true, false });
                --m_unfinished[pending->record.queue];
                *pending = { item.record, item.thread };
            } else {
                m_pending.insert({ item.record, item.thread });
            }
            ++m_unfinished[item.record.queue];
            return;
        }
        // Otherwise another event was posted at this address since: the record of this event's end was
        // dropped.
        const bool isItsPost = pending && (item.record.kind != LatencyRecord::Compressed
                                           || pending->record.time == item.record.time);
        if (!isItsPost) {
            tell(LatencyOutcome { {}, item.record, 0, item.thread, false, true });
            return;
        }
        tell(LatencyOutcome { pending->record, item.record, pending->thread, item.thread, true, true });
        --m_unfinished[pending->record.queue];
        m_pending.erase(pending);
    }

    std::vector<Item> m_records;
    std::vector<Item> m_others; // room for sorting and for what stays unsettled
    std::vector<std::size_t> m_runs; // where records begin that are in order
    std::unordered_map<std::uint64_t, std::size_t> m_lastSettled;
    LatencyPending m_pending;
    std::size_t m_unfinished[QueueCount] = {}; // of the pending posts, by the list of events
};

QPOOL_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYPAIRING_P_H
