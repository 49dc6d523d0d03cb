// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFREERUNS_H
#define QPOOLFREERUNS_H

#include "qpoolpage.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    The free pages of a source, in runs of adjacent ones: cached pages, which keep their memory, and pages
    that are gone, whose memory went back to the system. Runs of the same state that touch are merged.
    (Boundary tags: D. Knuth, "The Art of Computer Programming" 1, 2.5.) Runs are found by their lengths;
    of equally long ones, the one freed last serves the next request, because its memory may still be in
    a processor's cache, and the one freed first goes back. The user provides the locking.

    Invariant: the tags of the first and the last page of each run, and of the pages before and behind
    it, are right. A tag is in the page's `bin`: a State, anything else for a page in use; a run's
    length is in its `capacity`.
*/
class FreeRuns
{
public:
    // Leaving pages are in no list; their memory is on its way back. A block is in use, see SystemPages:
    // its first page has the tag and the length, its last one has no tag.
    enum State : std::uintptr_t { Cached = 1, Gone = 2, Leaving = 3, Block = 4 };

    constexpr FreeRuns() = default;

    // May be called without the lock, for a hint.
    std::size_t pages(State state) const noexcept { return m_pages[state - 1].load(std::memory_order_relaxed); }

    // The first of \a count adjacent pages; null if no run has as many.
    PageHeader *take(std::size_t count, State state) noexcept
    {
        for (std::uint64_t lists = m_filled[state - 1] >> listOf(count) << listOf(count); lists != 0;
             lists &= lists - 1) {
            if (PageHeader *run = find(m_lists[state - 1][lowestBit(lists)], count)) {
                takeFront(run, count, state);
                setTag(run, count, 0);
                return run;
            }
        }
        return nullptr;
    }

    // The same across runs: from a long run of cached pages on, with those of either state behind it.
    PageHeader *takeAcross(std::size_t count) noexcept
    {
        std::uint64_t lists = m_filled[Cached - 1];
        for (int few = 16; lists != 0 && few > 0;) {
            const unsigned index = highestBit(lists);
            lists &= ~(std::uint64_t(1) << index);
            for (PageHeader *run = m_lists[Cached - 1][index]; run && few > 0; run = run->next, --few) {
                PageHeader *first = run;
                if (const std::size_t before = lengthOf(first - 1, Gone))
                    first -= before;
                if (freeAcross(first, count) < count)
                    continue;
                takeRuns(first, count);
                return first;
            }
        }
        return nullptr;
    }

    // How many pages from the beginning of a run on are free, at most \a most: also those of the runs behind it.
    static std::size_t freeAcross(const PageHeader *first, std::size_t most) noexcept
    {
        std::size_t length = 0;
        for (std::size_t more = 1; length < most && more > 0; length += more)
            more = freeLength(first + length);
        return length < most ? length : most;
    }

    // Takes as many pages, of either state.
    void takeRuns(PageHeader *first, std::size_t count) noexcept
    {
        for (std::size_t taken = 0; taken < count;) {
            PageHeader *at = first + taken;
            const std::size_t rest = count - taken;
            const std::size_t here = at->capacity < rest ? at->capacity : rest;
            takeFront(at, here, State(tagOf(at)));
            taken += here;
        }
        setTag(first, count, 0);
    }

    // Takes cached pages, at most \a most adjacent ones, those that were free for longest, and prefers short
    // runs; null if there are none. They are leaving.
    PageHeader *takeOldest(std::size_t most) noexcept
    {
        if (m_filled[Cached - 1] == 0)
            return nullptr;
        PageHeader *run = m_lists[Cached - 1][lowestBit(m_filled[Cached - 1])]->previous;
        const std::size_t count = run->capacity < most ? run->capacity : most;
        takeFront(run, count, Cached);
        setTag(run, count, Leaving);
        return run;
    }

    void put(PageHeader *first, std::size_t count, State state) noexcept
    {
        countPages(state, pages(state) + count);
        if (const std::size_t before = lengthOf(first - 1, state)) {
            first -= before;
            unlink(first, state);
            count += before;
        }
        if (const std::size_t behind = lengthOf(first + count, state)) {
            unlink(first + count, state);
            count += behind;
        }
        link(first, count, state);
    }

