// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHEPUBLICATION_H
#define QPOOLCACHEPUBLICATION_H

#include "../../allocator/os/qpoolmutex.h"
#include "../../allocator/os/qpoolsharedmemory.h"
#include "qpoolcachesegment.h"

#include <new>
#include <string_view>

QPOOL_BEGIN_NAMESPACE

/*
    Shows the object caches of the process to readers outside of it, as Publication shows a pool:
    the depots and the stocks, which contain the counters, are constructed in memory that readers
    see, and the caches count as they do otherwise. Publishing therefore costs no instruction per
    object.

    The segment is an array of records of equal size, each a CacheRecord followed by the depot or
    the stock that it describes. It is separate from the pool's segment, which belongs to the copy
    of the allocator that serves QtCore or malloc(); the caches belong to the program.

    A child of a fork() has a private copy of all this, and publishes nothing. See
    ObjectCacheState::registerForkHandlers() for its contents.

    Invariants
    - s_header is set once, after the segment is complete (release), and null again in a child; a
      thread that finds it (acquire) may make records.
    - s_isSettled is set after s_header, if that is ever set automatically (release): a thread that
      sees it (acquire) knows whether caches are published without a request of the program.
    - s_start is set before s_header, once, and stays in a child. Relaxed: a thread that has an
      object in a record got it from a thread that saw s_header, or through a lock; for any other
      object the answer is "no", whether s_start is set yet or not.
    - All else is guarded by s_lock, the innermost of all locks: with it held, only the system is
      called.
*/
class CachePublication
{
public:
    CachePublication() = delete;

    // Publishes what is made from now on. Returns false if that is refused, and in a child of a
    // fork of a process that published; a line on stderr then reports why, once.
    static bool begin() noexcept;

    // The same if the environment requests it.
    static void beginIfAsked() noexcept
    {
        if (QPOOL_UNLIKELY(!s_isSettled.load(std::memory_order_acquire)))
            settle();
    }

    static bool isPublishing() noexcept { return s_header.load(std::memory_order_acquire); }

    // Returns memory for a \a T in a record that is not shown yet; null when nothing is published,
    // and when there is no room.
    template <class T>
    static void *allocate() noexcept
    {
        static_assert(alignof(T) <= CacheLineSize);
        return isPublishing() ? allocateRecord(sizeof(T)) : nullptr;
    }

    // Destroys an object made in such memory, or by new.
    template <class T>
    static void destroy(T *object) noexcept
    {
        CacheRecord *record = recordOf(object);
        if (!record) {
            delete object;
            return;
        }
        hide(*record);
        object->~T();
        release(*record);
    }

    // For std::unique_ptr.
    struct Destroy
    {
        template <class T>
        void operator()(T *object) const noexcept { destroy(object); }
    };

    // Returns the record of a depot or a stock, or null.
    static CacheRecord *recordOf(const void *object) noexcept
    {
        const auto start = reinterpret_cast<std::uintptr_t>(s_start.load(std::memory_order_relaxed));
        const auto place = reinterpret_cast<std::uintptr_t>(object);
        if (start == 0 || place - start >= SegmentBytes - RecordsAt)
            return nullptr;
        return reinterpret_cast<CacheRecord *>(place - HeadBytes);
    }

    // All other members of a record are written before it is shown.
    static void show(CacheRecord &record, CacheRecord::Kind kind) noexcept;
    static void hide(CacheRecord &record) noexcept;

    // Copies as much of \a text as fits, and a null byte. A text that does not fit ends in dots.
    static void copyText(char *to, std::size_t room, std::string_view text) noexcept;

    // Adds to the number of categories that readers do not see.
    static void countMissingCategories(std::size_t number) noexcept;

    // All caches' locks are held, and no thread is changing anything that they guard.
    static void beforeFork() noexcept;
    static void inParent() noexcept;
    static void inChild() noexcept;

private:
    static void settle() noexcept;
    static bool beginLocked() noexcept;
    static void *allocateRecord(std::size_t bytes) noexcept;
    static void release(CacheRecord &record) noexcept;
    static CacheSegmentLive &live() noexcept;

    static constexpr std::size_t HeadBytes = (sizeof(CacheRecord) + CacheLineSize - 1)
            / CacheLineSize * CacheLineSize;
    static constexpr std::size_t LiveAt = (sizeof(CacheSegmentHeader) + CacheLineSize - 1)
            / CacheLineSize * CacheLineSize;
    static constexpr std::size_t RecordsAt = LiveAt + CacheLineSize;
    static_assert(sizeof(CacheSegmentLive) <= CacheLineSize);
    // Addresses, without memory until there are records: room for twenty thousand stocks at once.
    static constexpr std::size_t SegmentBytes = sizeof(void *) == 8 ? std::size_t(16) << 20
                                                                    : std::size_t(4) << 20;

    // Members, so that modules that share their caches share these.
    static inline Mutex s_lock;
    static inline SharedMemory s_memory;
    static inline std::atomic<CacheSegmentHeader *> s_header { nullptr };
    static inline std::atomic<bool> s_isSettled { false };
    static inline bool s_isOver = false; // refused, or in a child
    static inline std::atomic<char *> s_start { nullptr }; // of the records
    static inline CacheRecord *s_free = nullptr; // the address of the next one is behind its head
};

QPOOL_END_NAMESPACE

#endif // QPOOLCACHEPUBLICATION_H
