// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"

#include "stats/qpoolinspection.h"

#include <QtCore/qglobal.h>

using namespace QPool;
using namespace QPoolDomains;

namespace {

using Pool = Pools::Pool;
using Registry = Pool::Registry;
using SpanFacts = Inspection::Pages<SystemPages>;
using ArenaFacts = Inspection::Arenas<Registry>;
using PageFacts = Inspection::Page;
using RemoteFacts = Inspection::RemoteCaches;

constexpr auto fact = [](const char *name, auto value) { return Inspection::fact(name, value); };

} // namespace

/*!
    Where everything is, for a debugger: ends with a fact without a name. Read by name by
    tools/gdb/qpool.py, never called.
*/
extern "C" Q_CORE_EXPORT const Fact qt_pool_allocator_facts[];
const Fact qt_pool_allocator_facts[] = {
    fact("version", Inspection::Version),
    fact("hardened", std::size_t(hardening)),
    fact("linkKey", Link::keyPlace()),
    fact("link", offsetof(FreeChunk, word)),

    fact("span", Inspection::pageSpan<SystemPages>()),
    fact("span.base", SpanFacts::base),
    fact("span.size", SpanFacts::size),
    fact("span.headersOfZero", SpanFacts::headersOfZero),
    fact("span.rangeShift", SpanFacts::rangeShift),
    fact("span.fresh", SpanFacts::fresh),
    fact("span.ranges", SpanFacts::ranges),

    fact("page.size", SystemPages::PageSize),
    fact("header.size", sizeof(PageHeader)),
    fact("header.owner", PageFacts::owner),
    fact("header.bin", PageFacts::bin),
    fact("header.free", PageFacts::free),
    fact("header.used", PageFacts::used),
    fact("header.fresh", PageFacts::fresh),
    fact("header.capacity", PageFacts::capacity),
    fact("header.chunkSize", PageFacts::chunkSize),

    fact("registry", Inspection::registry<Pool>()),
    fact("registry.arenas", ArenaFacts::all),
    fact("registry.remoteCaches", ArenaFacts::remoteCaches),

    fact("arena.next", ArenaFacts::next),
    fact("arena.id", offsetof(ArenaBase, id)),
    fact("arena.thread", offsetof(ArenaBase, thread)),
    fact("arena.orphaned", offsetof(ArenaBase, orphaned)),
    fact("arena.adoptions", offsetof(ArenaBase, adoptions)),
    fact("arena.pages", offsetof(ArenaBase, pageCount)),
    fact("arena.bins", offsetof(ArenaBase, firstBin)),

    fact("bins", std::size_t(Layout::BinCount)),
    fact("bins.domain", std::size_t(SizeClasses::Count)),
    fact("bin.size", sizeof(Bin)),
    fact("bin.backlog", Inspection::backlog),
    fact("bin.batches", Inspection::batches),
    fact("bin.keptBatches", Inspection::keptBatches),
    fact("bin.keptChunks", Inspection::keptChunks),
    fact("magazine.slots", Inspection::Magazine::array),
    fact("magazine.level", Inspection::Magazine::level),
    fact("magazine.mask", Inspection::Magazine::mask),

    fact("remoteCache.next", RemoteFacts::next),
    fact("remoteCache.slots", RemoteFacts::slotArray),
    fact("remoteCache.slotCount", std::size_t(RemoteCache::Slots)),
    fact("slot.size", RemoteFacts::slotSize),
    fact("slot.first", RemoteFacts::first),
    fact("slot.batch", RemoteFacts::batch),
    fact("slot.count", RemoteFacts::count),

    fact("batch.next", offsetof(RemoteBatch, next)),
    fact("batch.count", offsetof(RemoteBatch, count)),
    fact("batch.chunks", offsetof(RemoteBatch, chunks)),

    fact("", std::size_t(0)),
};
