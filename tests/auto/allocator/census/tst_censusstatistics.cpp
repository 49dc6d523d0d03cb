// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The results of a census: what grew, in which order, what a filter leaves, and the JSON format.

#include "census/qpoolcensusjson.h"
#include "census/qpooleventtypes.h"

#include <gtest/gtest.h>

using namespace QPool;

namespace {

CensusRow row(const char *domain, const char *name, std::uint64_t count, std::uint64_t bytes,
              int eventType = -1)
{
    return { domain, name, "libcars.so", eventType, count, bytes };
}

Census sample()
{
    Census census;
    census.pid = 4711;
    census.rows = { row("object", "Car", 10, 1000), row("heap", "Wheel", 40, 640),
                    row("event", "QEvent", 2, 48, 52), row("event", "QEvent", 1, 24, 1007) };
    CensusArena arena;
    arena.id = 1;
    arena.thread = 4711;
    arena.live = 53;
    census.arenas = { arena };
    return census;
}

std::vector<std::string> titles(const std::vector<CensusChange> &changes)
{
    std::vector<std::string> result;
    for (const CensusChange &change : changes)
        result.push_back(titleOf(change.row));
    return result;
}

using Titles = std::vector<std::string>;

TEST(CensusStatistics, addsUpCountsBytesAndUncertainty)
{
    Census census = sample();
    EXPECT_EQ(census.count(), 53u);
    EXPECT_EQ(census.bytes(), 1712u);
    EXPECT_TRUE(census.isExact());
    census.arenas[0].moving = 1;
    census.arenas[0].uncertain = 5;
    EXPECT_FALSE(census.isExact());
    EXPECT_EQ(census.uncertain(), 5u);
}

TEST(CensusStatistics, comparesAndOrdersClassesByGrowth)
{
    const Census before = sample();
    Census now = sample();
    now.rows[0].count = 9; // a car less
    now.rows[0].bytes = 900;
    now.rows[1].count = 70;
    now.rows[1].bytes = 1120;
    now.rows.erase(now.rows.begin() + 2); // no deferred delete any more
    now.rows.push_back(row("object", "Bus", 3, 900));
    const auto changes = compare(before, now);
    EXPECT_EQ(titles(changes), (Titles { "Wheel", "Bus", "QEvent (User+7)", "Car",
                                         "QEvent (DeferredDelete)" }));
    EXPECT_EQ(changes[0].count, 30);
    EXPECT_EQ(changes[0].bytes, 480);
    EXPECT_EQ(changes[1].count, 3);
    EXPECT_EQ(changes[2].count, 0);
    EXPECT_EQ(changes[3].count, -1);
    EXPECT_EQ(changes[3].bytes, -100);
    EXPECT_EQ(changes[4].count, -2);
    EXPECT_EQ(changes[4].row.count, 0u);
    EXPECT_EQ(changes[4].row.bytes, 0u);
}

TEST(CensusStatistics, sortsByCountBytesAndGrowth)
{
    auto changes = withoutChanges(sample());
    sort(changes, CensusOrder::Count);
    EXPECT_EQ(titles(changes).front(), "Wheel");
    sort(changes, CensusOrder::Bytes);
    EXPECT_EQ(titles(changes).front(), "Car");
    // Blocks without a class come last, however much they grew.
    auto grown = withoutChanges(sample());
    grown.push_back({ row("heap", Census::NoClass, 900, 9000), 500, 5000 });
    sort(grown, CensusOrder::Growth);
    EXPECT_EQ(titles(grown).back(), Census::NoClass);
    sort(grown, CensusOrder::Count);
    EXPECT_EQ(titles(grown).front(), Census::NoClass);
    // Nothing grew: equals are in the order of their names.
    sort(changes, CensusOrder::Growth);
    EXPECT_EQ(titles(changes), (Titles { "QEvent (DeferredDelete)", "QEvent (User+7)", "Wheel",
                                         "Car" }));
}

TEST(CensusStatistics, filtersByClassModuleDomainAndEvent)
{
    const auto left = [](const char *text) {
        auto changes = withoutChanges(sample());
        sort(changes, CensusOrder::Bytes);
        filter(changes, text);
        return titles(changes);
    };
    EXPECT_EQ(left("").size(), 4u);
    EXPECT_EQ(left("car").size(), 4u); // the module's name has it
    EXPECT_EQ(left("WHEEL"), Titles { "Wheel" });
    EXPECT_EQ(left("deferred"), Titles { "QEvent (DeferredDelete)" });
    EXPECT_EQ(left("object"), Titles { "Car" });
    EXPECT_EQ(left("plane"), Titles {});
}

TEST(CensusStatistics, namesKnownAndUserEventTypes)
{
    EXPECT_EQ(eventTypeName(1), "Timer");
    EXPECT_EQ(eventTypeName(43), "MetaCall");
    EXPECT_EQ(eventTypeName(52), "DeferredDelete");
    EXPECT_EQ(eventTypeName(999), "type 999");
    EXPECT_EQ(eventTypeName(1000), "User");
    EXPECT_EQ(eventTypeName(1234), "User+234");
    EXPECT_EQ(eventTypeName(65535), "User+64535");
}

TEST(CensusStatistics, writesTheCensusAsJson)
{
    Census census;
    EXPECT_EQ(toJson(census), R"({"version":1,"pid":0,"exact":true,"count":0,"bytes":0,)"
                              R"("uncertain":0,"classes":[],"arenas":[]})");
    census = sample();
    census.rows.erase(census.rows.begin(), census.rows.begin() + 2);
    census.rows[0].name = "A \"quoted\\name\n";
    census.arenas[0].parked = true;
    EXPECT_EQ(toJson(census),
              R"({"version":1,"pid":4711,"exact":true,"count":3,"bytes":72,"uncertain":0,"classes":[)"
              R"({"domain":"event","class":"A \"quoted\\name\\x0a","module":"libcars.so",)"
              R"("eventType":52,"event":"DeferredDelete","count":2,"bytes":48,"share":0.666667},)"
              R"({"domain":"event","class":"QEvent","module":"libcars.so",)"
              R"("eventType":1007,"event":"User+7","count":1,"bytes":24,"share":0.333333}],"arenas":[)"
              R"({"id":1,"thread":4711,"state":"parked","live":53,"uncertain":0,"moving":0}]})");
}

} // namespace
