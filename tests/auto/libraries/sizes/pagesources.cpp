// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeways.h"

#include "pools/huge/qpoolhugepages.h"
#include "pools/std/qlargeblocklist.h"
#include "pages/qpoolstaticpages.h"
#include "pages/qpoolsystempages.h"

using namespace QPool;

namespace {

struct SizesTag;
using Pages = StaticPages<1024 * 1024, SizesTag, 4096>;

// What a source hands out for itself is never given back. A source that has memory already answers
// otherwise than a new one.
template <class Source>
void addSource(Ways &ways, const std::string &name, const std::string &header)
{
    ways.sizes.push_back({ name + "_metadata", header, [](std::size_t size) {
        return Source::allocateMetadata(64) && !Source::allocateMetadata(size);
    } });
    ways.sizes.push_back({ name + "_arena", header, [](std::size_t size) {
        return Source::allocateArena(64) && !Source::allocateArena(size);
    } });
}

} // namespace

void addPageSources(Ways &ways)
{
    addSource<SystemPages>(ways, "SystemPages", "qpoolsystempages.h");
    addSource<HugePages>(ways, "HugePages", "qpoolhugepages.h");
    addSource<Pages>(ways, "StaticPages", "qpoolstaticpages.h");

    // Documented, and used by the allocators of huge pages.
    const std::string huge = "qhugepageallocator.h";
    ways.sizes.push_back({ "HugeMemory_map", huge, [](std::size_t size) {
        return isRefused([size] { return HugeMemory::map(size).address; },
                         [size](void *place) { HugeMemory::unmap(place, size); });
    } });
    ways.sizes.push_back({ "HugeMemory_mappedBytes", huge, [](std::size_t size) {
        return HugeMemory::mappedBytes(size) == 0;
    } });
    ways.sizes.back().onlyBeyond = true;
    const auto take = [](std::size_t bytes, std::size_t alignment) -> void * {
        LargeBlockList::Block *block = LargeBlockList::create(bytes, alignment);
        return block ? block->memory() : nullptr;
    };
    ways.aligned.push_back({ "LargeBlockList_create", "qpoolresource.h", take,
                             [](void *memory, std::size_t, std::size_t) {
                                 LargeBlockList::destroy(static_cast<LargeBlockList::Block *>(memory) - 1);
                             } });
    ways.sizes.push_back({ "LargeBlocks_allocate", "qpoolstdallocator.h", [](std::size_t size) {
        return isRefused([size] { return LargeBlocks::allocate(size, 4096); },
                         [](void *block) { LargeBlocks::deallocate(block, 4096); });
    }, LargeBlocks::LeastBytes });
    ways.aligned.push_back({ "SystemPages_allocateBlock", "qsizedpoolallocator.h",
                             [](std::size_t bytes, std::size_t alignment) -> void * {
                                 bool isZero;
                                 return SystemPages::allocateBlock(bytes, alignment, &isZero);
                             },
                             [](void *block, std::size_t, std::size_t) {
                                 SystemPages::deallocateBlock(SystemPages::headerOf(block));
                             } });
}
