// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcacheview.h"

#include "qpoolsegmentreading_p.h"
#include "stats/qpoolprintable.h"

#include <map>

namespace QPool {

using namespace SegmentReading;

namespace {

// Far beyond what any process has. They bound the work that a damaged segment can cause.
constexpr std::uint32_t MostRecords = 1u << 18;
constexpr std::uint32_t MostSlots = 1024;

template <class Number>
Number field(const char *record, std::size_t at)
{
    return load<Number>(record + at);
}

std::uint32_t offsetField(const char *record, std::size_t at)
{
    return field<std::uint32_t>(record, at);
}

// A program may give its caches any names.
template <std::size_t Room>
std::string textField(const char *record, std::size_t at)
{
    // Texts are aligned to 4 bytes. An atomic load of 8 from such an address is an error on arm64.
    static_assert(Room % sizeof(std::uint32_t) == 0);
    char text[Room];
    for (std::size_t i = 0; i < Room; i += sizeof(std::uint32_t)) {
        const auto part = load<std::uint32_t>(record + at + i);
        std::memcpy(text + i, &part, sizeof(part));
    }
    return printable({ text, strnlen(text, Room - 1) });
}

// The fields of a record that are constant while it has one owner.
template <class Result, class Read>
std::optional<Result> readUnchanged(const char *record, std::uint32_t state, Read &&read)
{
    std::optional<Result> result = read();
    if (load<std::uint32_t>(record + offsetof(CacheRecord, state)) != state)
        result.reset();
    return result;
}

} // namespace

// As the depot counts.
struct CacheView::Category
{
    CategoryStatistics statistics;
    std::uint64_t number = 0;
    std::uint64_t cache = 0;
    std::string cacheName;
    std::uint64_t objectSize = 0;
    std::uint64_t held = 0;
    std::uint64_t taken = 0; // objects that were idle before

