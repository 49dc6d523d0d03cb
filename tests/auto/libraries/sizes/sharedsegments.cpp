// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeways.h"

#include "../../sharedmemory/testsegment.h"
#include "sharedmemory/qpoolsharedallocator.h"

using namespace QPool;

namespace {

SharedSegment &segment()
{
    static SegmentName name;
    static SharedSegment one = SharedSegment::create(name, 1 << 20);
    return one;
}

template <class T>
void addAllocator(Ways &ways, const std::string &name)
{
    ways.counts.push_back({ name, "qpoolsharedallocator.h", sizeof(T), [](std::size_t count) {
        SharedAllocator<T> allocator(segment());
        return isRefused([&] { return allocator.allocate(unknown(count)); },
                         [&](T *block) { allocator.deallocate(block, count); });
    } });
}

template <class Make>
void addMaker(Ways &ways, const std::string &name, Make make)
{
    ways.sizes.push_back({ name, "qpoolsharedsegment.h", [make](std::size_t size) {
        const SegmentName other;
        return !make(other, size);
    }, 1 << 20 });
}

} // namespace

TEST(SegmentSizes, freeNoBlockOfAnotherSize)
{
    SharedSegment &one = segment();
    void *block = one.allocate(64, 64);
    ASSERT_NE(block, nullptr);
    std::uint64_t bad = one.statistics().badFrees;
    for (std::size_t size : { SIZE_MAX, SIZE_MAX - 62, SIZE_MAX - 63, SIZE_MAX - 4095,
                              std::size_t(PTRDIFF_MAX), std::size_t(PTRDIFF_MAX) + 1 }) {
        for (std::size_t alignment : { std::size_t(8), std::size_t(64), std::size_t(4096), SIZE_MAX }) {
            EXPECT_FALSE(one.heap()->tryDeallocate(block, size, alignment)) << size;
            EXPECT_EQ(one.statistics().badFrees, ++bad);
        }
    }
    EXPECT_TRUE(one.heap()->tryDeallocate(block, 64, 64));
    EXPECT_EQ(one.check(), nullptr);
}

void addSharedSegments(Ways &ways)
{
    addMaker(ways, "Segment_create", [](const char *name, std::size_t size) {
        return bool(SharedSegment::create(name, size));
    });
    addMaker(ways, "Segment_openOrCreate", [](const char *name, std::size_t size) {
        return bool(SharedSegment::openOrCreate(name, size));
    });
    ways.aligned.push_back({ "Segment_allocate", "qpoolsharedsegment.h",
        [](std::size_t bytes, std::size_t alignment) { return segment().allocate(bytes, alignment); },
        [](void *block, std::size_t bytes, std::size_t alignment) {
            segment().deallocate(block, bytes, alignment);
        } });
    struct alignas(4096) Page
    {
        char bytes[4096];
    };
    addAllocator<char>(ways, "Shared_char");
    addAllocator<long>(ways, "Shared_long");
    addAllocator<Page>(ways, "Shared_page");
}
