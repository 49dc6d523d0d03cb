// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FUZZER_H
#define FUZZER_H

#include "childprocess.h"
#include "fuzzedblock.h"
#include "mailbox.h"
#include "randomsource.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include <malloc.h>

inline constexpr unsigned Threads = 4;
inline Mailbox<FuzzedBlock> mailboxes[Threads];
inline std::atomic<std::uint64_t> numbers { 0 };
inline std::atomic<bool> failed { false };

inline void expect(bool condition, const char *what, const FuzzedBlock &block)
{
    if (condition)
        return;
    failed = true;
    ADD_FAILURE() << what << ": block " << block.number << " of " << block.size << " bytes at "
                  << static_cast<void *>(block.place) << ", origin " << int(block.origin);
}

#define EXPECT_OF(block, condition) expect(condition, #condition, block)

// The life of one thread.
class Fuzzer
{
public:
    explicit Fuzzer(std::uint64_t seed) : m_random(seed) { }

    // The remaining blocks go to the other threads, as at the end of a thread.
    ~Fuzzer()
    {
        for (const FuzzedBlock &block : m_blocks)
            mailboxes[m_random.below(Threads)].put(block);
    }

    void freeAllOfAll()
    {
        for (Mailbox<FuzzedBlock> &mailbox : mailboxes) {
            for (const FuzzedBlock &block : mailbox.takeAll())
                free(block);
        }
    }

    void step()
    {
        const std::size_t dice = m_random.below(1000);
        if (m_blocks.size() > m_most || (dice >= 450 && dice < 650 && !m_blocks.empty()))
            free(take());
        else if (dice < 450 || m_blocks.empty())
            allocate();
        else if (dice < 780)
            reallocate(take());
        else if (dice < 900)
            handOver();
        else if (dice < 960)
            checkAny();
        else if (dice < 985)
            takeFromMailbox();
        else if (dice < 998)
            refusals();
        else
            rarely();
    }

private:
    // Around the borders of classes, between them, and beyond.
    std::size_t someSize()
    {
        switch (m_random.below(16)) {
        case 0:
            return m_random.below(20000);
        case 1:
            return m_random.below(64) ? m_random.below(3000) : m_random.below(400000);
        case 2:
        case 3:
        case 4:
            return m_random.below(66) * 16 + m_random.below(3);
        case 5:
            return m_random.below(1100);
        default:
            return m_random.below(160);
        }
    }

    std::size_t someAlignment() { return std::size_t(1) << m_random.below(17); }

    void allocate()
    {
        FuzzedBlock block;
        block.size = someSize();
        block.number = numbers++;
        const std::size_t kind = m_random.below(16);
        errno = 4711;
        block.place = static_cast<char *>(allocate(kind, block));
        EXPECT_OF(block, errno == 4711);
        EXPECT_OF(block, block.place != nullptr);
        EXPECT_OF(block, std::uintptr_t(block.place) % block.alignment == 0);
        EXPECT_OF(block, malloc_usable_size(block.place) >= block.size);
        // Sometimes all usable bytes are used.
        if (block.origin == Origin::Malloc && m_random.below(4) == 0)
            block.size = malloc_usable_size(block.place);
        block.fill();
        m_blocks.push_back(block);
    }

    void *allocate(std::size_t kind, FuzzedBlock &block)
    {
        const std::size_t size = block.size;
        switch (kind) {
        case 0:
            return aligned_alloc(block.alignment = someAlignment(), size);
        case 1:
            return memalign(block.alignment = someAlignment(), size);
        case 2: {
            void *place = nullptr;
            block.alignment = sizeof(void *) << m_random.below(14);
            EXPECT_OF(block, posix_memalign(&place, block.alignment, size) == 0);
            return place;
        }
        case 3:
            block.alignment = 4096;
            return m_random.below(2) ? valloc(size) : pvalloc(size);
        case 4:
            block.origin = Origin::AlignedNew;
            return operator new(size, std::align_val_t(block.alignment = someAlignment()));
        case 5:
            block.origin = Origin::AlignedNewArray;
            return operator new[](size, std::align_val_t(block.alignment = someAlignment()),
                                  std::nothrow);
        case 6:
            block.origin = Origin::New;
            return m_random.below(2) ? operator new(size) : operator new(size, std::nothrow);
        case 7:
            block.origin = Origin::NewArray;
            return m_random.below(2) ? operator new[](size) : operator new[](size, std::nothrow);
        case 8:
            return reallocarray(nullptr, size, 1);
        case 9:
        case 10:
            block.place = static_cast<char *>(std::calloc(size, 1));
            EXPECT_OF(block, block.isZero());
            return block.place;
        default:
            return std::malloc(size);
        }
    }

