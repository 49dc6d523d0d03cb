// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolwalkremotes.h"
#include "qpoolwalkrecords.h"

namespace QPool {

WalkResult WalkRemotes::read()
{
    const auto &facts = m_facts.remoteCache;
    m_chunks.clear();
    m_linksRead = 0;
    Word head = 0;
    if (!m_memory.read(m_facts.registry.at + m_facts.registry.remoteCaches, &head))
        return WalkResult::Unreadable;
    const WalkResult result = WalkRecords::follow(m_memory, head, facts.next, facts.bytes,
                                                  m_limits.remoteCaches(facts.bytes),
                                                  WalkResult::EndlessRemoteCaches, &m_caches);
    if (result != WalkResult::Complete)
        return result;
    m_bins.resize(facts.count);
    for (const Word cache : m_caches) {
        if (!m_memory.read(cache + facts.bins, m_bins.data(), m_bins.size() * sizeof(Word)))
            return WalkResult::Unreadable;
        for (std::size_t slot = 0; slot < m_bins.size(); ++slot) {
            if (m_bins[slot] != 0)
                readSlot(cache + facts.slotArray + slot * facts.slotBytes);
        }
    }
    std::sort(m_chunks.begin(), m_chunks.end());
    return WalkResult::Complete;
}

// The owning thread may be filling or sending the batch, so the chunks read must be of one batch. If it
// is sent, the counts of its bin change; chunks that are added while it is read are ignored.
void WalkRemotes::readSlot(Word slot)
{
    constexpr int attempts = 4;
    const std::size_t known = m_chunks.size();
    for (int attempt = 0; attempt < attempts; ++attempt) {
        m_chunks.resize(known);
        if (tryReadSlot(slot))
            return;
    }
}

bool WalkRemotes::tryReadSlot(Word slot)
{
    const auto &facts = m_facts.remoteCache;
    Word batch = 0;
    std::uint32_t count = 0;
    if (!m_memory.read(slot + facts.batch, &batch) || !m_memory.read(slot + facts.held, &count)
        || count > m_facts.batch.capacity || m_chunks.size() + count > WalkLimits::MostRemoteChunks) {
        return false;
    }
    const std::size_t known = m_chunks.size();
    if (batch) {
        m_chunks.resize(known + count);
        if (!m_memory.read(batch + m_facts.batch.chunks, m_chunks.data() + known, count * sizeof(Word))) {
            m_chunks.resize(known);
            return false;
        }
    } else {
        Word first = 0;
        if (!m_memory.read(slot + facts.first, &first) || !readChain(first, count))
            return false;
    }
    Word batchAfter = 0;
    std::uint32_t countAfter = 0;
    return m_memory.read(slot + facts.batch, &batchAfter)
            && m_memory.read(slot + facts.held, &countAfter) && batchAfter == batch
            && countAfter >= count;
}

bool WalkRemotes::readChain(Word chunk, std::uint32_t count)
{
    for (; count > 0 && chunk; --count) {
        m_chunks.push_back(chunk);
        if (++m_linksRead > WalkLimits::MostRemoteLinks || !m_links.follow(&chunk))
            return false;
    }
    return count == 0;
}

} // namespace QPool
