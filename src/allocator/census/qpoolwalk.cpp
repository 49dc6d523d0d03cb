// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolwalk.h"
#include "qpoolwalkrecords.h"

namespace QPool {

using WalkRecords::at;

const char *problemOf(WalkResult result) noexcept
{
    switch (result) {
    case WalkResult::Complete:
    case WalkResult::Unreadable:
        break;
    case WalkResult::EndlessArenas:
        return "its list of arenas has no end";
    case WalkResult::EndlessRemoteCaches:
        return "its list of remote caches has no end";
    case WalkResult::OddBins:
        return "an arena's bins lie outside of it";
    case WalkResult::ManyBins:
        return "it has more bins than any process";
    case WalkResult::OddWindows:
        return "its pages lie outside of their windows";
    case WalkResult::ManyPages:
        return "it has more pages than the process has memory";
    }
    return "";
}

const char *PoolWalk::domainName(unsigned domain) noexcept
{
    static constexpr const char *names[] = { "event", "object", "private", "heap" };
    return names[std::min(domain, 3u)];
}

PoolWalk::PoolWalk(const ReadableMemory &memory, const LayoutFacts &facts, std::uint64_t mappedBytes)
    : m_memory(memory)
    , m_facts(facts)
    , m_limits(mappedBytes)
    , m_links(memory, facts)
    , m_pages(memory, facts, m_limits)
    , m_remotes(memory, facts, m_limits, m_links)
    , m_marks(memory, facts, m_links)
{
}

WalkResult PoolWalk::run(LiveChunkVisitor &visitor)
{
    if (!m_links.readKey())
        return WalkResult::Unreadable;
    WalkResult result = readArenas();
    if (result == WalkResult::Complete)
        result = readBins();
    findPending();
    for (unsigned round = 1; result == WalkResult::Complete && !m_pending.empty(); ++round) {
        // In this order: a bin's state before everything that is checked against it.
        if (round > 1 && !readBefore())
            return WalkResult::Unreadable;
        result = m_remotes.read();
        if (result == WalkResult::Complete)
            result = m_pages.read(m_pending);
        if (result != WalkResult::Complete)
            break;
        for (std::size_t i = 0; i < m_bins.size(); ++i) {
            Bin &bin = m_bins[i];
            if (bin.done)
                continue;
            std::uint64_t live = 0;
            visitor.begin();
            const bool exact = walk(i, visitor, &live);
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
        findPending();
    }
    return result;
}

WalkResult PoolWalk::readArenas()
{
    const auto &facts = m_facts.arena;
    Word head = 0;
    if (!m_memory.read(m_facts.registry.at + m_facts.registry.arenas, &head))
        return WalkResult::Unreadable;
    SystemVector<Word> places;
    const WalkResult result = WalkRecords::follow(m_memory, head, facts.next, facts.bytes,
                                                  m_limits.arenas(facts.bytes),
                                                  WalkResult::EndlessArenas, &places);
    if (result != WalkResult::Complete)
        return result;
    m_arenas.reserve(places.size());
    for (const Word place : places) {
        Arena arena {};
        std::uint8_t orphaned = 0;
        std::uint8_t state = 0;
        arena.address = place;
        if (!m_memory.read(place + facts.id, &arena.id)
            || !m_memory.read(place + facts.thread, &arena.thread)
            || !m_memory.read(place + facts.orphaned, &orphaned)
            || !m_memory.read(place + facts.state, &state)) {
            return WalkResult::Unreadable;
        }
        arena.orphaned = orphaned != 0;
        arena.parked = state & 1;
        m_arenas.push_back(arena);
    }
    return WalkResult::Complete;
}

// Reads the bins of all arenas, which contain them, and finds the used ones.
WalkResult PoolWalk::readBins()
{
    const std::size_t most = m_limits.bins(sizeof(Bin) + m_facts.bin.state);
    for (std::size_t index = 0; index < m_arenas.size(); ++index) {
        Word first = 0;
        if (!m_memory.read(m_arenas[index].address + m_facts.arena.bins, &first))
            return WalkResult::Unreadable;
        const Word offset = first - m_arenas[index].address;
        if (offset > m_facts.arena.bytes
            || m_facts.bin.bytes * m_facts.bin.count > m_facts.arena.bytes - offset) {
            return WalkResult::OddBins;
        }
        if (!readBinsOf(index, first))
            return WalkResult::Unreadable;
        if (m_bins.size() > most)
            return WalkResult::ManyBins;
    }
    std::sort(m_parts.begin(), m_parts.end(), [](const Part &one, const Part &other) {
        return one.home < other.home;
    });
    return WalkResult::Complete;
}

bool PoolWalk::readBinsOf(std::size_t arena, Word first)
{
    const auto &facts = m_facts.bin;
    m_content.resize(facts.bytes * facts.count);
    if (!m_memory.read(first, m_content.data(), m_content.size()))
        return false;
    for (std::size_t i = 0; i < facts.count; ++i) {
        const unsigned char *data = m_content.data() + i * facts.bytes;
        if (at<std::uint32_t>(data, facts.chunkSize) == 0)
            continue;
        Bin bin {};
        bin.address = first + i * facts.bytes;
        bin.arena = std::uint32_t(arena);
        bin.domain = std::uint8_t(std::min<Word>(i / facts.perDomain, 3));
        if (const auto home = at<Word>(data, facts.home)) {
            m_parts.push_back({ home + (bin.address - m_arenas[arena].address), m_bins.size() });
            bin.done = true; // has no pages
        }
        m_bins.push_back(bin);
        m_states.insert(m_states.end(), data, data + facts.state);
    }
    return true;
}

bool PoolWalk::readBefore()
{
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        if (!m_bins[i].done && !m_memory.read(m_bins[i].address, stateOf(i), m_facts.bin.state))
            return false;
    }
    for (const Part &part : m_parts) {
        if (!m_memory.read(m_bins[part.bin].address, stateOf(part.bin), m_facts.bin.state))
            return false;
    }
    return true;
}

void PoolWalk::findPending()
{
    m_pending.clear();
    for (const Bin &bin : m_bins) {
        if (!bin.done)
            m_pending.push_back(bin.address);
    }
    std::sort(m_pending.begin(), m_pending.end());
}

bool PoolWalk::walk(std::size_t index, LiveChunkVisitor &visitor, std::uint64_t *live)
{
    const Bin &bin = m_bins[index];
    const WalkPages::Range pages = m_pages.of(bin.address);
    if (!m_marks.begin(pages))
        return false;
    Word counted = 0;
    bool sound = true;
    forEachPart(index, [&](std::size_t part) { sound &= markFree(part, &counted); });
    counted -= Word(markRemote(pages, &sound));
    for (const WalkPages::Page *page = pages.first; page != pages.end; ++page)
        sound &= visitPage(*page, bin.domain, visitor, live);
    forEachPart(index, [&](std::size_t part) { sound = sound && isUnchanged(part); });
    return sound && Word(*live) == counted;
}

template <class Use>
void PoolWalk::forEachPart(std::size_t bin, Use &&use)
{
    use(bin);
    const Word address = m_bins[bin].address;
    for (auto it = std::lower_bound(m_parts.begin(), m_parts.end(), address,
                                    [](const Part &part, Word home) { return part.home < home; });
         it != m_parts.end() && it->home == address; ++it)
        use(it->bin);
}

bool PoolWalk::isUnchanged(std::size_t bin)
{
    unsigned char after[WalkLimits::MostStateBytes];
    return m_memory.read(m_bins[bin].address, after, m_facts.bin.state)
            && std::memcmp(stateOf(bin), after, m_facts.bin.state) == 0;
}

// Adds to \a counted how many chunks are live by the counts of the bin.
bool PoolWalk::markFree(std::size_t bin, Word *counted)
{
    const auto &facts = m_facts.bin;
    const unsigned char *before = stateOf(bin);
    const Word held = at<Word>(before, facts.level) & facts.heldMask;
    *counted += at<Word>(before, facts.loaded) - held - at<Word>(before, facts.pushed);
    return m_marks.markArray(at<Word>(before, facts.magazine), held)
            && m_marks.markChain(at<Word>(before, facts.backlog))
            && m_marks.markChain(at<Word>(before, facts.keptChunks))
            && m_marks.markBatches(at<Word>(before, facts.batches))
            && m_marks.markBatches(at<Word>(before, facts.keptBatches));
}

// Returns how many of the pages' chunks are in remote caches.
std::uint64_t PoolWalk::markRemote(WalkPages::Range pages, bool *sound)
{
    std::uint64_t count = 0;
    const auto &remote = m_remotes.chunks();
    for (const WalkPages::Page *page = pages.first; page != pages.end; ++page) {
        for (auto it = std::lower_bound(remote.begin(), remote.end(), page->start);
             it != remote.end() && *it - page->start < m_facts.page.bytes; ++it) {
            *sound &= m_marks.mark(*it);
            ++count;
        }
    }
    return count;
}

// The header is checked already, see WalkMarks::begin().
bool PoolWalk::visitPage(const WalkPages::Page &page, unsigned domain, LiveChunkVisitor &visitor,
                         std::uint64_t *live)
{
    // Only the beginning of the last chunk, which may be the only one and large.
    const std::size_t ofChunk = std::max(sizeof(LiveChunk::words), std::size_t(m_facts.chunk.link) + sizeof(Word));
    const std::size_t bytes = page.fresh == 0 ? 0 : (page.fresh - 1) * std::size_t(page.chunkSize)
            + std::min<std::size_t>(ofChunk, page.chunkSize);
    m_content.resize(m_facts.page.bytes);
    if (!m_memory.read(page.start, m_content.data(), bytes))
        return false;
    Word chunk = page.free;
    for (std::uint32_t left = page.fresh - page.used; left > 0; --left) {
        if (chunk - page.start >= bytes || !m_marks.mark(chunk))
            return false;
        const Word link = m_links.decode(at<Word>(m_content.data(), chunk - page.start + m_facts.chunk.link), chunk);
        chunk = link ? link : chunk + page.chunkSize; // see PageChunks
    }
    LiveChunk found {};
    found.size = page.chunkSize;
    found.domain = domain;
    for (std::uint32_t i = 0; i < page.fresh; ++i) {
        if (m_marks.isFree(page, i))
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
