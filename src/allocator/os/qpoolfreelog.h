// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFREELOG_H
#define QPOOLFREELOG_H

#include "qpoolos.h"
#include "qpooltrace.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

QPOOL_BEGIN_NAMESPACE

/*
    Where and by which thread chunks were freed, and what they were: level 2 keeps this for its
    reports. It is a table in which many chunks share one place; the place describes the chunk freed
    last.

    Invariant: a record describes the chunk that it names, or is being written. The writer clears
    the chunk before it writes the rest, and sets it after, with release; a reader reads it with
    acquire, before the rest. A record found half-written is therefore not used. If a thread writes
    a place while another writes or reads it, a report has a wrong line, which costs nothing else.
*/
class FreeLog
{
public:
    static constexpr unsigned Frames = 10;

    static void note(const void *chunk, std::uintptr_t firstWord) noexcept
    {
        Record &record = recordOf(chunk);
        record.chunk.store(0, std::memory_order_relaxed);
        void *frames[Frames];
        const unsigned count = Os::callers(frames, Frames);
        record.firstWord.store(firstWord, std::memory_order_release);
        record.thread.store(Os::threadId(), std::memory_order_release);
        for (unsigned i = 0; i < Frames; ++i)
            record.frames[i].store(i < count ? frames[i] : nullptr, std::memory_order_release);
        record.chunk.store(reinterpret_cast<std::uintptr_t>(chunk), std::memory_order_release);
    }

    // Prints what is known about \a chunk, and the callers of the current thread, on stderr, and
    // aborts. \a firstWord is the first word of a live chunk, otherwise 0.
    [[noreturn]] static void abortWith(const void *chunk, std::uintptr_t firstWord) noexcept
    {
        const Record &record = recordOf(chunk);
        void *frames[2 * Frames];
        char name[300];
        const bool known = record.chunk.load(std::memory_order_acquire)
                == reinterpret_cast<std::uintptr_t>(chunk);
        if (firstWord) {
            if (Os::nameOfClass(firstWord, name, sizeof(name)))
                Os::warn("  it begins as a %s does", name);
        } else if (known) {
            const std::uintptr_t word = record.firstWord.load(std::memory_order_acquire);
            const auto thread = static_cast<unsigned long long>(
                    record.thread.load(std::memory_order_acquire));
            for (unsigned i = 0; i < Frames; ++i)
                frames[i] = record.frames[i].load(std::memory_order_acquire);
            if (Os::nameOfClass(word, name, sizeof(name)))
                Os::warn("  it was a %s, freed by thread %llu at", name, thread);
            else
                Os::warn("  it was freed by thread %llu at", thread);
            print(frames, Frames);
        }
        Os::warn("  found by thread %llu at", static_cast<unsigned long long>(Os::threadId()));
        const unsigned count = Os::callers(frames, 2 * Frames);
        print(frames, count);
        std::abort();
    }

private:
    struct Record
    {
        std::atomic<std::uintptr_t> chunk { 0 };
        std::atomic<std::uintptr_t> firstWord { 0 };
        std::atomic<std::uint64_t> thread { 0 };
        std::atomic<void *> frames[Frames] = {};
    };
#ifdef QPOOL_FREESTANDING
    static constexpr unsigned Bits = 6;
#else
    static constexpr unsigned Bits = 13; // 832 KiB; only what is used is touched
#endif

    static Record &recordOf(const void *chunk) noexcept
    {
        static Record records[1u << Bits];
        const auto word = std::uint64_t(reinterpret_cast<std::uintptr_t>(chunk));
        return records[(word / 8) * 0x9E3779B97F4A7C15u >> (64 - Bits)];
    }

    static void print(void *const *frames, unsigned count) noexcept
    {
        bool outside = false;
        for (unsigned i = 0; i < count && frames[i]; ++i) {
            char name[512];
            Os::nameOfCode(frames[i], name, sizeof(name));
            // The allocator's own functions come first, and are not printed.
            outside = outside || std::strstr(name, "QPool::") == nullptr;
            if (outside)
                Os::warn("    %s", name);
        }
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLFREELOG_H
