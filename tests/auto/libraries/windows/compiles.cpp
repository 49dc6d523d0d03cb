// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Compiled and linked for Windows, not run: every model with every call, and the libraries built on them.

#include "pools/concurrency/qblockingspscqueue.h"
#include "pools/objects/qobjectcache.h"
#include "pools/objects/qtypedpool.h"
#include "sharedmemory/qpoolsharedallocator.h"
#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"
#include "pool/qsizedpoolallocator.h"

#include <list>
#include <vector>

using namespace QPool;

namespace {

template <class Pool>
bool use(void *chunk)
{
    Pool::deallocate(chunk);
    Pool::flush();
    Pool::idle();
    Pool::trim();
    bool orphans = false;
    Pool::forEachArena([&](const ArenaStatistics &arena) { orphans |= arena.orphaned; });
    return Pool::sourceContains(chunk) || orphans;
}

template <class Model>
bool useModel()
{
    using Fixed = QPoolAllocator<24, Model>;
    using Sized = QSizedPoolAllocator<Model>;
    return use<Fixed>(Fixed::allocate()) || use<Sized>(Sized::allocate(100))
            || Fixed::statistics().live() || Sized::statistics(8).live();
}

bool useQueue()
{
    BlockingSpscQueue<int> queue(1);
    int value = 0;
    const int batch[] = { 2, 3 };
    return queue.push(1) && !queue.pushFor(2, std::chrono::milliseconds(1)) && queue.pop(value)
            && queue.tryPushBatch(batch, 2) == 1;
}

bool useObjects()
{
    ObjectCache<std::vector<int>> cache;
    const auto object = cache.category("network").take();
    const auto typed = TypedPool<std::vector<int>>::makeUnique(3u);
    cache.trim();
    return object->size() != typed->size();
}

template <class Allocator>
bool useContainers(const Allocator &allocator = Allocator())
{
    std::list<int, Allocator> list({ 1, 2 }, allocator);
    std::vector<int, Allocator> vector(100000, 1, allocator);
    return list.size() != vector.size();
}

bool useContainers()
{
    PoolResource resource;
    resource.reserve(100000);
    return useContainers<StdAllocator<int>>() || useContainers<CacheLineAllocator<int>>()
            || useContainers<HugePageAllocator<int>>()
            || useContainers(StatefulAllocator<int>(resource));
}

bool useSegment()
{
    SharedSegment segment = SharedSegment::openOrCreate("compiles", 1 << 20, SharedLockKind::Spin);
    using Vector = std::vector<int, SharedAllocator<int>>;
    Vector *vector = segment.findOrConstruct<Vector>("vector", SharedAllocator<int>(segment));
    return vector && segment.destroy<Vector>("vector") && !segment.check() && segment.repair()
            && !SharedSegment::unlink("compiles") && SharedSegment::list().empty();
}

} // namespace

int main()
{
    return useQueue() || useSegment() || useObjects() || useContainers() || useModel<SingleThreaded>()
            || useModel<SharedPool>() || useModel<MultiPool>() || useModel<MultiThreaded>();
}
