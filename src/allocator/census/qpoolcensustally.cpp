// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcensustally.h"

#include <algorithm>

namespace QPool {

namespace {

#if defined(__aarch64__)
constexpr unsigned addressBits = 48;
#else
constexpr unsigned addressBits = sizeof(void *) == 8 ? 47 : 32;
#endif
constexpr std::uintptr_t highestAddress = ~std::uintptr_t(0) >> (8 * sizeof(void *) - addressBits);

} // namespace

CensusTally::CensusTally(const Mappings &mappings, const ClassNames &names, const PoolWalk &pool)
    : m_mappings(mappings)
    , m_names(names)
    , m_pool(pool)
{
}

std::uintptr_t CensusTally::sorted(std::uintptr_t word, unsigned domain) const
{
    if (ClassNames::mayBeVtable(word, m_mappings))
        return word;
    // Objects and events begin with an address in a vtable. If it is in no module, that module was
    // unloaded, and other memory may be there by now. But a chunk whose object is not constructed yet still
    // begins with the link that it had while it was free.
    const bool isAddress = word % sizeof(word) == 0 && word >= 65536 && word <= highestAddress;
    if (!isAddress || m_pool.contains(word))
        return Other;
    if (m_names.isKnown(word) && domain != PoolWalk::HeapDomain)
        return word;
    return domain == PoolWalk::EventDomain || domain == PoolWalk::ObjectDomain ? Unloaded : Other;
}

void CensusTally::chunk(const LiveChunk &chunk)
{
    if (chunk.words[0] != m_lastWord || chunk.domain != m_lastDomain) {
        m_lastWord = chunk.words[0];
        m_lastDomain = chunk.domain;
        m_lastSorted = sorted(m_lastWord, m_lastDomain);
    }
    Entry entry { m_lastSorted, chunk.domain, -1, 1, chunk.size };
    // QEvent's first member, behind its vtable pointer.
    if (chunk.domain == PoolWalk::EventDomain && m_lastSorted != Other)
        entry.eventType = std::uint16_t(chunk.words[1]);
    m_current.add(entry);
}

void CensusTally::commit()
{
    for (const Entry &entry : m_current.entries) {
        if (entry.count != 0)
            m_total.add(entry);
    }
    m_current.clear();
}

// The entry of that kind, or a free one.
CensusTally::Entry &CensusTally::Table::find(const Entry &entry)
{
    const std::size_t mask = entries.size() - 1;
    std::size_t place = (entry.word >> 3) * 0x9E3779B97F4A7C15u >> 20;
    place += entry.domain * 7 + std::size_t(entry.eventType + 1) * 13;
    for (;; ++place) {
        Entry &there = entries[place & mask];
        const bool isSame = there.word == entry.word && there.domain == entry.domain
                && there.eventType == entry.eventType;
        if (there.count == 0 || isSame)
            return there;
    }
}

void CensusTally::Table::add(const Entry &entry)
{
    Entry *there = &find(entry);
    if (there->count == 0) {
        const bool isFull = used >= MostKinds;
        const Entry other { Other, entry.domain, -1, entry.count, entry.bytes };
        if (isFull)
            there = &find(other);
        if (there->count == 0) {
            *there = isFull ? other : entry;
            if (++used * 2 > entries.size())
                grow();
            return;
        }
    }
    there->count += entry.count;
    there->bytes += entry.bytes;
}

void CensusTally::Table::grow()
{
    SystemVector<Entry> old(entries.size() * 2);
    old.swap(entries);
    for (const Entry &entry : old) {
        if (entry.count != 0)
            find(entry) = entry;
    }
}

void CensusTally::Table::clear()
{
    if (used == 0)
        return;
    // Back to the first size: otherwise one class with many kinds would make all that follow it slow.
    entries.assign(FirstSize, Entry {});
    used = 0;
}

} // namespace QPool
