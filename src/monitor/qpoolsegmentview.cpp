// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsegmentreading_p.h"

namespace QPool {

using namespace SegmentReading;

namespace {

// Far beyond what any process has. They bound the work that a damaged segment can cause.
constexpr std::uint32_t MostBins = 4096;
constexpr std::uint32_t MostArenas = 65536;
constexpr std::uint32_t LargestChunk = 1u << 20;

bool isText(const char *text, std::size_t room)
{
    const char *end = static_cast<const char *>(std::memchr(text, '\0', room));
    return end && std::all_of(text, end, [](char c) { return c > ' ' && c <= '~'; });
}

// The requirements on a pool's header.
class HeaderChecks : public Checks
{
public:
    explicit HeaderChecks(const SegmentHeader &header)
        : m_header(header)
    {
    }

    void whole()
    {
        const SegmentHeader &h = m_header;
        require(isText(h.library, sizeof(h.library)), "its version is no text");
        require(h.binCount >= 1 && h.binCount <= MostBins, "it has too many size classes");
        require(h.domainCount >= 1 && h.domainCount <= SegmentHeader::MaxDomains,
                "it has too many domains");
        if (complaint)
            return; // the next checks rely on these
        for (std::uint32_t i = 0; i < h.domainCount; ++i) {
            const SegmentHeader::Domain &domain = h.domains[i];
            require(domain.name[0] && isText(domain.name, sizeof(domain.name)),
                    "a domain's name is no text");
            require(domain.binCount <= h.binCount
                            && domain.firstBin <= h.binCount - domain.binCount,
                    "a domain has size classes that do not exist");
        }
        requireRoom(h.sizesAt, h.binCount, 4, h.segmentBytes, "its sizes lie outside of it");
        for (std::uint32_t at : { h.arenaCountAt, h.arenasMissingAt })
            requireRoom(at, 1, 4, h.segmentBytes, "its counts lie outside of it");
        for (std::uint32_t at : { h.reservedAt, h.committedAt, h.decommittedAt })
            requireRoom(at, 1, h.wordBytes, h.segmentBytes, "its memory lies outside of it");
    }

    void arenas()
    {
        const SegmentHeader &h = m_header;
        require(h.arenasAt % 8 == 0 && h.arenasAt <= h.segmentBytes,
                "its arenas lie outside of it");
        require(h.arenaStride > 0 && h.arenaStride % 8 == 0, "its arenas are not aligned");
        for (std::uint32_t at : { h.idAt, h.adoptionsAt, h.pagesAt })
            requireRoom(at, 1, 4, h.arenaStride, "an arena's statistics lie outside of it");
        requireRoom(h.threadAt, 1, 8, h.arenaStride, "an arena's thread lies outside of it");
        requireRoom(h.orphanedAt, 1, 1, h.arenaStride, "an arena's state lies outside of it");
        require(h.binStride > 0 && h.binStride % 8 == 0 && h.binsAt % 8 == 0,
                "its size classes are not aligned");
        require(h.binsAt <= h.arenaStride
                        && std::uint64_t(h.binStride) * h.binCount <= h.arenaStride - h.binsAt,
                "an arena's size classes lie outside of it");
        for (std::uint32_t at : { h.loadedAt, h.pushedAt, h.takenAt, h.heldAt, h.poppedAt }) {
            requireRoom(at, 1, h.wordBytes, h.binStride,
                        "a size class's statistics lie outside of it");
        }
        require(h.poppedShift < 8 * h.wordBytes, "a size class's statistics can't be told apart");
    }

    void sizes(const std::vector<std::uint32_t> &sizes)
    {
        for (std::uint32_t i = 0; i < m_header.domainCount; ++i) {
            const SegmentHeader::Domain &domain = m_header.domains[i];
            std::uint32_t previous = 0;
            for (std::uint32_t bin = 0; bin < domain.binCount; ++bin) {
                const std::uint32_t size = sizes[domain.firstBin + bin];
                require(size > previous && size <= LargestChunk, "its sizes are not in order");
                previous = size;
            }
        }
    }

private:
    const SegmentHeader &m_header;
};

} // namespace

std::optional<SegmentView> SegmentView::open(const void *memory, std::size_t bytes, Error *error,
                                             std::string *message)
{
    SegmentHeader header;
    if (!readHeader(memory, bytes, "a pool", &header, error, message))
        return std::nullopt;

    HeaderChecks checks(header);
    checks.whole();
    checks.arenas();
    if (!checks.hold(error, message))
        return std::nullopt;
    SegmentView view(static_cast<const char *>(memory), header);
    view.m_sizes.resize(header.binCount);
    std::memcpy(view.m_sizes.data(), view.m_memory + header.sizesAt,
                header.binCount * sizeof(std::uint32_t));
    checks.sizes(view.m_sizes);
    if (!checks.hold(error, message))
        return std::nullopt;
    return view;
}

// A bin's counters, read at one moment if possible.
struct SegmentView::Bin
{
    BinStatistics statistics;
    std::uint64_t backlog = 0;
};

std::uint64_t SegmentView::word(const char *place) const noexcept
{
    return loadWord(place, m_header.wordBytes);
}

SegmentView::Bin SegmentView::readBin(const char *bin) const noexcept
{
    // Chunks move between the magazine and the pages, and both directions are counted. If chunks moved
    // between two loads, the counts belong to different moments: read again, but not endlessly. The
    // remaining error is at most a magazine's chunks, for one reading.
    constexpr int attempts = 4;
    std::uint64_t loaded = word(bin + m_header.loadedAt);
    std::uint64_t held = 0;
    std::uint64_t popped = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const std::uint64_t level = word(bin + m_header.heldAt);
        const bool together = m_header.poppedAt == m_header.heldAt;
        held = level & m_header.heldMask;
        popped = (together ? level : word(bin + m_header.poppedAt)) >> m_header.poppedShift;
        const std::uint64_t loadedAfter = word(bin + m_header.loadedAt);
        if (loadedAfter == loaded)
            break;
        loaded = loadedAfter;
    }
    // In this order, so that every chunk that is counted as taken is counted as pushed, too.
    const std::uint64_t taken = word(bin + m_header.takenAt);
    const std::uint64_t pushed = word(bin + m_header.pushedAt);

