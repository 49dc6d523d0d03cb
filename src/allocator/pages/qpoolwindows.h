// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWINDOWS_H
#define QPOOLWINDOWS_H

#include "qpoolmetadata.h"
#include "qpoolpage.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    The addresses of a page source that grows. They are in windows of 4 GiB, 64 MiB on 32 bits, aligned
    to their size. A window has, from its start, the headers of its pages, a region of metadata, and the
    pages. Between these, and at the end, addresses are left out: a program's overrun faults there.

    Nothing is reserved. Each part is mapped as far as it is used, in steps that grow with it, at the
    address where it ends; the system merges such mappings into one. If something else is mapped there,
    the source goes on in another window. Windows are far from where the system puts mappings by itself.

    A header is found by arithmetic: the window's start is the address with the low bits cleared, and
    the number of the page is in these bits. Whether an address is in a page takes one addition and
    one comparison in the first window, and the count of the window's pages in the others.

    The user provides the locking. Only the functions that find headers need no lock.

    What they read
    - m_minusNear, m_nearCount: where the pages of the first window that has some begin, negated, which saves
      an instruction; and how many are mapped, which only grows. A thread that holds a chunk of these pages
      got it, in an ordered way, from a thread that saw them mapped. Any other thread may see the count
      without the base, and still gets the right answer, false: see NoBase.
    - m_nearHeaders: constant once m_nearCount is not zero.
    - m_firstWindow: stored once; until then, NoBase makes every address one of no window.
    - m_taken: how many pages of each window were ever handed out; only grows. The same is true for who
      holds a chunk. For any other address, the answer is right when it is given, and the header can be
      read: release and acquire ensure this.
*/
class PageWindows
{
public:
    static constexpr std::size_t PageSize = SystemPageSize;
    static constexpr unsigned Shift = sizeof(void *) == 8 ? 32 : 26;
    static constexpr std::size_t Bytes = std::size_t(1) << Shift;
    // How many there may be: 4 TiB, or all 32-bit addresses.
    static constexpr unsigned Count = sizeof(void *) == 8 ? 1024 : 64;

    // The parts of a window, in bytes from its start, and in pages.
    static constexpr std::size_t Guard = 64 * 1024;
    static constexpr std::size_t HeaderEnd = Bytes / PageSize * sizeof(PageHeader);
    static constexpr std::size_t MetadataStart = (HeaderEnd + Guard - 1) / Guard * Guard + Guard;
    static constexpr std::size_t MetadataEnd = MetadataStart + Bytes / 64;
    static constexpr std::size_t FirstPage = (MetadataEnd + Guard) / PageSize;
    static constexpr std::size_t PageCount = Bytes / PageSize - 1 - FirstPage;

    constexpr PageWindows() = default;

