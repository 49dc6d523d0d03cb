// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcensus.h"
#include "qpooleventtypes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace QPool {

namespace {

using Key = std::tuple<std::string, std::string, std::string, int>;

Key keyOf(const CensusRow &row)
{
    return { row.domain, row.name, row.module, row.eventType };
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

bool contains(const std::string &text, const std::string &part)
{
    return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
               return lower(a) == lower(b);
           }) != text.end() || part.empty();
}

} // namespace

std::uint64_t Census::count() const noexcept
{
    std::uint64_t sum = 0;
    for (const CensusRow &row : rows)
        sum += row.count;
    return sum;
}

std::uint64_t Census::bytes() const noexcept
{
    std::uint64_t sum = 0;
    for (const CensusRow &row : rows)
        sum += row.bytes;
    return sum;
}

std::uint64_t Census::uncertain() const noexcept
{
    std::uint64_t sum = 0;
    for (const CensusArena &arena : arenas)
        sum += arena.uncertain;
    return sum;
}

bool Census::isExact() const noexcept
{
    return std::all_of(arenas.begin(), arenas.end(),
                       [](const CensusArena &arena) { return arena.moving == 0; });
}

std::string titleOf(const CensusRow &row)
{
    return row.eventType < 0 ? row.name
                             : row.name + " (" + eventTypeName(unsigned(row.eventType)) + ")";
}

std::vector<CensusChange> compare(const Census &before, const Census &now)
{
    std::map<Key, CensusChange> changes;
    for (const CensusRow &row : now.rows)
        changes[keyOf(row)] = { row, std::int64_t(row.count), std::int64_t(row.bytes) };
    for (const CensusRow &row : before.rows) {
        CensusChange &change = changes[keyOf(row)];
        if (change.row.name.empty()) {
            change.row = row;
            change.row.count = 0;
            change.row.bytes = 0;
        }
        change.count -= std::int64_t(row.count);
        change.bytes -= std::int64_t(row.bytes);
    }
    std::vector<CensusChange> result;
    for (auto &entry : changes)
        result.push_back(std::move(entry.second));
    sort(result, CensusOrder::Growth);
    return result;
}

std::vector<CensusChange> withoutChanges(const Census &now)
{
    std::vector<CensusChange> result;
    for (const CensusRow &row : now.rows)
        result.push_back({ row, 0, 0 });
    return result;
}

void sort(std::vector<CensusChange> &changes, CensusOrder order)
{
    using Rank = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    const auto rank = [order](const CensusChange &change) -> Rank {
        const auto count = std::int64_t(change.row.count);
        const auto bytes = std::int64_t(change.row.bytes);
        switch (order) {
        case CensusOrder::Count:
            return { 0, count, bytes };
        case CensusOrder::Bytes:
            return { 0, bytes, count };
        default:
            // A leaking object leaks its strings and lists, too; the reader looks for the object's class.
            return { change.row.name == Census::NoClass ? 0 : 1, change.count, change.bytes };
        }
    };
    std::sort(changes.begin(), changes.end(), [&](const CensusChange &a, const CensusChange &b) {
        const auto first = rank(a);
        const auto second = rank(b);
        return first != second ? first > second : keyOf(a.row) < keyOf(b.row);
    });
}

void filter(std::vector<CensusChange> &changes, const std::string &text)
{
    changes.erase(std::remove_if(changes.begin(), changes.end(),
                                 [&](const CensusChange &change) {
                                     return !contains(titleOf(change.row), text)
                                             && !contains(change.row.domain, text)
                                             && !contains(change.row.module, text);
                                 }),
                  changes.end());
}

} // namespace QPool
