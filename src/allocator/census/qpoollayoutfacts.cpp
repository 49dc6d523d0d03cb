// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollayoutfacts.h"
#include "qpoolwalk.h"

namespace QPool {

bool LayoutFacts::take(Facts &facts, std::string *message)
{
    span = { facts.address("span"), facts.number("span.base"), facts.number("span.size"),
             facts.number("span.headersOfZero"), facts.number("span.rangeShift"),
             facts.number("span.fresh"), facts.number("span.ranges") };
    page = { facts.number("page.size") };
    header = { facts.number("header.size"), facts.number("header.owner"),
               facts.number("header.bin"), facts.number("header.free"),
               facts.number("header.fresh"), facts.number("header.capacity"),
               facts.number("header.chunkSize") };
    registry = { facts.address("registry"), facts.number("registry.arenas"),
                 facts.number("registry.remoteCaches") };
    arena = { facts.number("arena.next"), facts.number("arena.id"), facts.number("arena.thread"),
              facts.number("arena.orphaned"), facts.number("arena.state"),
              facts.number("arena.bins") };
    bin = { facts.number("bins"), facts.number("bins.domain"), facts.number("bin.size"),
            facts.number("bin.state"), facts.number("magazine.level"),
            facts.number("magazine.slots"), facts.number("magazine.mask"),
            facts.number("bin.loaded"), facts.number("bin.chunkSize"),
            facts.number("bin.backlog"), facts.number("bin.batches"),
            facts.number("bin.keptBatches"), facts.number("bin.keptChunks"),
            facts.number("bin.pushed") };
    remoteCache = { facts.number("remoteCache.next"), facts.number("remoteCache.bins"),
                    facts.number("remoteCache.slots"), facts.number("remoteCache.slotCount"),
                    facts.number("slot.size"), facts.number("slot.first"),
                    facts.number("slot.batch"), facts.number("slot.count") };
    batch = { facts.number("batch.next"), facts.number("batch.count"),
              facts.number("batch.chunks") };
    link = { facts.number("link"), facts.number("hardened"), facts.address("linkKey"),
             facts.address("linkKey") };
    if (!facts.missing().empty()) {
        *message = "its pool is of another build: the table of facts lacks " + facts.missing();
        return false;
    }
    const bool sensible = page.bytes >= 4096 && page.bytes <= (1 << 22)
            && (page.bytes & (page.bytes - 1)) == 0 && header.bytes >= 32 && header.bytes <= 65536
            && bin.count >= 1 && bin.count <= 65536 && bin.perDomain >= 1
            && bin.state <= PoolWalk::MostStateBytes && bin.bytes >= bin.state
            && bin.bytes <= 65536 && span.ranges <= 65536 && remoteCache.count <= 4096
            && remoteCache.slotBytes >= 16 && remoteCache.slotBytes <= 4096;
    if (!sensible)
        *message = "its pool's table of facts makes no sense";
    return sensible;
}

} // namespace QPool
