// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSINGLETHREADED_H
#define QPOOLSINGLETHREADED_H

#include "../core/qpooltrim.h"

namespace QPool {

/*
    One arena, one thread, no locks. Hardened builds remember the first thread and stop the
    second.
*/
struct SingleThreaded
{
    static constexpr const char *Name = "SingleThreaded";

    template <class Layout, class Source>
    class Pool
    {
    public:
        using ArenaType = Arena<Layout>;

        QPOOL_ALWAYS_INLINE static void *allocate(unsigned index) noexcept
        {
            if constexpr (hardened)
                checkThread("allocates from it");
            Bin &bin = s_arena.bins[index];
            if (void *chunk = bin.pop(); QPOOL_LIKELY(chunk))
                return chunk;
            return allocateSlow(index);
        }

        QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
        {
            if constexpr (hardened)
                checkThread("frees to it");
            Bin &bin = *Source::headerOf(chunk)->bin;
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                deallocateSlow(bin, chunk);
        }

        static constexpr bool isAside() noexcept { return false; }
        static void flush() noexcept { }
        static void idle() noexcept { Trim<Layout, Source>::idle(s_arena); }

        static void trim() noexcept
        {
            Trim<Layout, Source>::arena(s_arena);
            Source::trim();
        }

        template <class Visitor>
        static void forEachArena(Visitor &&visit)
        {
            visit(static_cast<const ArenaType &>(s_arena));
        }

    private:
        QPOOL_NEVER_INLINE static void *allocateSlow(unsigned index) noexcept
        {
            if (s_arena.id == 0)
                s_arena.id = 1;
            return SlowPath<Source>::allocate(s_arena, s_arena.bins[index],
                                              Layout::chunkSize(index));
        }

        QPOOL_NEVER_INLINE static void deallocateSlow(Bin &bin, void *chunk) noexcept
        {
            SlowPath<Source>::deallocate(s_arena, bin, chunk);
        }

        static void checkThread(const char *what) noexcept
        {
            const std::uint64_t self = Os::threadId();
            std::uint64_t owner = 0;
            if (!s_arena.thread.compare_exchange_strong(owner, self) && owner != self) {
                Os::die("SingleThreaded: thread %llu %s, but the pool is thread %llu's",
                        static_cast<unsigned long long>(self), what,
                        static_cast<unsigned long long>(owner));
            }
        }

        static inline ArenaType s_arena;
    };
};

} // namespace QPool

#endif // QPOOLSINGLETHREADED_H
