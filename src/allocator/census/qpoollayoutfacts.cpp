// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollayoutfacts.h"
#include "qpoolwalklimits.h"

#include <algorithm>

namespace QPool {

// Each fact is named once, with the record that it is in and its width. Facts does all checks.
bool LayoutFacts::take(Facts &facts, std::string *message)
{
    constexpr Word word = sizeof(Word);
    constexpr Word number = sizeof(std::uint32_t);
    constexpr Word flag = 1;
    // No record of any build comes near its limit.
    constexpr Word mostBytes = 1 << 20;
    constexpr Word mostWindows = 65536;
    constexpr Word mostBins = 4096;
    constexpr Word mostSlots = 4096;
    constexpr Word mostArenaBytes = 1 << 24; // it contains its bins

    const Facts::Record all = facts.record("windows.size", 1, mostBytes);
    windows.count = facts.number("windows.count", 1, mostWindows);
    windows.at = facts.place("windows", all);
    windows.first = facts.field("windows.first", all, word);
    windows.shift = facts.number("windows.shift", 20, 8 * word - 1);
    windows.firstPage = facts.number("windows.firstPage", 1, Word(1) << 20);
    windows.taken = facts.field("windows.taken", all, number, windows.count);
    windows.blocks = facts.address("windows.blocks");

    page.bytes = facts.powerOfTwo("page.size", 4096, 1 << 22);

    // Headers take a small part of the memory of their pages.
    const Facts::Record aHeader = facts.record("header.size", 1, page.bytes / 32);
    header.bytes = aHeader.bytes;
    header.owner = facts.field("header.owner", aHeader, word);
    header.bin = facts.field("header.bin", aHeader, word);
    header.free = facts.field("header.free", aHeader, word);
    header.used = facts.field("header.used", aHeader, number);
    header.fresh = facts.field("header.fresh", aHeader, number);
    header.capacity = facts.field("header.capacity", aHeader, number);
    header.chunkSize = facts.field("header.chunkSize", aHeader, number);

    const Facts::Record theRegistry = facts.record("registry.size", 1, mostBytes);
    registry.at = facts.place("registry", theRegistry);
    registry.arenas = facts.field("registry.arenas", theRegistry, word);
    registry.remoteCaches = facts.field("registry.remoteCaches", theRegistry, word);

    const Facts::Record anArena = facts.record("arena.size", 1, mostArenaBytes);
    arena.bytes = anArena.bytes;
    arena.next = facts.field("arena.next", anArena, word);
    arena.id = facts.field("arena.id", anArena, number);
    arena.thread = facts.field("arena.thread", anArena, sizeof(std::uint64_t));
    arena.orphaned = facts.field("arena.orphaned", anArena, flag);
    arena.state = facts.field("arena.state", anArena, flag);
    arena.bins = facts.field("arena.bins", anArena, word);

    bin.count = facts.number("bins", 1, mostBins);
    bin.perDomain = facts.number("bins.domain", 1, mostBins);
    bin.bytes = facts.number("bin.size", 1, anArena.bytes / std::max<Word>(bin.count, 1));
    const Facts::Record aBin = facts.record("bin.state", 1,
                                            std::min(bin.bytes, Word(WalkLimits::MostStateBytes)));
    bin.state = aBin.bytes;
    bin.chunkSize = facts.field("bin.chunkSize", aBin, number);
    bin.loaded = facts.field("bin.loaded", aBin, word);
    bin.pushed = facts.field("bin.pushed", aBin, word);
    bin.backlog = facts.field("bin.backlog", aBin, word);
    bin.batches = facts.field("bin.batches", aBin, word);
    bin.keptBatches = facts.field("bin.keptBatches", aBin, word);
    bin.keptChunks = facts.field("bin.keptChunks", aBin, word);
    bin.home = facts.field("bin.home", aBin, word);
    bin.magazine = facts.field("magazine.slots", aBin, word);
    bin.level = facts.field("magazine.level", aBin, word);
    bin.heldMask = facts.number("magazine.mask", 1, 0xffff);

    const Facts::Record aSlot = facts.record("slot.size", 1, mostBytes);
    remoteCache.slotBytes = aSlot.bytes;
    remoteCache.first = facts.field("slot.first", aSlot, word);
    remoteCache.batch = facts.field("slot.batch", aSlot, word);
    remoteCache.held = facts.field("slot.count", aSlot, number);
    const Facts::Record aCache = facts.record("remoteCache.size", 1, mostBytes);
    remoteCache.bytes = aCache.bytes;
    remoteCache.count = facts.number("remoteCache.slotCount", 1, mostSlots);
    remoteCache.next = facts.field("remoteCache.next", aCache, word);
    remoteCache.bins = facts.field("remoteCache.bins", aCache, word, remoteCache.count);
    remoteCache.slotArray = facts.field("remoteCache.slots", aCache, aSlot.bytes, remoteCache.count);

    const Facts::Record aBatch = facts.record("batch.size", 1, mostBytes);
    batch.bytes = aBatch.bytes;
    batch.next = facts.field("batch.next", aBatch, word);
    batch.count = facts.field("batch.count", aBatch, number);
    batch.capacity = facts.number("batch.capacity", 1, WalkLimits::MostInBatch);
    batch.chunks = facts.field("batch.chunks", aBatch, word, batch.capacity);

    const Facts::Record aChunk = facts.record("chunk.size", word, page.bytes);
    chunk.bytes = aChunk.bytes;
    chunk.link = facts.field("chunk.link", aChunk, word);
    hardening.level = facts.number("hardened", 0, 2);
    hardening.key = facts.address("linkKey");

    *message = facts.problem();
    return message->empty();
}

} // namespace QPool
