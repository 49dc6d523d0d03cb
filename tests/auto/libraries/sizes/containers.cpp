// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeways.h"

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"

#include <memory_resource>

using namespace QPool;

namespace {

struct SizesTag;
using Pages = StaticPages<1024 * 1024, SizesTag>;

struct alignas(2048) Aligned
{
    char bytes[2048];
};

template <class Allocator>
void addAllocator(Ways &ways, const std::string &name, const std::string &header)
{
    ways.counts.push_back({ name, header, sizeof(typename Allocator::value_type),
                            [](std::size_t count) {
        Allocator allocator;
        return isRefused([&] { return allocator.allocate(unknown(count)); },
                         [&](auto *block) { allocator.deallocate(block, count); });
    } });
}

template <template <class...> class Allocator>
void addForTypes(Ways &ways, const std::string &name, const std::string &header)
{
    addAllocator<Allocator<char>>(ways, name + "_char", header);
    addAllocator<Allocator<long>>(ways, name + "_long", header);
    addAllocator<Allocator<Aligned>>(ways, name + "_aligned", header);
}

template <class T>
using OneLine = CacheLineAllocator<T>;
template <class T>
using ManyLines = CacheLineAllocator<T, 64>;

// Through the virtual functions, or without them.
template <class Resource, class Interface>
void addResource(Ways &ways, const std::string &name)
{
    static Resource resource;
    static Interface &interface = resource;
    ways.aligned.push_back({ name, "qpoolresource.h",
        [](std::size_t bytes, std::size_t alignment) -> void * {
            try {
                return interface.allocate(unknown(bytes), unknown(alignment));
            } catch (const std::bad_alloc &) {
                return nullptr;
            }
        },
        [](void *block, std::size_t bytes, std::size_t alignment) {
            interface.deallocate(block, bytes, unknown(alignment));
        } });
    ways.sizes.push_back({ name + "_reserve", "qpoolresource.h", [](std::size_t size) {
        Resource own;
        return isRefused([&] { own.reserve(unknown(size)); return true; }, [](bool) { });
    } });
    ways.sizes.back().onlyBeyond = true;
}

// The bytes to reserve are computed from a count and a size, either of which may be too large.
void addReserveBytes(Ways &ways)
{
    const auto isTooMuch = [](std::size_t count, std::size_t bytes, std::size_t alignment) {
        return PoolResource::reserveBytes(unknown(count), unknown(bytes), alignment)
                > std::size_t(PTRDIFF_MAX);
    };
    for (std::size_t bytes : { 1, 24, 1024, 1025, 4096 }) {
        ways.counts.push_back({ "Resource_reserveBytes_count_" + std::to_string(bytes),
                                "qpoolresource.h", bytes,
                                [=](std::size_t count) { return isTooMuch(count, bytes, 8); } });
    }
    for (std::size_t alignment : { 1, 64, 4096 }) {
        ways.sizes.push_back({ "Resource_reserveBytes_size_" + std::to_string(alignment),
                               "qpoolresource.h",
                               [=](std::size_t size) { return isTooMuch(2, size, alignment); } });
    }
}

template <class T>
void addReserve(Ways &ways, const std::string &name, NodeLinks links = NodeLinks::List)
{
    ways.counts.push_back({ name, "qpoolstatefulallocator.h", sizeof(T), [links](std::size_t count) {
        PoolResource resource;
        StatefulAllocator<T> allocator(resource);
        return isRefused([&] { allocator.reserve(unknown(count), links); return true; },
                         [](bool) { });
    } });
}

template <class T>
struct OfOneResource : StatefulAllocator<T>
{
    OfOneResource() : StatefulAllocator<T>(s_resource) { }
    static inline PoolResource s_resource;
};

} // namespace

void addContainers(Ways &ways)
{
    addForTypes<StdAllocator>(ways, "Std", "qpoolstdallocator.h");
    addAllocator<StdAllocator<long, SingleThreaded, Pages>>(ways, "Std_StaticPages",
                                                            "qpoolstdallocator.h");
    addForTypes<OneLine>(ways, "CacheLine", "qcachelineallocator.h");
    addForTypes<ManyLines>(ways, "CacheLine64", "qcachelineallocator.h");
    addForTypes<HugePageAllocator>(ways, "HugePage", "qhugepageallocator.h");
    addForTypes<OfOneResource>(ways, "Stateful", "qpoolstatefulallocator.h");

    using Memory = std::pmr::memory_resource;
    addResource<PoolResource, PoolResource>(ways, "Resource");
    addResource<PoolResource, Memory>(ways, "Resource_virtual");
    addResource<BasicPoolResource<SharedPool>, Memory>(ways, "Resource_SharedPool");
    addResource<BasicPoolResource<SingleThreaded, Pages>, Memory>(ways, "Resource_StaticPages");
    addReserveBytes(ways);
    addReserve<char>(ways, "Stateful_reserve_char");
    addReserve<long>(ways, "Stateful_reserve_tree", NodeLinks::Tree);
    addReserve<Aligned>(ways, "Stateful_reserve_large");
}
