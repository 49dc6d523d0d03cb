// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HOSTILESEGMENT_H
#define HOSTILESEGMENT_H

#include "sharedmemory/qpoolsharedcheck.h"
#include "sharedmemory/qpoolsharedlayout.h"
#include "sharedmemory/qpoolsharedlock.h"
#include "sharedmemory/qpoolsharedroots.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>

// A segment in this process's memory whose records were overwritten. The memory behind it must not be
// accessed.
class HostileSegment
{
public:
    static constexpr std::size_t Bytes = QPool::SharedHeader::MinBytes;

    explicit HostileSegment(QPool::SharedLockKind kind)
    {
        constexpr std::size_t guard = 1 << 20;
        void *memory = mmap(nullptr, Bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char *inside = static_cast<char *>(memory) + guard;
        if (memory == MAP_FAILED || mprotect(inside, Bytes, PROT_READ | PROT_WRITE) != 0)
            std::abort();
        m_heap = static_cast<QPool::SharedHeap *>(static_cast<void *>(inside));
        QPool::SharedLock::create(m_heap->lock, kind);
        QPool::SharedHeap::create(*m_heap, Bytes, kind, QPool::SharedAbi::own());
        std::memcpy(m_heap->magic, QPool::SharedHeader::Magic, sizeof m_heap->magic);
        // Blocks of all kinds, some of them freed again.
        std::vector<void *> blocks;
        for (int i = 0; i < 200; ++i)
            blocks.push_back(m_heap->allocate(std::size_t(16 + i % 7 * 40), 16));
        for (int i = 0; i < 5; ++i)
            m_heap->allocate(std::size_t(5000 + i * 3000), 16);
        for (std::size_t i = 0; i < blocks.size(); i += 3)
            m_heap->deallocate(blocks[i], 16 + i % 7 * 40, 16);
        QPool::SharedError error;
        QPool::SharedRoots roots(*m_heap);
        roots.finish(roots.begin("one", QPool::SharedType::of<int>(), error));
        roots.finish(roots.begin("two", QPool::SharedType::of<double>(), error));
        m_sample.resize(std::size_t(m_heap->metaPages) * QPool::SharedClasses::PageBytes);
        std::memcpy(m_sample.data(), m_heap, m_sample.size());
    }

    // The size of the copy of the metadata, from before anything was overwritten.
    std::size_t metadataBytes() const { return m_sample.size(); }
    char *metadata() { return m_heap->base(); }
    void reset() { std::memcpy(m_heap->base(), m_sample.data(), m_sample.size()); }

    // Calls attach() and check(), and if they find nothing, everything else.
    void examine()
    {
        using namespace QPool;
        if (SharedLayout::validate(*m_heap, Bytes, SharedAbi::own()) != SharedError::None)
            return;
        ++validated;
        if (!SharedLock::isHeldBy(m_heap->lock, Os::ThreadIdentity::current()) && !m_heap->enter(0))
            return;
        if (!m_heap->isBroken() && !SharedCheck(*m_heap).problem()) {
            ++sound;
            use();
        }
        // Uses what is there, without a crash.
        if (!m_heap->isBroken())
            m_heap->repair();
        if (!m_heap->isBroken() && m_heap->making.get())
            m_heap->repairRoots();
        if (!m_heap->isBroken())
            SharedCheck(*m_heap).problem();
        m_heap->leaveEntirely();
    }

    unsigned validated = 0;
    unsigned sound = 0;

private:
    void use()
    {
        using namespace QPool;
        void *blocks[40];
        for (int i = 0; i < 40; ++i) {
            blocks[i] = m_heap->allocate(std::size_t(1 + i * i * 5), 16);
            if (blocks[i] && (static_cast<char *>(blocks[i]) < m_heap->base() + metadataBytes()
                              || static_cast<char *>(blocks[i]) + 1 + i * i * 5 > m_heap->base() + Bytes))
                fail("a block is not within the segment");
        }
        if (const char *problem = SharedCheck(*m_heap).problem())
            fail(problem);
        for (int i = 0; i < 40; ++i) {
            if (blocks[i] && !m_heap->tryDeallocate(blocks[i], std::size_t(1 + i * i * 5), 16))
                fail("a block cannot be freed");
        }
        SharedError error;
        SharedRoots(*m_heap).find("one", SharedType::of<int>(), error);
        if (const char *problem = SharedCheck(*m_heap).problem())
            fail(problem);
    }

    [[noreturn]] static void fail(const char *problem)
    {
        std::fprintf(stderr, "after a sound walk: %s\n", problem);
        std::abort();
    }

    QPool::SharedHeap *m_heap;
    std::vector<char> m_sample;
};

#endif // HOSTILESEGMENT_H
