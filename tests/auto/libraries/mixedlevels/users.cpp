// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Uses what one public header declares, in a function that no other unit has: UNIT. Templates on static
// buffers, where the class allows it: code that needs as little of the library as possible.

#if defined(USE_qautoresetevent)
#  include "pools/concurrency/qautoresetevent.h"
void UNIT() { QPool::AutoResetEvent event; event.signal(); }
#elif defined(USE_qblockingspscqueue)
#  include "pools/concurrency/qblockingspscqueue.h"
void UNIT() { QPool::BlockingSpscQueue<int> queue(2); queue.tryPush(1); }
#elif defined(USE_qspscqueue)
#  include "pools/concurrency/qspscqueue.h"
void UNIT() { QPool::SpscQueue<int> queue(2); queue.tryPush(1); }
#elif defined(USE_qobjectaccess)
#  include "qobjectaccess.h"
int UNIT() { alignas(int) char place[4]; return *QPool::ObjectAccess::construct<int>(place, 1); }
#elif defined(USE_qobjectcache)
#  include "pools/objects/qobjectcache.h"
struct Object { void clear() { } };
void UNIT() { QPool::ObjectCache<Object> cache; static_cast<void>(cache.take()); }
#elif defined(USE_qobjectreset)
#  include "pools/objects/qobjectreset.h"
#  include <vector>
void UNIT() { std::vector<int> vector; QPool::clearWithin(vector, 1); }
#elif defined(USE_qtypedpool)
#  include "pools/objects/qtypedpool.h"
using Pool = QPool::TypedPool<int, QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
void UNIT() { Pool::destroy(Pool::create(1)); }
#elif defined(USE_qpoolsharedallocator)
#  include "sharedmemory/qpoolsharedallocator.h"
int *UNIT(QPool::SharedAllocator<int> &allocator) { return allocator.allocate(1); }
#elif defined(USE_qpoolsharedsegment)
#  include "sharedmemory/qpoolsharedsegment.h"
bool UNIT(QPool::SharedSegment &segment) { return bool(segment); }
#elif defined(USE_qcachelineallocator)
#  include "pools/std/qcachelineallocator.h"
using Allocator = QPool::CacheLineAllocator<int, 1, QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
int *UNIT() { return Allocator().allocate(1); }
#elif defined(USE_qhugepageallocator)
#  include "pools/std/qhugepageallocator.h"
int *UNIT() { return QPool::HugePageAllocator<int>().allocate(1); }
#elif defined(USE_qpoolresource)
#  include "pools/std/qpoolresource.h"
using Resource = QPool::BasicPoolResource<QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
void *UNIT(Resource &resource) { return resource.allocate(1); }
#elif defined(USE_qpoolstatefulallocator)
#  include "pools/std/qpoolstatefulallocator.h"
using Resource = QPool::BasicPoolResource<QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
int *UNIT(QPool::StatefulAllocator<int, Resource> &allocator) { return allocator.allocate(1); }
#elif defined(USE_qpoolstdallocator)
#  include "pools/std/qpoolstdallocator.h"
using Allocator = QPool::StdAllocator<int, QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
int *UNIT() { return Allocator().allocate(1); }
#elif defined(USE_qpoolhugepages)
#  include "pools/huge/qpoolhugepages.h"
bool UNIT(void *place) { return QPool::HugePages::contains(place); }
#elif defined(USE_qpoolinterruptlock)
#  include "os/qpoolinterruptlock.h"
struct Mask { static int mask() { return 1; } static void restore(int) { } };
void UNIT() { QPool::MaskingLock<Mask> lock; lock.lock(); }
#elif defined(USE_qpoolstaticpages)
#  include "pages/qpoolstaticpages.h"
bool UNIT(void *place) { return QPool::StaticPages<1 << 16>::contains(place); }
#elif defined(USE_qpoolsystempages)
#  include "pages/qpoolsystempages.h"
bool UNIT(void *place) { return QPool::SystemPages::contains(place); }
#elif defined(USE_qlistedpoolallocator)
#  include "pool/qlistedpoolallocator.h"
using Pool = QPool::QListedPoolAllocator<QPool::ListedSizes<16>, QPool::SingleThreaded,
                                         QPool::StaticPages<1 << 16>>;
void *UNIT() { return Pool::allocate(1); }
#elif defined(USE_qpoolallocator)
#  include "pool/qpoolallocator.h"
using Pool = QPool::QPoolAllocator<16, QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
void *UNIT() { return Pool::allocate(); }
#elif defined(USE_qsizedpoolallocator)
#  include "pool/qsizedpoolallocator.h"
using Pool = QPool::QSizedPoolAllocator<QPool::SingleThreaded, QPool::StaticPages<1 << 16>>;
void *UNIT() { return Pool::allocate(1); }
#elif defined(USE_qpoolstatistics)
#  include "stats/qpoolstatistics.h"
auto UNIT(QPool::BinStatistics statistics) { return statistics.live(); }
#else
#  error a public header without a user here
#endif
