// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Pointers that may not be freed: hardened builds, of either level, name the model, the pointer and
// the thread, and abort.

#include "contracts.h"

#include <mutex>

using namespace QPool;

namespace {

template <class Model>
class ContractsTest : public ContractsFixture
{
};

TYPED_TEST_SUITE(ContractsTest, AllModels, ModelNames);

TYPED_TEST(ContractsTest, reportsAForeignPointer)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    Pool::deallocate(Pool::allocate());
    static char buffer[64];
    EXPECT_FATAL(Pool::deallocate(buffer),
                 report(TypeParam::Name, buffer, "is not from this pool"));
    auto heap = std::make_unique<char[]>(64);
    EXPECT_FATAL(Pool::deallocate(heap.get()),
                 report(TypeParam::Name, heap.get(), "is not from this pool"));
}

TYPED_TEST(ContractsTest, reportsAForeignPointerBeforeAnyUse)
{
    struct Tag;
    using Pool = QPoolAllocator<40, TypeParam, StaticPages<65536, Tag, 8192, std::mutex>>;
    static char buffer[64];
    EXPECT_FATAL(Pool::deallocate(buffer),
                 report(TypeParam::Name, buffer, "is not from this pool"));
}

TYPED_TEST(ContractsTest, reportsAnInteriorPointer)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    auto *chunk = static_cast<char *>(Pool::allocate());
    for (int offset : { 1, 8, 39 }) {
        EXPECT_FATAL(Pool::deallocate(chunk + offset),
                     report(TypeParam::Name, chunk + offset, "is not the start of a chunk"));
    }
    Pool::deallocate(chunk);
}

TYPED_TEST(ContractsTest, reportsADoubleFree)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    void *chunk = Pool::allocate();
    void *other = Pool::allocate();
    Pool::deallocate(chunk);
    EXPECT_FATAL(Pool::deallocate(chunk), report(TypeParam::Name, chunk, "is free already"));
    Pool::deallocate(other);
    EXPECT_FATAL(Pool::deallocate(chunk), report(TypeParam::Name, chunk, "is free already"));
}

// glibc and others that check only the last free do not see this.
TYPED_TEST(ContractsTest, reportsADoubleFreeWithOthersBetween)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    void *p = Pool::allocate();
    void *q = Pool::allocate();
    EXPECT_FATAL({
        Pool::deallocate(p);
        Pool::deallocate(q);
        Pool::deallocate(p);
    }, report(TypeParam::Name, p, "is free already"));
    // Wherever the first is by then: in the magazine, or in its page's list.
    void *chunks[300];
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    EXPECT_FATAL({
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        Pool::deallocate(chunks[0]);
    }, report(TypeParam::Name, chunks[0], "is free already"));
    EXPECT_FATAL({
        for (void *chunk : chunks) {
            if (chunk != chunks[5])
                Pool::deallocate(chunk);
        }
        Pool::trim();
        Pool::deallocate(chunks[7]);
    }, report(TypeParam::Name, chunks[7], "is (free already|in a page that holds no chunks)"));
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    Pool::deallocate(p);
    Pool::deallocate(q);
}

// Freed, handed out and freed again is right.
TYPED_TEST(ContractsTest, acceptsAFreeOfAReusedChunk)
{
    using Pool = QPoolAllocator<16, TypeParam>;
    for (int i = 0; i < 1000; ++i)
        Pool::deallocate(Pool::allocate());
    void *chunks[100];
    for (int round = 0; round < 10; ++round) {
        for (void *&chunk : chunks)
            chunk = Pool::allocate();
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    }
    Pool::deallocate(nullptr);
}

// The smallest have room for a mark and a link as well.
TYPED_TEST(ContractsTest, reportsADoubleFreeOfTheSmallestChunk)
{
    using Pool = QPoolAllocator<1, TypeParam>;
    void *chunk = Pool::allocate();
    void *other = Pool::allocate();
    Pool::deallocate(chunk);
    EXPECT_FATAL(Pool::deallocate(chunk), report(TypeParam::Name, chunk, "is free already"));
    Pool::deallocate(other);
    EXPECT_FATAL(Pool::deallocate(chunk), report(TypeParam::Name, chunk, "is free already"));
}

TYPED_TEST(ContractsTest, reportsADoubleFreeAfterItsPageLeft)
{
    using Pool = QPoolAllocator<56, TypeParam>;
    void *chunk = Pool::allocate();
    Pool::deallocate(chunk);
    Pool::trim();
    EXPECT_FATAL(Pool::deallocate(chunk),
                 report(TypeParam::Name, chunk, "is in a page that holds no chunks"));
}

