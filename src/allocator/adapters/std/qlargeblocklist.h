// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLARGEBLOCKLIST_H
#define QLARGEBLOCKLIST_H

#include "../../os/qpoolhugememory.h"
#include "../../os/qpoolos.h"
#include "../../track/qpooltrack.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    Blocks that are too large for a pool, in a list, so that all can be freed at once. What links a
    block stands in front of it. From 1 MiB on they are mapped in huge pages, where there are any,
    else they come from the global operator new.

    Of those that are freed the last few are kept, with their memory: an array that grows, or is built
    anew, would otherwise cause page faults each time.
*/
class LargeBlockList
{
public:
    // Stands in front of a block.
    struct Link
    {
        Link *next;
        Link *previous;
        std::size_t total; // with what stands in front
        std::size_t alignment;
    };

    LargeBlockList() = default;
    LargeBlockList(const LargeBlockList &) = delete;
    LargeBlockList &operator=(const LargeBlockList &) = delete;
    ~LargeBlockList() { clear(); }

    // Memory for a block, for add(); null if there is none. In no list yet: operator new may call a
    // new-handler, which may do anything with the list.
    static Link *create(std::size_t bytes, std::size_t alignment) noexcept
    {
        const std::size_t offset = offsetOf(alignment);
        if (offset > std::size_t(PTRDIFF_MAX) || bytes > std::size_t(PTRDIFF_MAX) - offset)
            return nullptr;
        const std::size_t total = offset + bytes;
        void *base = isMapped(total, alignment)
                ? HugeMemory::map(total).address
                : ::operator new(total, aligned(alignment), std::nothrow);
        if (!base)
            return nullptr;
        return new (static_cast<char *>(base) + offset - sizeof(Link))
                Link { nullptr, nullptr, total, alignment };
    }

    void *add(Link *link) noexcept
    {
        link->next = m_first;
        link->previous = nullptr;
        if (m_first)
            m_first->previous = link;
        m_first = link;
        m_bytes += link->total;
        ++m_count;
        return link + 1;
    }

    // One that is kept, and not much larger than that, for add(); null if there is none.
    Link *takeKept(std::size_t bytes, std::size_t alignment) noexcept
    {
        for (unsigned i = m_keptCount; i-- > 0;) {
            Link *link = m_kept[i];
            const std::size_t room = link->total - offsetOf(link->alignment);
            if (link->alignment == alignment && room >= bytes && room - bytes <= bytes / 2) {
                removeKept(i);
                return link;
            }
        }
        return nullptr;
    }

    void deallocate(void *block, [[maybe_unused]] const char *owner) noexcept
    {
        Link *link = static_cast<Link *>(block) - 1;
        if constexpr (hardened) {
            if ((link->previous ? link->previous->next : m_first) != link) {
                Os::die("%s: %p is no block of this one's, or free already, or was written to in "
                        "front of its start", owner, block);
            }
        }
        if (link->previous)
            link->previous->next = link->next;
        else
            m_first = link->next;
        if (link->next)
            link->next->previous = link->previous;
        m_bytes -= link->total;
        --m_count;
        keep(link);
    }

    static void destroy(Link *link) noexcept
    {
        const std::size_t total = link->total, alignment = link->alignment;
        void *base = reinterpret_cast<char *>(link + 1) - offsetOf(alignment);
        if (isMapped(total, alignment))
            HugeMemory::unmap(base, total);
        else
            ::operator delete(base, aligned(alignment));
    }

    void clear() noexcept
    {
        while (Link *link = m_first) {
            m_first = link->next;
            destroy(link);
        }
        m_bytes = m_count = 0;
        while (m_keptCount > 0)
            destroy(removeKept(m_keptCount - 1));
    }

    // In use, and how many.
    std::size_t bytes() const noexcept { return m_bytes; }
    std::size_t count() const noexcept { return m_count; }
    std::size_t keptBytes() const noexcept { return m_keptBytes; }

    // So much is kept at most.
    static constexpr std::size_t MostKeptBytes = 16 * 1024 * 1024;

private:
    static constexpr unsigned MostKept = 16;
    // What is smaller operator new has at hand.
    static constexpr std::size_t LeastKeptBytes = 128 * 1024;

    void keep(Link *link) noexcept
    {
        // As no link in the list is: a second free of it shows.
        link->next = nullptr;
        link->previous = link;
        if (link->total < LeastKeptBytes || link->total > MostKeptBytes) {
            destroy(link);
            return;
        }
        while (m_keptCount == MostKept || m_keptBytes + link->total > MostKeptBytes)
            destroy(removeKept(0));
        m_kept[m_keptCount++] = link;
        m_keptBytes += link->total;
        Track::pageTaken(link + 1, link->total - offsetOf(link->alignment));
    }

    Link *removeKept(unsigned index) noexcept
    {
        Link *link = m_kept[index];
        --m_keptCount;
        for (unsigned i = index; i < m_keptCount; ++i)
            m_kept[i] = m_kept[i + 1];
        m_keptBytes -= link->total;
        Track::pageLeft(link + 1, link->total - offsetOf(link->alignment));
        return link;
    }

    static std::size_t offsetOf(std::size_t alignment) noexcept
    {
        return alignment > sizeof(Link) ? alignment
                                        : (sizeof(Link) + alignment - 1) & ~(alignment - 1);
    }

    static bool isMapped(std::size_t total, std::size_t alignment) noexcept
    {
        return total >= HugeMemory::PageBytes / 2 && alignment <= HugeMemory::PageBytes;
    }

    static std::align_val_t aligned(std::size_t alignment) noexcept
    {
        return std::align_val_t(alignment > alignof(Link) ? alignment : alignof(Link));
    }

    Link *m_first = nullptr;
    std::size_t m_bytes = 0;
    std::size_t m_count = 0;
    Link *m_kept[MostKept] = {}; // the oldest first
    unsigned m_keptCount = 0;
    std::size_t m_keptBytes = 0;
};

// For page sources without a heap.
struct NoLargeBlocks
{
    void clear() noexcept { }
    std::size_t bytes() const noexcept { return 0; }
    std::size_t count() const noexcept { return 0; }
    std::size_t keptBytes() const noexcept { return 0; }
};

QPOOL_END_NAMESPACE

#endif // QLARGEBLOCKLIST_H