    Bin result;
    if (m_header.wordBytes == 4) {
        result.statistics = statisticsOfShortCounters(std::uint32_t(popped), std::uint32_t(loaded),
                                                      std::uint32_t(held), std::uint32_t(pushed));
        const auto pending = std::uint32_t(pushed) - std::uint32_t(taken);
        result.backlog = std::int32_t(pending) > 0 ? pending : 0;
        return result;
    }
    result.statistics.allocated = capped(popped);
    result.statistics.remote = capped(pushed);
    result.statistics.freed = capped(capped(pushed) + capped(freedByOwner(popped, loaded, held)));
    result.backlog = capped(difference(pushed, taken));
    return result;
}

std::uint32_t SegmentView::arenaCount() const noexcept
{
    const std::uint64_t room = (m_header.segmentBytes - m_header.arenasAt) / m_header.arenaStride;
    const std::uint64_t count = load<std::uint32_t>(m_memory + m_header.arenaCountAt);
    return std::uint32_t(std::min({ room, count, std::uint64_t(MostArenas) }));
}

const char *SegmentView::arena(std::uint32_t index) const noexcept
{
    return m_memory + m_header.arenasAt + std::size_t(index) * m_header.arenaStride;
}

ArenaStatistics SegmentView::readArena(const char *place, std::vector<BinStatistics> &totals) const
{
    ArenaStatistics arena;
    arena.thread = capped(load<std::uint64_t>(place + m_header.threadAt));
    arena.adoptions = load<std::uint32_t>(place + m_header.adoptionsAt);
    arena.orphaned = load<std::uint8_t>(place + m_header.orphanedAt) != 0;
    arena.pages = load<std::uint32_t>(place + m_header.pagesAt);
    for (std::uint32_t bin = 0; bin < m_header.binCount; ++bin) {
        const Bin counts = readBin(place + m_header.binsAt + std::size_t(bin) * m_header.binStride);
        add(totals[bin].allocated, counts.statistics.allocated);
        add(totals[bin].freed, counts.statistics.freed);
        add(totals[bin].remote, counts.statistics.remote);
        add(arena.live, counts.statistics.live());
        // A product of capped factors may exceed 64 bits, but not the range of double.
        const double bytes = double(counts.statistics.live()) * m_sizes[bin];
        add(arena.liveBytes, bytes < double(LargestCount) ? std::uint64_t(bytes) : LargestCount);
        add(arena.backlog, counts.backlog);
    }
    return arena;
}

ProcessStatistics SegmentView::read() const
{
    ProcessStatistics statistics;
    statistics.pid = m_header.pid;
    statistics.library = m_header.library;
    statistics.enabled = m_header.enabled != 0;
    statistics.missingArenas = load<std::uint32_t>(m_memory + m_header.arenasMissingAt);
    statistics.memory.reserved = capped(word(m_memory + m_header.reservedAt));
    statistics.memory.committed = capped(word(m_memory + m_header.committedAt));
    statistics.memory.decommitted = capped(word(m_memory + m_header.decommittedAt));

    std::vector<BinStatistics> totals(m_header.binCount);
    const std::uint32_t count = arenaCount();
    std::uint32_t newest = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        // The numbers of arenas rise. One that does not belongs to an arena that is being made, or to none.
        const std::uint32_t id = load<std::uint32_t>(arena(i) + m_header.idAt);
        if (id <= newest)
            continue;
        newest = id;
        statistics.arenas.push_back(readArena(arena(i), totals));
        statistics.arenas.back().id = id;
    }

    for (std::uint32_t i = 0; i < m_header.domainCount; ++i) {
        DomainStatistics domain;
        domain.name = m_header.domains[i].name;
        for (std::uint32_t bin = 0; bin < m_header.domains[i].binCount; ++bin) {
            ClassStatistics entry;
            static_cast<BinStatistics &>(entry) = totals[m_header.domains[i].firstBin + bin];
            entry.size = m_sizes[m_header.domains[i].firstBin + bin];
            if (entry.allocated > 0)
                domain.classes.push_back(entry);
        }
        statistics.domains.push_back(std::move(domain));
    }
    return statistics;
}

} // namespace QPool