TYPED_TEST(ContractsTest, reportsAChunkOfAnotherPool)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    using OtherSize = QPoolAllocator<48, TypeParam>;
    using OtherModel = QPoolAllocator<
            40, std::conditional_t<std::is_same_v<TypeParam, SharedPool>, MultiPool, SharedPool>>;
    void *size = OtherSize::allocate();
    EXPECT_FATAL(Pool::deallocate(size), report(TypeParam::Name, size, "is from another pool"));
    OtherSize::deallocate(size);
    EXPECT_FATAL(Pool::deallocate(size), report(TypeParam::Name, size, "is free already"));

    void *model = OtherModel::allocate();
    EXPECT_FATAL(Pool::deallocate(model), report(TypeParam::Name, model, "is from another pool"));
    OtherModel::deallocate(model);
    EXPECT_FATAL(Pool::deallocate(model), report(TypeParam::Name, model, "is free already"));
}

TYPED_TEST(ContractsTest, reportsAPointerToThePoolsOwnData)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    void *metadata = SystemPages::allocateMetadata(64);
    EXPECT_FATAL(Pool::deallocate(metadata),
                 report(TypeParam::Name, metadata, "is not from this pool"));
}

// In this case the chunk went through the page's list, which is checked before a chunk is handed out.
TYPED_TEST(ContractsTest, reportsAWriteToAPagesFreeList)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    EXPECT_FATAL({
        void *chunks[200];
        for (void *&chunk : chunks)
            chunk = Pool::allocate();
        for (int i = 0; i < 199; ++i)
            Pool::deallocate(chunks[i]);
        Pool::trim();
        spoil(chunks[100]);
        for (int i = 0; i < 10000; ++i)
            (void) Pool::allocate();
    }, either(std::string(TypeParam::Name) + ": the free list is broken at 0x[0-9a-f]+, a chunk of "
              "40 bytes: it was written to after it was freed .seen by thread [0-9]+."));
}

TYPED_TEST(ContractsTest, sizedPoolsReportTheSameMisuse)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    auto *chunk = static_cast<char *>(Pool::allocate(72));
    EXPECT_FATAL(Pool::deallocate(chunk + 8, 64),
                 report(TypeParam::Name, chunk + 8, "is not the start of a chunk"));
    Pool::deallocate(chunk, 72);
    EXPECT_FATAL(Pool::deallocate(chunk, 72), report(TypeParam::Name, chunk, "is free already"));
    EXPECT_FATAL(Pool::deallocate(chunk), report(TypeParam::Name, chunk, "is free already"));
}

TYPED_TEST(ContractsTest, reportsASizeOfAnotherClass)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    void *chunk = Pool::allocate(72);
    const auto wrong = [&](const char *bytes) {
        return report(TypeParam::Name, chunk,
                      (std::string("with the size of a chunk of ") + bytes).c_str());
    };
    EXPECT_FATAL(Pool::deallocate(chunk, 64), wrong("64 bytes, is one of 72 bytes"));
    EXPECT_FATAL(Pool::deallocate(chunk, 80), wrong("80 bytes, is one of 72 bytes"));
    EXPECT_FATAL(Pool::deallocate(chunk, 5000), wrong("5000 bytes, is one of 72 bytes"));
    Pool::deallocate(chunk, 65); // the same class
    // Without a size the chunk may be of any class.
    Pool::deallocate(Pool::allocate(72));
}

TYPED_TEST(ContractsTest, reportsALargeBlockFreedWithASmallSize)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    void *block = Pool::allocate(5000);
    EXPECT_FATAL(Pool::deallocate(block, 50),
                 report(TypeParam::Name, block, "is not from this pool"));
    Pool::deallocate(block, 5000);
}

// And all this without a false alarm.
TYPED_TEST(ContractsTest, reportsNothingInCorrectUse)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    std::vector<std::pair<void *, std::size_t>> blocks;
    for (int round = 0; round < 5; ++round) {
        for (std::size_t i = 0; i < 3000; ++i) {
            const std::size_t size = (i * 37) % 1200;
            void *block = Pool::allocate(size);
            std::memset(block, 0xEE, size);
            blocks.emplace_back(block, size);
        }
        for (auto [block, size] : blocks)
            Pool::deallocate(block, size);
        blocks.clear();
        Pool::trim();
    }
}

} // namespace