    void free(const FuzzedBlock &block)
    {
        EXPECT_OF(block, block.isIntact());
        const bool sized = m_random.below(2);
        const auto alignment = std::align_val_t(block.alignment);
        errno = 4711;
        switch (block.origin) {
        case Origin::Malloc:
            std::free(block.place);
            break;
        // Not by the conditional operator: Clang, up to 22 at least, calls both then.
        case Origin::New:
            if (sized)
                operator delete(block.place, block.size);
            else
                operator delete(block.place);
            break;
        case Origin::NewArray:
            if (sized)
                operator delete[](block.place, block.size);
            else
                operator delete[](block.place);
            break;
        case Origin::AlignedNew:
            if (sized)
                operator delete(block.place, block.size, alignment);
            else
                operator delete(block.place, alignment);
            break;
        case Origin::AlignedNewArray:
            if (sized)
                operator delete[](block.place, block.size, alignment);
            else
                operator delete[](block.place, alignment);
            break;
        }
        EXPECT_OF(block, errno == 4711);
    }

    void reallocate(FuzzedBlock block)
    {
        if (block.origin != Origin::Malloc)
            return m_blocks.push_back(block);
        const std::size_t before = block.size;
        // Zero would free.
        block.size = 1 + (m_random.below(3) ? someSize() : before / 2 + m_random.below(before + 1));
        block.alignment = 16;
        block.place = static_cast<char *>(m_random.below(2)
                                                  ? std::realloc(block.place, block.size)
                                                  : reallocarray(block.place, 1, block.size));
        EXPECT_OF(block, block.place != nullptr);
        EXPECT_OF(block, std::uintptr_t(block.place) % 16 == 0);
        EXPECT_OF(block, block.isIntact(before < block.size ? before : block.size));
        EXPECT_OF(block, malloc_usable_size(block.place) >= block.size);
        block.number = numbers++;
        block.fill();
        m_blocks.push_back(block);
    }

    void checkAny()
    {
        const FuzzedBlock &block = m_blocks[m_random.below(m_blocks.size())];
        EXPECT_OF(block, block.isIntact());
    }

    // A child has no other threads, and their mailboxes may have been locked.
    void handOver()
    {
        if (!m_isChild)
            mailboxes[m_random.below(Threads)].put(take());
    }

    void takeFromMailbox()
    {
        if (m_isChild)
            return;
        for (const FuzzedBlock &block : mailboxes[m_random.below(Threads)].takeAll())
            m_random.below(3) ? free(block) : m_blocks.push_back(block);
    }

    void refusals()
    {
        FuzzedBlock block = m_blocks.empty() ? FuzzedBlock() : take();
        const volatile std::size_t tooMuch = SIZE_MAX - m_random.below(1 << 20);
        void *place = block.place;
        EXPECT_OF(block, std::malloc(tooMuch) == nullptr && errno == ENOMEM);
        EXPECT_OF(block, std::calloc(tooMuch / 16, 32) == nullptr);
        EXPECT_OF(block, aligned_alloc(64, tooMuch) == nullptr);
        EXPECT_OF(block, posix_memalign(&place, 24, 100) == EINVAL && place == block.place);
        EXPECT_OF(block, operator new(tooMuch, std::nothrow) == nullptr);
        if (!block.place)
            return;
        if (block.origin == Origin::Malloc) {
            EXPECT_OF(block, std::realloc(block.place, tooMuch) == nullptr);
            EXPECT_OF(block, reallocarray(block.place, tooMuch / 16, 32) == nullptr);
        }
        EXPECT_OF(block, block.isIntact());
        m_blocks.push_back(block);
    }

    void rarely()
    {
        switch (m_random.below(200)) {
        case 0:
            malloc_trim(0);
            break;
        case 1: {
            // The load swings, so that pages come and go.
            m_most = m_random.below(4000);
            const struct mallinfo2 statistics = mallinfo2();
            if (statistics.uordblks > statistics.arena + statistics.hblkhd)
                failed = true;
            break;
        }
        case 2:
            if (!m_isChild && exitCodeOfChild([this] { return useAllInChild(); }) != 0)
                failed = true;
            break;
        case 3:
            while (!m_blocks.empty())
                free(take());
            break;
        }
    }

    int useAllInChild()
    {
        m_isChild = true;
        for (int i = 0; i < 2000; ++i)
            step();
        while (!m_blocks.empty())
            free(take());
        return failed ? 1 : 0;
    }

    FuzzedBlock take()
    {
        std::swap(m_blocks[m_random.below(m_blocks.size())], m_blocks.back());
        const FuzzedBlock block = m_blocks.back();
        m_blocks.pop_back();
        return block;
    }

    RandomSource m_random;
    std::vector<FuzzedBlock> m_blocks;
    std::size_t m_most = 2000;
    bool m_isChild = false;
};

#endif // FUZZER_H