    // Returns the header of the page that contains \a pointer, an address in the pages.
    QPOOL_ALWAYS_INLINE static PageHeader *headerOf(const void *pointer) noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(pointer);
        return headersAt(address & ~(Bytes - 1)) + (address & (Bytes - 1)) / PageSize;
    }

    QPOOL_ALWAYS_INLINE static char *pageOf(const PageHeader *header) noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(header);
        const std::uintptr_t start = address & ~(Bytes - 1);
        return reinterpret_cast<char *>(start + (address - start) / sizeof(PageHeader) * PageSize);
    }

    // Returns the header if \a pointer is in the mapped pages of the first window that has some; null does
    // not mean that it is in no page.
    QPOOL_ALWAYS_INLINE PageHeader *findNear(const void *pointer) const noexcept
    {
        const std::size_t count = m_nearCount.load(CountOrder);
        const std::uintptr_t page = (m_minusNear.load(std::memory_order_relaxed)
                                     + reinterpret_cast<std::uintptr_t>(pointer)) / PageSize;
        if (QPOOL_UNLIKELY(page >= count))
            return nullptr;
        PageHeader *header = m_nearHeaders + page;
        QPOOL_ASSUME(header != nullptr); // so that the caller's test is merged
        return header;
    }

    // For arbitrary pointers. Null for one that is in no page. A page that was never handed out has a header
    // of zeroes, or none.
    QPOOL_ALWAYS_INLINE PageHeader *findHeader(const void *pointer) const noexcept
    {
        PageHeader *header = findNear(pointer);
        return QPOOL_LIKELY(header) ? header : findFar(pointer);
    }

    // Whether takeFresh() has \a count adjacent pages.
    bool hasFresh(std::size_t count) const noexcept
    {
        return isOpen() && freshIn(m_current) + count <= m_usable;
    }

    // Ensures that it has. Returns false if the system refuses.
    bool ensureFresh(std::size_t count) noexcept
    {
        if (count > PageCount)
            return false;
        while (!hasFresh(count)) {
            if (!isOpen() || freshIn(m_current) + count > PageCount || m_isBlocked) {
                if (!open())
                    return false;
            } else if (!mapPages(freshIn(m_current) + count - m_usable) && !m_isBlocked) {
                return false;
            }
        }
        return true;
    }

    // Whether \a count adjacent pages from this one on were never used, in the window that grows.
    bool isFresh(const PageHeader *page, std::size_t count) const noexcept
    {
        return isOpen() && page == headersAt(startOf(m_current)) + FirstPage + freshIn(m_current)
                && freshIn(m_current) + count <= PageCount;
    }

    // Returns the header of the first of \a count adjacent pages that were never used.
    PageHeader *takeFresh(std::size_t count) noexcept
    {
        const std::size_t index = freshIn(m_current);
        m_taken[m_current].store(std::uint32_t(index + count), std::memory_order_release);
        m_allTaken += count;
        return headersAt(startOf(m_current)) + FirstPage + index;
    }

    // Returns zero-filled memory for the allocator's own structures; null if the system refuses.
    void *allocateMetadata(std::size_t bytes) noexcept
    {
        if (bytes > MetadataEnd - MetadataStart)
            return nullptr;
        void *place = nullptr;
        do {
            while (!m_metadata.fits(bytes)) {
                if (!m_hasMetadata && !open())
                    return nullptr;
                m_metadata.use(startOf(m_current) + MetadataStart, startOf(m_current) + MetadataEnd);
                m_hasMetadata = false;
            }
            place = m_metadata.allocate(bytes);
        } while (!place && !m_metadata.fits(bytes)); // the region ended before something else
        return place;
    }

    // Called once memory has gone back: otherwise a system that makes huge pages of small ones by itself
    // would fill in what is missing again.
    void refuseHugePages() noexcept
    {
        if (m_refusesHugePages)
            return;
        m_refusesHugePages = true;
        for (unsigned index = 0; index < Count; ++index) {
            const std::size_t count = index == m_current ? m_usable : freshIn(index);
            if (count > 0)
                Os::refuseHugePages(pagesOf(index), count * PageSize);
        }
    }

    // How many pages were ever handed out.
    std::size_t pagesTaken() const noexcept { return m_allTaken; }

    // In bytes: all that is mapped, and the part of it that has headers and metadata.
    std::size_t mappedBytes() const noexcept
    {
        return m_allUsable * PageSize + m_headerBytes + m_metadata.mapped();
    }
    std::size_t ownBytes() const noexcept { return m_headerBytes + m_metadata.used(); }

