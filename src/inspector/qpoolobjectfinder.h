// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOBJECTFINDER_H
#define QPOOLOBJECTFINDER_H

#include "census/qpoolclassnames.h"
#include "census/qpoolwalk.h"
#include "qpoolobjectfacts.h"

#include <vector>

namespace QPool {

// Collects the chunks that may be objects or private parts: both begin with the address of a vtable, and a pointer
// to the other one.
class ObjectFinder final : public LiveChunkVisitor
{
public:
    using Word = std::uintptr_t;
    static constexpr std::size_t MostObjects = std::size_t(1) << 24;

    explicit ObjectFinder(const Mappings &mappings) : m_mappings(mappings) { }

    void begin() override { m_current = m_chunks.size(); }
    void chunk(const LiveChunk &chunk) override;
    void commit() override { }
    void discard() override { m_chunks.resize(m_current); }

    // The addresses of the objects whose class, or that of whose private part, has this name; sorted. QML's objects
    // of the class are among them.
    std::vector<Word> find(const ObjectFacts &facts, ClassNames &names, const std::string &type) const;

private:
    struct Chunk
    {
        Word address;
        Word vtable;
        Word other;
    };

    const Mappings &m_mappings;
    SystemVector<Chunk> m_chunks;
    std::size_t m_current = 0;
};

} // namespace QPool

#endif // QPOOLOBJECTFINDER_H
