// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolwalk.h"

#include <algorithm>
#include <cstring>

namespace QPool {

namespace {

// A longer list has no end.
constexpr std::size_t MostArenas = 65536;
constexpr std::size_t MostRemoteCaches = 65536;
constexpr std::size_t MostBatches = 1 << 20;
constexpr std::size_t LongestChain = std::size_t(1) << 28;
constexpr std::size_t BatchCapacity = 4096;

} // namespace

const char *PoolWalk::domainName(unsigned domain) noexcept
{
    static constexpr const char *names[] = { "event", "object", "private", "heap" };
    return names[std::min(domain, 3u)];
}

template <class Value>
Value PoolWalk::at(const unsigned char *data, Word offset)
{
    Value value;
    std::memcpy(&value, data + offset, sizeof(value));
    return value;
}

PoolWalk::PoolWalk(const ProcessMemory &memory, const LayoutFacts &facts)
    : m_memory(memory)
    , m_facts(facts)
{
}

bool PoolWalk::run(LiveChunkVisitor &visitor)
{
    m_linkKey = m_facts.link.key;
    if (m_facts.link.level == 2 && !m_memory.read(m_facts.link.keyAt, &m_linkKey))
        return false;
    const auto &span = m_facts.span;
    if (!m_memory.read(span.at + span.base, &m_spanBase)
        || !m_memory.read(span.at + span.size, &m_spanSize) || !readArenas() || !readBins()) {
        return false;
    }
    for (unsigned round = 1; !m_pending.empty(); ++round) {
        // In this order: a bin's state before everything that is checked against it.
        if ((round > 1 && !readBefore()) || !readRemoteCaches() || !readPages())
            return false;
        for (Bin &bin : m_bins) {
            if (bin.done)
                continue;
            std::uint64_t live = 0;
            visitor.begin();
            const bool exact = walk(bin, visitor, &live) == Exact;
            if (!exact && round < Rounds) {
                visitor.discard();
                continue;
            }
            visitor.commit();
            bin.done = true;
            Arena &arena = m_arenas[bin.arena];
            arena.live += live;
            if (!exact) {
                ++arena.moving;
                arena.uncertain += live;
            }
        }
        m_pending.clear();
        for (const Bin &bin : m_bins) {
            if (!bin.done)
                m_pending.push_back(bin.address);
        }
        std::sort(m_pending.begin(), m_pending.end());
    }
    return true;
}

bool PoolWalk::readArenas()
{
    Word place = 0;
    if (!m_memory.read(m_facts.registry.at + m_facts.registry.arenas, &place))
        return false;
    for (; place && m_arenas.size() < MostArenas;) {
        const auto &facts = m_facts.arena;
        Arena arena {};
        std::uint8_t orphaned = 0;
        std::uint8_t state = 0;
        arena.address = place;
        if (!m_memory.read(place + facts.id, &arena.id)
            || !m_memory.read(place + facts.thread, &arena.thread)
            || !m_memory.read(place + facts.orphaned, &orphaned)
            || !m_memory.read(place + facts.state, &state)
            || !m_memory.read(place + facts.next, &place)) {
            return false;
        }
        arena.orphaned = orphaned != 0;
        arena.parked = state & 1;
        m_arenas.push_back(arena);
    }
    return true;
}

// Reads the bins of all arenas, and finds the used ones.
bool PoolWalk::readBins()
{
    const auto &facts = m_facts.bin;
    m_buffer.resize(facts.bytes * facts.count);
    for (std::size_t index = 0; index < m_arenas.size(); ++index) {
        Word first = 0;
        if (!m_memory.read(m_arenas[index].address + m_facts.arena.bins, &first)
            || !m_memory.read(first, m_buffer.data(), facts.bytes * facts.count)) {
            return false;
        }
        for (std::size_t i = 0; i < facts.count; ++i) {
            const unsigned char *data = m_buffer.data() + i * facts.bytes;
            if (at<std::uint32_t>(data, facts.chunkSize) == 0)
                continue;
            Bin bin {};
            bin.address = first + i * facts.bytes;
            bin.arena = std::uint32_t(index);
            bin.domain = std::uint32_t(std::min<Word>(i / facts.perDomain, 3));
            std::memcpy(bin.before, data, facts.state);
            m_bins.push_back(bin);
            m_pending.push_back(bin.address);
        }
    }
    std::sort(m_pending.begin(), m_pending.end());
    return true;
}

bool PoolWalk::readBefore()
{
    for (Bin &bin : m_bins) {
        if (!bin.done && !m_memory.read(bin.address, bin.before, m_facts.bin.state))
            return false;
    }
    return true;
}

bool PoolWalk::isPending(Word bin) const
{
    return std::binary_search(m_pending.begin(), m_pending.end(), bin);
}

bool PoolWalk::readPages()
{
    const auto &facts = m_facts.header;
    const auto &span = m_facts.span;
    Word base = 0;
    Word headers = 0;
    std::uint32_t shift = 0;
    m_pages.clear();
    if (!m_memory.read(span.at + span.base, &base)
        || !m_memory.read(span.at + span.headersOfZero, &headers)
        || !m_memory.read(span.at + span.rangeShift, &shift)) {
        return false;
    }
    const std::size_t step = std::max<std::size_t>(1, (std::size_t(1) << 18) / facts.bytes);
    m_buffer.resize(step * facts.bytes);
    for (Word range = 0; range < span.ranges && shift < 8 * sizeof(Word); ++range) {
        std::uint32_t fresh = 0;
        if (!m_memory.read(span.at + span.fresh + range * sizeof(fresh), &fresh))
            return false;
        const Word start = base + (range << shift);
        for (std::size_t first = 0; first < fresh; first += step) {
            const std::size_t count = std::min<std::size_t>(step, fresh - first);
            const Word number = start / m_facts.page.bytes + first;
            if (!m_memory.read(headers + number * facts.bytes, m_buffer.data(),
                               count * facts.bytes)) {
                return false;
            }
            for (std::size_t i = 0; i < count; ++i) {
                const unsigned char *data = m_buffer.data() + i * facts.bytes;
                Page page {};
                page.bin = at<Word>(data, facts.bin);
                if (!at<Word>(data, facts.owner) || !page.bin || !isPending(page.bin))
                    continue;
                page.start = (number + i) * m_facts.page.bytes;
                page.free = at<Word>(data, facts.free);
                page.fresh = at<std::uint32_t>(data, facts.fresh);
                page.capacity = at<std::uint32_t>(data, facts.capacity);
                page.chunkSize = at<std::uint32_t>(data, facts.chunkSize);
                m_pages.push_back(page);
            }
        }
    }
    std::sort(m_pages.begin(), m_pages.end(), [](const Page &one, const Page &other) {
        return one.bin != other.bin ? one.bin < other.bin : one.start < other.start;
    });
    return true;
}

// The chunks that threads freed and did not return to their owners yet.
bool PoolWalk::readRemoteCaches()
{
    const auto &facts = m_facts.remoteCache;
    m_remoteChunks.clear();
    Word remoteCache = 0;
    if (!m_memory.read(m_facts.registry.at + m_facts.registry.remoteCaches, &remoteCache))
        return false;
    m_buffer.resize(facts.count * sizeof(Word));
    for (std::size_t seen = 0; remoteCache && seen < MostRemoteCaches; ++seen) {
        if (!m_memory.read(remoteCache + facts.bins, m_buffer.data(), m_buffer.size()))
            return false;
        for (Word slot = 0; slot < facts.count; ++slot) {
            if (at<Word>(m_buffer.data(), slot * sizeof(Word)) != 0)
                readSlot(remoteCache + facts.slotArray + slot * facts.slotBytes);
        }
        if (!m_memory.read(remoteCache + facts.next, &remoteCache))
            return false;
    }
    std::sort(m_remoteChunks.begin(), m_remoteChunks.end());
    return true;
}

// The owning thread may be filling or sending the batch, so the chunks read must be of one batch. If it
// is sent, the counts of its bin change; chunks that are added while it is read are ignored.
void PoolWalk::readSlot(Word slot)
{
    constexpr int attempts = 4;
    const auto &facts = m_facts.remoteCache;
    const std::size_t known = m_remoteChunks.size();
    for (int attempt = 0; attempt < attempts; ++attempt) {
        m_remoteChunks.resize(known);
        Word batch = 0;
        Word batchAfter = 0;
        std::uint32_t count = 0;
        std::uint32_t countAfter = 0;
        if (!m_memory.read(slot + facts.batch, &batch)
            || !m_memory.read(slot + facts.held, &count) || count > BatchCapacity) {
            continue;
        }
        if (batch) {
            m_remoteChunks.resize(known + count);
            if (!m_memory.read(batch + m_facts.batch.chunks, m_remoteChunks.data() + known,
                               count * sizeof(Word))) {
                m_remoteChunks.resize(known);
            }
        } else {
            Word chunk = 0;
            if (!m_memory.read(slot + facts.first, &chunk))
                continue;
            for (std::uint32_t i = 0; i < count && chunk; ++i) {
                m_remoteChunks.push_back(chunk);
                Word link = 0;
                if (!m_memory.read(chunk + m_facts.link.at, &link))
                    break;
                chunk = decode(link, chunk);
            }
        }
        if (m_memory.read(slot + facts.batch, &batchAfter)
            && m_memory.read(slot + facts.held, &countAfter) && batchAfter == batch
            && countAfter >= count && m_remoteChunks.size() == known + count) {
            return;
        }
    }
}

PoolWalk::Word PoolWalk::decode(Word link, Word chunk) const
{
    switch (m_facts.link.level) {
    case 0:
        return link;
    case 1:
        return link ^ m_linkKey * 0x9E3779B1u ^ chunk >> 4 ^ 0x5A5A;
    default:
        return link ^ m_linkKey ^ chunk >> 4;
    }
}

PoolWalk::Outcome PoolWalk::walk(Bin &bin, LiveChunkVisitor &visitor, std::uint64_t *live)
{
    struct ByBin
    {
        bool operator()(const Page &page, Word bin) const { return page.bin < bin; }
        bool operator()(Word bin, const Page &page) const { return bin < page.bin; }
    };
    const auto pages = std::equal_range(m_pages.data(), m_pages.data() + m_pages.size(),
                                        bin.address, ByBin());
    m_firstPage = pages.first;
    m_endPage = pages.second;

    std::uint64_t inRemoteCaches = 0;
    if (!prepareMarks())
        return Moved;
    bool sound = markFree(bin, &inRemoteCaches);
    for (const Page *page = m_firstPage; page != m_endPage; ++page)
        sound &= visitPage(*page, bin.domain, visitor, live);

    unsigned char after[MostStateBytes];
    const auto &facts = m_facts.bin;
    if (!sound || !m_memory.read(bin.address, after, facts.state)
        || std::memcmp(bin.before, after, facts.state) != 0) {
        return Moved;
    }
    const Word held = at<Word>(bin.before, facts.level) & facts.heldMask;
    const Word counted = at<Word>(bin.before, facts.loaded) - held
            - at<Word>(bin.before, facts.pushed) - Word(inRemoteCaches);
    return Word(*live) == counted ? Exact : Moved;
}

bool PoolWalk::prepareMarks()
{
    constexpr std::uint32_t bits = 64;
    std::size_t words = 0;
    bool sound = true;
    for (Page *page = const_cast<Page *>(m_firstPage); page != m_endPage; ++page) {
        sound &= page->chunkSize >= sizeof(Word) && page->fresh <= page->capacity
                && std::uint64_t(page->capacity) * page->chunkSize <= m_facts.page.bytes;
        if (!sound)
            return false;
        page->marks = std::uint32_t(words);
        words += (page->capacity + bits - 1) / bits;
    }
    m_marks.assign(words, 0);
    return true;
}

bool PoolWalk::markFree(const Bin &bin, std::uint64_t *inRemoteCaches)
{
    const auto &facts = m_facts.bin;
    const Word held = at<Word>(bin.before, facts.level) & facts.heldMask;
    bool sound = markArray(at<Word>(bin.before, facts.magazine), held)
            && markChain(at<Word>(bin.before, facts.backlog))
            && markChain(at<Word>(bin.before, facts.keptChunks))
            && markBatches(at<Word>(bin.before, facts.batches))
            && markBatches(at<Word>(bin.before, facts.keptBatches));
    for (const Page *page = m_firstPage; page != m_endPage; ++page) {
        const auto end = m_remoteChunks.end();
        for (auto it = std::lower_bound(m_remoteChunks.begin(), end, page->start);
             it != end && *it < page->start + m_facts.page.bytes; ++it) {
            sound &= mark(*it);
            ++*inRemoteCaches;
        }
    }
    return sound;
}

bool PoolWalk::markChain(Word chunk)
{
    for (std::size_t i = 0; chunk; ++i) {
        Word link = 0;
        if (i == LongestChain || !mark(chunk) || !m_memory.read(chunk + m_facts.link.at, &link))
            return false;
        chunk = decode(link, chunk);
    }
    return true;
}

bool PoolWalk::markBatches(Word batch)
{
    for (std::size_t i = 0; batch; ++i) {
        std::uint32_t count = 0;
        if (i == MostBatches || !m_memory.read(batch + m_facts.batch.count, &count)
            || count > BatchCapacity || !markArray(batch + m_facts.batch.chunks, count)
            || !m_memory.read(batch + m_facts.batch.next, &batch)) {
            return false;
        }
    }
    return true;
}

bool PoolWalk::markArray(Word array, std::size_t count)
{
    constexpr std::size_t step = 64;
    Word chunks[step];
    while (count > 0) {
        const std::size_t now = std::min(step, count);
        if (!m_memory.read(array, chunks, now * sizeof(Word)))
            return false;
        for (std::size_t i = 0; i < now; ++i) {
            if (!mark(chunks[i]))
                return false;
        }
        array += now * sizeof(Word);
        count -= now;
    }
    return true;
}

// False if the address is no chunk of the bin, or if the chunk is free already.
bool PoolWalk::mark(Word chunk)
{
    const Page *page = std::upper_bound(m_firstPage, m_endPage, chunk,
                                        [](Word address, const Page &behind) {
                                            return address < behind.start;
                                        });
    if (page == m_firstPage)
        return false;
    --page;
    const Word offset = chunk - page->start;
    const Word index = offset / page->chunkSize;
    if (index >= page->fresh || offset % page->chunkSize != 0)
        return false;
    std::uint64_t &word = m_marks[page->marks + index / 64];
    const std::uint64_t bit = std::uint64_t(1) << index % 64;
    const bool first = !(word & bit);
    word |= bit;
    return first;
}

bool PoolWalk::visitPage(const Page &page, unsigned domain, LiveChunkVisitor &visitor,
                         std::uint64_t *live)
{
    const std::size_t bytes = std::size_t(page.fresh) * page.chunkSize;
    if (bytes > m_facts.page.bytes)
        return false;
    m_content.resize(m_facts.page.bytes);
    if (!m_memory.read(page.start, m_content.data(), bytes))
        return false;
    Word chunk = page.free;
    for (std::uint32_t i = 0; chunk; ++i) {
        if (i == page.capacity || chunk < page.start || chunk - page.start >= bytes
            || !mark(chunk)) {
            return false;
        }
        const Word offset = chunk - page.start + m_facts.link.at;
        if (offset + sizeof(Word) > bytes)
            return false;
        chunk = decode(at<Word>(m_content.data(), offset), chunk);
    }
    LiveChunk found {};
    found.size = page.chunkSize;
    found.domain = domain;
    for (std::uint32_t i = 0; i < page.fresh; ++i) {
        if (m_marks[page.marks + i / 64] >> i % 64 & 1)
            continue;
        const std::size_t offset = std::size_t(i) * page.chunkSize;
        found.address = page.start + offset;
        std::memcpy(found.words, m_content.data() + offset,
                    std::min<std::size_t>(sizeof(found.words), page.chunkSize));
        visitor.chunk(found);
        ++*live;
    }
    return true;
}

} // namespace QPool