    // How many adjacent pages of this state begin, or end, with this one.
    static std::size_t lengthOf(const PageHeader *page, State state) noexcept
    {
        return tagOf(page) == state ? page->capacity : 0;
    }

    // How many cached pages were there all the time since the last call: they were not needed.
    std::size_t takeLow() noexcept
    {
        const std::size_t low = m_low;
        m_low = pages(Cached);
        return low;
    }
    std::size_t low() const noexcept { return m_low; }

    static std::size_t freeLength(const PageHeader *page) noexcept
    {
        const std::size_t cached = lengthOf(page, Cached);
        return cached > 0 ? cached : lengthOf(page, Gone);
    }

    static std::uintptr_t tagOf(const PageHeader *page) noexcept
    {
#if defined(__GNUC__)
        return reinterpret_cast<std::uintptr_t>(__atomic_load_n(&page->bin, __ATOMIC_RELAXED));
#else
        return reinterpret_cast<std::uintptr_t>(page->bin);
#endif
    }
    static void setTag(PageHeader *first, std::size_t count, std::uintptr_t tag) noexcept
    {
        first->bin = first[count - 1].bin = reinterpret_cast<Bin *>(tag);
        first->capacity = first[count - 1].capacity = PageNumber(count);
    }

private:
    // One list for each length up to Exact, one for those below 128, then one for each power of two.
    static constexpr unsigned Exact = 52;
    static constexpr unsigned Lists = 63;

    static unsigned listOf(std::size_t count) noexcept
    {
        if (count <= Exact)
            return unsigned(count) - 1;
        unsigned index = Exact;
        for (count /= 128; count > 0; count /= 2)
            ++index;
        return index;
    }

    static unsigned lowestBit(std::uint64_t bits) noexcept { return highestBit(bits & (0 - bits)); }

    // The shortest of the first few runs of a list that are long enough. In a list for one length, that is the
    // first run.
    static PageHeader *find(PageHeader *list, std::size_t count) noexcept
    {
        PageHeader *best = nullptr;
        int few = 64;
        for (PageHeader *run = list; run && few > 0; run = run->next, --few) {
            if (run->capacity >= count && (!best || run->capacity < best->capacity)) {
                best = run;
                if (run->capacity == count)
                    break;
            }
        }
        return best;
    }

    void countPages(State state, std::size_t count) noexcept
    {
        m_pages[state - 1].store(count, std::memory_order_relaxed);
    }

    // The rest of the run is as old as before, or older than most.
    void takeFront(PageHeader *run, std::size_t count, State state) noexcept
    {
        const std::size_t rest = run->capacity - count;
        unlink(run, state);
        if (rest > 0)
            link(run + count, rest, state, Place::Last);
        countPages(state, pages(state) - count);
        if (state == Cached && pages(Cached) < m_low)
            m_low = pages(Cached);
    }

    enum class Place { First, Last };
    void link(PageHeader *run, std::size_t count, State state, Place place = Place::First) noexcept
    {
        setTag(run, count, state);
        const unsigned index = listOf(count);
        PageHeader *&list = m_lists[state - 1][index];
        m_filled[state - 1] |= std::uint64_t(1) << index;
        run->next = nullptr;
        run->previous = run;
        if (list) {
            PageHeader *last = list->previous;
            run->previous = last;
            list->previous = run;
            (place == Place::First ? run->next : last->next) = place == Place::First ? list : run;
            if (place == Place::Last)
                return;
        }
        list = run;
    }

    void unlink(PageHeader *run, State state) noexcept
    {
        const unsigned index = listOf(run->capacity);
        PageHeader *&list = m_lists[state - 1][index];
        PageHeader *next = run->next;
        (run == list ? list : run->previous->next) = next;
        if (PageHeader *behind = next ? next : list)
            behind->previous = run->previous;
        else
            m_filled[state - 1] &= ~(std::uint64_t(1) << index);
    }

    std::atomic<std::size_t> m_pages[2] = {}; // written with the lock held; relaxed
    std::size_t m_low = 0;
    std::uint64_t m_filled[2] = {}; // a bit for each list that is not empty
    // The first run of a list has the last one as its `previous`; the last one's `next` is null.
    PageHeader *m_lists[2][Lists] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLFREERUNS_H
