// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_SUBJECTS_H
#define BENCH_SUBJECTS_H

#include "pool/qsizedpoolallocator.h"

#include <atomic>
#include <cstdlib>

namespace Bench {

// The subjects. Every subject has allocate(), deallocate(), idle(), as a pool of one size
// (Fixed) and as one of all sizes (Sized). The last part of a row's data tag names it:
//
//   SingleThreaded, ...   one of ours, the threading model is part of the row's name
//   pool                  one of ours, where only one model makes sense
//   malloc                the general allocator: glibc's, or what is preloaded
//   limit                 the floor: a bump pointer that frees nothing

template <class Model>
struct PoolSubject
{
    template <std::size_t Size>
    struct Fixed : QPool::QPoolAllocator<Size, Model>
    {
    };
    using Sized = QPool::QSizedPoolAllocator<Model>;
};

struct MallocSubject
{
    template <std::size_t Size>
    struct Fixed
    {
        static void *allocate() { return std::malloc(Size); }
        static void deallocate(void *block) { std::free(block); }
        static void idle() { }
    };

    struct Sized
    {
        static void *allocate(std::size_t size) { return std::malloc(size); }
        static void deallocate(void *block, std::size_t) { std::free(block); }
        static void idle() { }
    };
};

// Starts again when its buffer is used up: memory that it never had before would cause page faults,
// which allocators that reuse memory do not have. So it hands out blocks that are in use, and
// patterns that keep data in their blocks have no limit row.
struct LimitSubject
{
    struct Sized
    {
        static constexpr std::size_t Room = 64 * 1024;

        static void *allocate(std::size_t size)
        {
            size = (size + 7) & ~std::size_t(7);
            if (s_thread.used + size > Room)
                begin();
            void *block = s_thread.buffer + s_thread.used;
            s_thread.used += size;
            return block;
        }
        static void deallocate(void *, std::size_t) { }
        static void idle() { }

    private:
        struct Thread
        {
            char *buffer;
            std::size_t used;
        };
        struct alignas(64) Buffer
        {
            char bytes[Room];
        };

        static void begin()
        {
            if (!s_thread.buffer)
                s_thread.buffer = s_buffers[s_threads.fetch_add(1) % Buffers].bytes;
            s_thread.used = 0;
        }

        // Not thread-local themselves: the system would clear one whenever a thread starts, of
        // those that are measured with other subjects, too.
        static constexpr unsigned Buffers = 128;
        static inline Buffer s_buffers[Buffers];
        static inline std::atomic<unsigned> s_threads { 0 };
        static inline thread_local Thread s_thread = { nullptr, Room };
    };

    template <std::size_t Size>
    struct Fixed
    {
        static void *allocate() { return Sized::allocate(Size); }
        static void deallocate(void *) { }
        static void idle() { }
    };
};

using Pool = PoolSubject<QPool::MultiThreaded>;

} // namespace Bench

#endif // BENCH_SUBJECTS_H
