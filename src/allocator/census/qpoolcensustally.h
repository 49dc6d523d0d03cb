// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCENSUSTALLY_H
#define QPOOLCENSUSTALLY_H

#include "qpoolclassnames.h"
#include "qpoolwalk.h"

namespace QPool {

// Counts live chunks by their first words. Its memory comes from the system, not from the pool. There are
// at most MostKinds counts, which is far more than any program has classes; chunks of yet another kind count
// as others.
class CensusTally final : public LiveChunkVisitor
{
public:
    // Stand for words that do not point into a module.
    static constexpr std::uintptr_t Other = 0;
    static constexpr std::uintptr_t Unloaded = 1; // an object whose module was unloaded

    static constexpr std::size_t MostKinds = std::size_t(1) << 18;

    struct Entry
    {
        std::uintptr_t word; // the first word, or one of the above
        std::uint32_t domain;
        std::int32_t eventType; // -1: no event
        std::uint64_t count; // 0: the entry is free
        std::uint64_t bytes;
    };

    // \a names remembers classes of unloaded modules; \a pool recognises the pool's own addresses.
    CensusTally(const Mappings &mappings, const ClassNames &names, const PoolWalk &pool);

    void begin() override { m_current.clear(); }
    void chunk(const LiveChunk &chunk) override;
    void commit() override;
    void discard() override { m_current.clear(); }

    template <class Visitor>
    void forEach(Visitor &&visit) const
    {
        for (const Entry &entry : m_total.entries) {
            if (entry.count != 0)
                visit(entry);
        }
    }

private:
    // Open addressing. The size is a power of two, and at least half of the entries are free.
    struct Table
    {
        static constexpr std::size_t FirstSize = 1024;

        SystemVector<Entry> entries = SystemVector<Entry>(FirstSize);
        std::size_t used = 0;

        void add(const Entry &entry);
        void clear();

    private:
        Entry &find(const Entry &entry);
        void grow();
    };

    std::uintptr_t sorted(std::uintptr_t word, unsigned domain) const;

    const Mappings &m_mappings;
    const ClassNames &m_names;
    const PoolWalk &m_pool;
    Table m_current; // of the size class that is being read
    Table m_total;
    // The last lookup: neighbours are often alike.
    std::uintptr_t m_lastWord = Other;
    std::uintptr_t m_lastSorted = Other;
    unsigned m_lastDomain = 0;
};

} // namespace QPool

#endif // QPOOLCENSUSTALLY_H