    void complete()
    {
        statistics.inUse = difference(held, statistics.inStocks + statistics.inDepot);
        statistics.ownHits = difference(taken, statistics.depotHits);
        statistics.made = capped(held + statistics.destroyed);
        statistics.resets = difference(capped(taken + statistics.misses), statistics.inUse);
    }
};

struct CacheView::Stock
{
    std::uint64_t category = 0;
    std::uint64_t taken = 0;
    std::uint64_t inside = 0;
};

std::optional<CacheView> CacheView::open(const void *memory, std::size_t bytes,
                                         SegmentView::Error *error, std::string *message)
{
    CacheSegmentHeader header;
    if (!readHeader(memory, bytes, "object caches", &header, error, message))
        return std::nullopt;
    Checks checks;
    checks.require(header.recordsAt % 8 == 0 && header.recordsAt <= header.segmentBytes,
                   "its records lie outside of it");
    checks.require(header.recordStride % 8 == 0 && header.recordStride >= sizeof(CacheRecord),
                   "its records are too small");
    for (std::uint32_t at : { header.recordCountAt, header.missingAt })
        checks.requireRoom(at, 1, 4, header.segmentBytes, "its counts lie outside of it");
    if (!checks.hold(error, message))
        return std::nullopt;
    return CacheView(static_cast<const char *>(memory), header);
}

std::uint32_t CacheView::recordCount() const noexcept
{
    const std::uint64_t room = (m_header.segmentBytes - m_header.recordsAt) / m_header.recordStride;
    const std::uint64_t count = load<std::uint32_t>(m_memory + m_header.recordCountAt);
    return std::uint32_t(std::min({ room, count, std::uint64_t(MostRecords) }));
}

std::uint64_t CacheView::word(const char *record, std::uint32_t at) const noexcept
{
    return loadWord(record + at, m_header.wordBytes);
}

bool CacheView::isRoom(std::uint32_t at, std::uint64_t count, std::uint32_t size) const noexcept
{
    return at % size == 0 && at <= m_header.recordStride && count * size <= m_header.recordStride - at;
}

std::optional<CacheView::Category> CacheView::readCategory(const char *record) const
{
    const std::uint32_t heldAt = offsetField(record, offsetof(CacheRecord, heldAt));
    const std::uint32_t idleAt = offsetField(record, offsetof(CacheRecord, idleAt));
    const std::uint32_t missesAt = offsetField(record, offsetof(CacheRecord, missesAt));
    const std::uint32_t depotTakesAt = offsetField(record, offsetof(CacheRecord, depotTakesAt));
    const std::uint32_t directTakesAt = offsetField(record, offsetof(CacheRecord, directTakesAt));
    const std::uint32_t stealsAt = offsetField(record, offsetof(CacheRecord, stealsAt));
    const std::uint32_t discardedAt = offsetField(record, offsetof(CacheRecord, discardedAt));
    for (std::uint32_t at : { heldAt, idleAt, missesAt, depotTakesAt, directTakesAt, stealsAt,
                              discardedAt }) {
        if (!isRoom(at, 1, m_header.wordBytes))
            return std::nullopt;
    }
    Category category;
    category.number = field<std::uint64_t>(record, offsetof(CacheRecord, category));
    category.cache = field<std::uint64_t>(record, offsetof(CacheRecord, cache));
    category.cacheName = textField<sizeof(CacheRecord::cacheName)>(record, offsetof(CacheRecord, cacheName));
    category.objectSize = capped(field<std::uint64_t>(record, offsetof(CacheRecord, objectSize)));
    category.held = capped(word(record, heldAt));
    category.taken = capped(word(record, directTakesAt));
    CategoryStatistics &statistics = category.statistics;
    statistics.name = textField<sizeof(CacheRecord::categoryName)>(
            record, offsetof(CacheRecord, categoryName));
    statistics.inDepot = capped(word(record, idleAt));
    statistics.misses = capped(word(record, missesAt));
    statistics.depotHits = capped(word(record, depotTakesAt));
    statistics.steals = capped(word(record, stealsAt));
    statistics.destroyed = capped(word(record, discardedAt));
    statistics.missingStocks = field<std::uint32_t>(record, offsetof(CacheRecord, stocksMissing));
    return category;
}

std::optional<CacheView::Stock> CacheView::readStock(const char *record) const
{
    const std::uint32_t takenAt = offsetField(record, offsetof(CacheRecord, takenAt));
    const std::uint32_t topAt = offsetField(record, offsetof(CacheRecord, topAt));
    const std::uint32_t slotsAt = offsetField(record, offsetof(CacheRecord, slotsAt));
    const std::uint32_t slotCount = offsetField(record, offsetof(CacheRecord, slotCount));
    if (!isRoom(takenAt, 1, m_header.wordBytes) || !isRoom(topAt, 1, 4) || slotCount > MostSlots
        || !isRoom(slotsAt, slotCount, m_header.wordBytes)) {
        return std::nullopt;
    }
    Stock stock;
    stock.category = field<std::uint64_t>(record, offsetof(CacheRecord, category));
    stock.taken = capped(word(record, takenAt));
    const std::uint32_t top = std::min(load<std::uint32_t>(record + topAt), slotCount);
    for (std::uint32_t i = 0; i < top; ++i)
        stock.inside += word(record, slotsAt + i * m_header.wordBytes) != 0;
    return stock;
}

CacheListing CacheView::read() const
{
    CacheListing listing;
    listing.missing = load<std::uint32_t>(m_memory + m_header.missingAt);
    std::map<std::uint64_t, Category> categories; // by number, in order of creation
    std::vector<Stock> stocks;
    const std::uint32_t count = recordCount();
    for (std::uint32_t i = 0; i < count; ++i) {
        const char *record = m_memory + m_header.recordsAt + std::size_t(i) * m_header.recordStride;
        const auto state = load<std::uint32_t>(record + offsetof(CacheRecord, state));
        switch (state & CacheRecord::KindMask) {
        case CacheRecord::Category:
            if (const auto category = readUnchanged<Category>(
                        record, state, [&] { return readCategory(record); })) {
                categories.emplace(category->number, *category);
            }
            break;
        case CacheRecord::Stock:
            if (const auto stock = readUnchanged<Stock>(record, state,
                                                        [&] { return readStock(record); })) {
                stocks.push_back(*stock);
            }
            break;
        default:
            break;
        }
    }

    for (const Stock &stock : stocks) {
        // The stocks of a cache that is being destroyed stay a moment longer.
        if (const auto found = categories.find(stock.category); found != categories.end()) {
            Category &category = found->second;
            add(category.taken, stock.taken);
            add(category.statistics.inStocks, stock.inside);
            ++category.statistics.stocks;
        }
    }
    std::map<std::uint64_t, CacheStatistics> caches; // by number, in order of creation, too
    for (auto &[number, category] : categories) {
        category.complete();
        CacheStatistics &cache = caches[category.cache];
        cache.number = capped(category.cache);
        cache.name = category.cacheName;
        cache.objectSize = category.objectSize;
        cache.categories.push_back(std::move(category.statistics));
    }
    for (auto &[number, cache] : caches)
        listing.caches.push_back(std::move(cache));
    return listing;
}

} // namespace QPool