private:
    friend struct Inspection;

    // Until there is a window no address may be in one, even for a thread that sees the new count and
    // the old base. No user-space pointer is near this base on 64-bit systems, so the page's number is larger
    // than any count; on others, the load of the count orders the loads.
    static constexpr std::uintptr_t NoBase = std::uintptr_t(1) << (sizeof(void *) * 8 - 1);
    static constexpr std::memory_order CountOrder = sizeof(void *) == 8
            ? std::memory_order_relaxed : std::memory_order_acquire;

    // How many pages are mapped at once: an eighth of what is, within these limits.
    static constexpr std::size_t LeastStep = 16;
    static constexpr std::size_t MostStep = 512;
    static constexpr std::size_t HeaderStep = 64 * 1024;

    static PageHeader *headersAt(std::uintptr_t window) noexcept
    {
        return reinterpret_cast<PageHeader *>(window);
    }

    std::uintptr_t startOf(unsigned index) const noexcept
    {
        return (m_firstWindow.load(std::memory_order_relaxed) + index) << Shift;
    }
    std::size_t freshIn(unsigned index) const noexcept
    {
        return m_taken[index].load(std::memory_order_relaxed);
    }
    char *pagesOf(unsigned index) const noexcept
    {
        return reinterpret_cast<char *>(startOf(index) + FirstPage * PageSize);
    }
    bool isOpen() const noexcept { return m_current < Count; }

    QPOOL_NEVER_INLINE PageHeader *findFar(const void *pointer) const noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(pointer);
        const std::uintptr_t index = (address >> Shift) - m_firstWindow.load(std::memory_order_relaxed);
        if (index >= Count)
            return nullptr;
        const std::size_t page = (address & (Bytes - 1)) / PageSize - FirstPage; // wraps below the pages
        return page < m_taken[index].load(std::memory_order_acquire) ? headerOf(pointer) : nullptr;
    }

    // Begins another window, of which the headers of the first pages are mapped. Returns false if the
    // system has no memory, or no window is free.
    bool open() noexcept
    {
        if (m_firstWindow.load(std::memory_order_relaxed) == NoBase)
            chooseFirst();
        for (; m_next < Count; ++m_next) {
            // From the middle downwards, then upwards.
            const unsigned index = m_next < Count / 2 ? Count / 2 - m_next : m_next;
            const std::uintptr_t number = m_firstWindow.load(std::memory_order_relaxed) + index;
            if (number == 0 || number >= (~std::uintptr_t(0) >> Shift))
                continue;
            const std::uintptr_t start = startOf(index);
            // Neighbours' headers are read: the page before the first and the one after the last have one.
            const std::size_t from = (FirstPage - 1) * sizeof(PageHeader) / HeaderStep * HeaderStep;
            const std::size_t bytes = FirstPage * sizeof(PageHeader) / HeaderStep * HeaderStep + HeaderStep
                    - from;
            const Os::Mapping mapping = Os::mapAt(reinterpret_cast<void *>(start + from), bytes);
            if (mapping == Os::Mapping::Refused)
                return false;
            if (mapping == Os::Mapping::Taken)
                continue;
            ++m_next;
            m_current = index;
            m_usable = 0;
            m_isBlocked = false;
            m_hasMetadata = true;
            m_headersEnd = start + from + bytes;
            m_headerBytes += bytes;
            return true;
        }
        return false;
    }

    // The system assigns addresses from the top downwards, or, where it does so from the bottom upwards,
    // low ones. The first window is that far away from them.
    void chooseFirst() noexcept
    {
        constexpr std::uintptr_t distance = 8;
        const std::uintptr_t there = Os::likelyAddress() >> Shift;
        const std::uintptr_t first = there >= 2 * distance ? there - distance : there + distance;
        const std::uintptr_t below = first < Count / 2 ? first : Count / 2;
        m_next = unsigned(Count / 2 - below);
        m_firstWindow.store(first - below, std::memory_order_release);
    }

    // At least \a least pages more, and their headers. Returns false if the system has no memory, or if
    // something else is mapped there.
    bool mapPages(std::size_t least) noexcept
    {
        std::size_t step = m_allUsable / 8;
        step = step < LeastStep ? LeastStep : step > MostStep ? MostStep : step;
        if (step < least)
            step = least;
        if (step > PageCount - m_usable)
            step = PageCount - m_usable;
        Os::Mapping mapping = map(step);
        if (mapping != Os::Mapping::Done && step > least)
            mapping = map(step = least);
        m_isBlocked = mapping == Os::Mapping::Taken;
        if (mapping != Os::Mapping::Done)
            return false;
        if (m_refusesHugePages)
            Os::refuseHugePages(pagesOf(m_current) + m_usable * PageSize, step * PageSize);
        m_usable += step;
        m_allUsable += step;
        PageHeader *headers = headersAt(startOf(m_current)) + FirstPage;
        if (!m_nearHeaders) {
            m_nearHeaders = headers;
            m_minusNear.store(std::uintptr_t(0) - startOf(m_current) - FirstPage * PageSize,
                              std::memory_order_relaxed);
        }
        if (m_nearHeaders == headers)
            m_nearCount.store(m_usable, std::memory_order_release);
        return true;
    }

    Os::Mapping map(std::size_t step) noexcept
    {
        const std::uintptr_t end = startOf(m_current)
                + (FirstPage + m_usable + step + 1) * sizeof(PageHeader);
        if (end > m_headersEnd) {
            const std::size_t more = (end - m_headersEnd + HeaderStep - 1) / HeaderStep * HeaderStep;
            const Os::Mapping mapping = Os::mapAt(reinterpret_cast<void *>(m_headersEnd), more);
            if (mapping != Os::Mapping::Done)
                return mapping;
            m_headersEnd += more;
            m_headerBytes += more;
        }
        return Os::mapAt(pagesOf(m_current) + m_usable * PageSize, step * PageSize);
    }

    // What the fast paths read, separate from what changes with every page.
    alignas(CacheLineSize) std::atomic<std::uintptr_t> m_minusNear { std::uintptr_t(0) - NoBase };
    std::atomic<std::size_t> m_nearCount { 0 };
    PageHeader *m_nearHeaders = nullptr;
    std::atomic<std::uintptr_t> m_firstWindow { NoBase }; // the number of the window with index 0
    alignas(CacheLineSize) unsigned m_current = Count; // the window that grows; Count: none yet
    unsigned m_next = 0; // see open()
    bool m_isBlocked = false; // something else is mapped behind the current window's pages
    bool m_refusesHugePages = false;
    bool m_hasMetadata = false; // nothing of the current window's metadata is used
    std::uintptr_t m_headersEnd = 0;
    std::size_t m_usable = 0; // pages of the current window that are mapped
    std::size_t m_allUsable = 0;
    std::size_t m_allTaken = 0;
    std::size_t m_headerBytes = 0;
    Metadata m_metadata;
    std::atomic<std::uint32_t> m_taken[Count] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLWINDOWS_H
