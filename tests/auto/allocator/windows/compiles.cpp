// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Compiled and linked for Windows, not run: every model with every call.

#include "adapters/concurrency/qblockingspscqueue.h"
#include "pool/qsizedpoolallocator.h"

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
    return Pool::owns(chunk) || orphans;
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
    return queue.push(1) && !queue.pushFor(2, std::chrono::milliseconds(1)) && queue.pop(value);
}

} // namespace

int main()
{
    return useQueue() || useModel<SingleThreaded>() || useModel<SharedPool>() || useModel<MultiPool>()
            || useModel<MultiThreaded>();
}
