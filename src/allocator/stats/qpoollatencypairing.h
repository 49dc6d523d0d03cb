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
    bool hasPost; // else the record of it was dropped
    bool hasEnd; // the same
};

/*
    Finds the post of each event that is gone. The two are noted by different threads, each in a ring
    of its own, and of an event there is only its address, which is another event's as soon as it is
    deleted.

    But the records of one address have an order: the post is noted under the lock of the list that the
    event is appended to, before the thread that delivers it can see it there; the end is noted before
    the event is deleted, and so before its memory can be allocated again and posted anew. So the
    records of an address, sorted by time, are post, end, post, end. An end has the time at which
    the handler returned: a processor may read its clock some nanoseconds early, and between the post and
    that, as between that and the next post, there is a lock taken and given back at least.

    The reader does not see the rings at one moment: it may find an end in one and have passed the
    ring with the post before. But that post is in its ring already, so the reader's next pass
    finds it. A record is therefore settled in the pass after the one that found it, together with
    those of the same address which are older and were found later.

    Where records were dropped an end has no post, or a post is followed by another: both are told.
    Not thread-safe.
*/
class LatencyPairing
{
public:
    void add(const LatencyRecord &record, unsigned thread)
    {
        m_records.push_back({ record, thread, m_records.size(), false });
    }

    // Ends a pass over all rings. \a tell is called with a LatencyOutcome for each event that is settled.
    template <class Function>
    void endPass(Function &&tell)
    {
        if (m_records.empty())
            return;
        // What came out of one ring stays in its order where times are equal. Not std::stable_sort(),
        // for which libstdc++ 12 calls a function that newer compilers call deprecated.
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

    // Events that were posted and are not gone, for all that is settled.
    std::size_t unfinished() const noexcept { return m_pending.size(); }

private:
    struct Item
    {
        LatencyRecord record;
        unsigned thread;
        std::size_t number; // in which order they were added
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
        // The event of another post has the address already: that of this one was dropped.
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
