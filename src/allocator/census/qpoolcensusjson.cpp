// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcensusjson.h"
#include "qpooleventtypes.h"
#include "../stats/qpoolprintable.h"

#include <cstdio>

namespace QPool {

namespace {

// Printable text is UTF-8 without control characters, so nothing else needs an escape.
std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : printable(text)) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

std::string share(std::uint64_t part, std::uint64_t whole)
{
    // Independent of the process's locale, whose decimal point printf() would write.
    const std::uint64_t millionths = whole ? std::uint64_t(double(part) / double(whole) * 1e6 + 0.5)
                                           : 0;
    char text[32];
    std::snprintf(text, sizeof(text), "%llu.%06llu",
                  static_cast<unsigned long long>(millionths / 1000000),
                  static_cast<unsigned long long>(millionths % 1000000));
    return text;
}

std::string number(const char *key, std::uint64_t value)
{
    return std::string("\"") + key + "\":" + std::to_string(value);
}

} // namespace

std::string toJson(const Census &census)
{
    return toJson(census, withoutChanges(census), false);
}

std::string toJson(const Census &census, const std::vector<CensusChange> &changes, bool compared)
{
    const std::uint64_t bytes = census.bytes();
    std::string json = "{" + number("version", CensusFormatVersion) + ',' + number("pid", census.pid)
            + ",\"exact\":" + (census.isExact() ? "true" : "false") + ','
            + number("count", census.count()) + ',' + number("bytes", bytes) + ','
            + number("uncertain", census.uncertain()) + ",\"classes\":[";
    bool first = true;
    for (const CensusChange &change : changes) {
        const CensusRow &row = change.row;
        json += first ? "{" : ",{";
        first = false;
        json += "\"domain\":" + quoted(row.domain) + ",\"class\":" + quoted(row.name)
                + ",\"module\":" + quoted(row.module);
        if (row.eventType >= 0) {
            json += ',' + number("eventType", std::uint64_t(row.eventType))
                    + ",\"event\":" + quoted(eventTypeName(unsigned(row.eventType)));
        }
        json += ',' + number("count", row.count) + ',' + number("bytes", row.bytes)
                + ",\"share\":" + share(row.bytes, bytes);
        if (compared) {
            json += ",\"countGrowth\":" + std::to_string(change.count) + ",\"bytesGrowth\":"
                    + std::to_string(change.bytes);
        }
        json += '}';
    }
    json += "],\"arenas\":[";
    first = true;
    for (const CensusArena &arena : census.arenas) {
        json += first ? "{" : ",{";
        first = false;
        json += number("id", arena.id) + ',' + number("thread", arena.thread) + ",\"state\":"
                + quoted(arena.orphaned ? "orphaned" : arena.parked ? "parked" : "in use") + ','
                + number("live", arena.live) + ',' + number("uncertain", arena.uncertain) + ','
                + number("moving", arena.moving) + '}';
    }
    return json + "]}";
}

} // namespace QPool
