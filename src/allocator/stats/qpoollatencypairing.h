// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLATENCYPAIRING_H
#define QPOOLLATENCYPAIRING_H

#include "qpoollatencyrecord.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
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
    void add(const LatencyRecord &record, unsigned thread)
    {
        m_records.push_back({ record, thread, m_records.size(), false });
    }

    // Ends a pass over all rings. Calls \a tell with a LatencyOutcome for each event that is settled.
    template <class Function>
    void endPass(Function &&tell)
    {
        if (m_records.empty())
            return;
        // Records of one ring with equal times keep their order. Not std::stable_sort(): libstdc++ 12's
        // calls a function that newer compilers report as deprecated.
        std::sort(m_records.begin(), m_records.end(), [](const Item &a, const Item &b) {
            return std::tie(a.record.time, a.number) < std::tie(b.record.time, b.number);
        });
        m_lastSettled.clear();
        for (std::size_t i = 0; i < m_records.size(); ++i) {
            if (m_records[i].seenBefore)
                m_lastSettled[m_records[i].record.event] = i;
        }
        m_unsettled.clear();
        for (std::size_t i = 0; i < m_records.size(); ++i) {
            Item &item = m_records[i];
            bool settled = item.seenBefore;
            if (!settled) {
                const auto last = m_lastSettled.find(item.record.event);
                settled = last != m_lastSettled.end() && i < last->second;
            }
            if (settled) {
                settle(item, tell);
            } else {
                item.seenBefore = true;
                item.number = m_unsettled.size();
                m_unsettled.push_back(item);
            }
        }
        std::swap(m_records, m_unsettled);
    }

    // Events that were posted and have not ended, as far as records are settled.
    std::size_t unfinished() const noexcept { return m_pending.size(); }

private:
    struct Item
    {
        LatencyRecord record;
        unsigned thread;
        std::size_t number; // the order in which records were added
        bool seenBefore;
    };
    struct Post
    {
        LatencyRecord record;
        unsigned thread;
    };

    template <class Function>
    void settle(const Item &item, Function &&tell)
    {
        const auto pending = m_pending.find(item.record.event);
        const bool known = pending != m_pending.end();
        if (item.record.kind == LatencyRecord::Posted) {
            if (known) {
                tell(LatencyOutcome { pending->second.record, {}, pending->second.thread, 0, true,
                                      false });
                pending->second = { item.record, item.thread };
            } else {
                m_pending.emplace(item.record.event, Post { item.record, item.thread });
            }
            return;
        }
        if (!known) {
            tell(LatencyOutcome { {}, item.record, 0, item.thread, false, true });
            return;
        }
        // Another event was posted at this address since: the record of this event's end was dropped.
        if (item.record.kind == LatencyRecord::Compressed
            && pending->second.record.time != item.record.time) {
            tell(LatencyOutcome { {}, item.record, 0, item.thread, false, true });
            return;
        }
        tell(LatencyOutcome { pending->second.record, item.record, pending->second.thread,
                              item.thread, true, true });
        m_pending.erase(pending);
    }

    std::vector<Item> m_records;
    std::vector<Item> m_unsettled;
    std::unordered_map<std::uint64_t, std::size_t> m_lastSettled;
    std::unordered_map<std::uint64_t, Post> m_pending;
};

QPOOL_END_NAMESPACE

#endif // QPOOLLATENCYPAIRING_H
