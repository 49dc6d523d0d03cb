// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALKREMOTES_H
#define QPOOLWALKREMOTES_H

#include "qpoollayoutfacts.h"
#include "qpoolsystemallocator.h"
#include "qpoolwalklimits.h"

namespace QPool {

// The chunk that a free chunk is linked to. A hardened pool mixes the link with a key.
class WalkLinks
{
public:
    using Word = std::uintptr_t;

    WalkLinks(const ReadableMemory &memory, const LayoutFacts &facts)
        : m_memory(memory), m_facts(facts)
    {
    }

    bool readKey() noexcept
    {
        m_key = m_facts.hardening.key;
        return m_facts.hardening.level < 2 || m_memory.read(m_facts.hardening.key, &m_key);
    }

    // False if the chunk can't be read. Replaces it by the next one.
    bool follow(Word *chunk) const noexcept
    {
        Word link = 0;
        if (!m_memory.read(*chunk + m_facts.chunk.link, &link))
            return false;
        *chunk = decode(link, *chunk);
        return true;
    }

    Word decode(Word link, Word chunk) const noexcept
    {
        switch (m_facts.hardening.level) {
        case 0:
            return link;
        case 1:
            return link ^ m_key * 0x9E3779B1u ^ chunk >> 4 ^ 0x5A5A;
        default:
            return link ^ m_key ^ chunk >> 4;
        }
    }

private:
    const ReadableMemory &m_memory;
    const LayoutFacts &m_facts;
    Word m_key = 0;
};

// The chunks in all remote caches: threads freed them and did not return them to their owners yet. If there
// are more than WalkLimits allows, the others are missing, and their bins count as moving.
class WalkRemotes
{
public:
    using Word = std::uintptr_t;

    WalkRemotes(const ReadableMemory &memory, const LayoutFacts &facts, const WalkLimits &limits,
                const WalkLinks &links)
        : m_memory(memory), m_facts(facts), m_limits(limits), m_links(links)
    {
    }

    WalkResult read();

    // Sorted.
    const SystemVector<Word> &chunks() const noexcept { return m_chunks; }

private:
    void readSlot(Word slot);
    bool tryReadSlot(Word slot);
    bool readChain(Word chunk, std::uint32_t count);

    const ReadableMemory &m_memory;
    const LayoutFacts &m_facts;
    const WalkLimits &m_limits;
    const WalkLinks &m_links;
    SystemVector<Word> m_caches;
    SystemVector<Word> m_bins; // of one remote cache's slots
    SystemVector<Word> m_chunks;
    std::size_t m_linksRead = 0;
};

} // namespace QPool

#endif // QPOOLWALKREMOTES_H
