// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeways.h"

#include "pools/objects/qtypedpool.h"
#include "pools/huge/qpoolhugepages.h"
#include "pool/qlistedpoolallocator.h"
#include "pool/qsizedpoolallocator.h"

#include <type_traits>

using namespace QPool;

namespace {

struct SizesTag;
using Pages = StaticPages<1024 * 1024, SizesTag>;

template <class Pool>
void addPool(Ways &ways, const std::string &name, const std::string &header)
{
    ways.sizes.push_back({ name + "_allocate", header, [](std::size_t size) {
        return isRefused([size] { return Pool::allocate(unknown(size)); },
                         [](void *block) { Pool::deallocate(block); });
    } });
    // There is no class whose blocks it could count.
    ways.sizes.push_back({ name + "_statistics", header, [](std::size_t size) {
        void *block = Pool::allocate(100);
        const bool counted = Pool::statistics(unknown(size)).allocated != 0;
        Pool::deallocate(block);
        return !counted;
    } });
}

template <class Pool>
void addTypedPool(Ways &ways, const std::string &name, std::size_t bytes)
{
    ways.counts.push_back({ name + "_reserve", "qtypedpool.h", bytes, [](std::size_t count) {
        const bool reserved = Pool::reserve(count);
        Pool::unreserve();
        return !reserved;
    } });
}

} // namespace

void addPools(Ways &ways)
{
    const std::string sized = "qsizedpoolallocator.h";
    addPool<QSizedPoolAllocator<>>(ways, "Sized_MultiThreaded", sized);
    addPool<QSizedPoolAllocator<MultiPool>>(ways, "Sized_MultiPool", sized);
    addPool<QSizedPoolAllocator<SharedPool>>(ways, "Sized_SharedPool", sized);
    addPool<QSizedPoolAllocator<SingleThreaded>>(ways, "Sized_SingleThreaded", sized);
    addPool<QSizedPoolAllocator<MultiThreaded, HugePages>>(ways, "Sized_HugePages", sized);
    addPool<QSizedPoolAllocator<SingleThreaded, Pages>>(ways, "Sized_StaticPages", sized);
    addPool<QListedPoolAllocator<ListedSizes<16, 48, 120>, SingleThreaded, Pages>>(
            ways, "Listed", "qlistedpoolallocator.h");
    struct Wide
    {
        char bytes[100];
    };
    addTypedPool<TypedPool<char>>(ways, "Typed", sizeof(char));
    addTypedPool<TypedPool<Wide>>(ways, "TypedWide", sizeof(Wide));
    addTypedPool<TypedPool<Wide, SingleThreaded, Pages>>(ways, "TypedStaticPages", sizeof(Wide));
}
