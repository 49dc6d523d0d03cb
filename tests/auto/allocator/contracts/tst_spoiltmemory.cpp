// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes to memory that a program must not write to: builds of level 2 detect them, and report what
// they know of the chunk.

#include "contracts.h"

#include <mutex>

using namespace QPool;

namespace {

template <class Model>
class SpoiltMemoryTest : public ContractsFixture
{
};

TYPED_TEST_SUITE(SpoiltMemoryTest, AllModels, ModelNames);

// The end of a page, which is too short for a chunk, must not be freed either.
TYPED_TEST(SpoiltMemoryTest, reportsAFreeOfANeverAllocatedChunk)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    auto *chunk = static_cast<char *>(Pool::allocate());
    PageHeader *header = SystemPages::headerOf(chunk);
    char *page = SystemPages::pageOf(header);
    const std::size_t size = header->chunkSize;
    char *last = page + (SystemPages::PageSize / size - 1) * size;
    EXPECT_FATAL(Pool::deallocate(last), report(TypeParam::Name, last, "is free already"));
    char *tail = page + SystemPages::PageSize / size * size;
    EXPECT_FATAL(Pool::deallocate(tail), report(TypeParam::Name, tail, "is (free already|not)"));
    Pool::deallocate(chunk);
}

TYPED_TEST(SpoiltMemoryTest, reportsAWriteAfterFree)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    EXPECT_FATAL({
        void *chunk = Pool::allocate();
        Pool::deallocate(chunk);
        spoil(chunk);
        for (int i = 0; i < 10000; ++i)
            (void) Pool::allocate();
    }, either(std::string(TypeParam::Name) + ": 0x[0-9a-f]+, a chunk of 40 bytes, was written to "
              "after it was freed, at byte 0 .seen by thread [0-9]+."));
}

TYPED_TEST(SpoiltMemoryTest, reportsAWriteAfterFreeAtAnyByte)
{
    if (!Poison::Enabled)
        GTEST_SKIP() << "the sanitizer's to find";
    using Pool = QPoolAllocator<40, TypeParam>;
    for (std::size_t byte : { std::size_t(1), sizeof(void *), std::size_t(20), std::size_t(39) }) {
        EXPECT_FATAL({
            auto *chunk = static_cast<char *>(Pool::allocate());
            Pool::deallocate(chunk);
            ++chunk[byte];
            for (int i = 0; i < 10000; ++i)
                (void) Pool::allocate();
        }, "was written to after it was freed");
    }
}

TYPED_TEST(SpoiltMemoryTest, reportsAnOverrun)
{
    if (!Poison::Enabled)
        GTEST_SKIP() << "the sanitizer's to find";
    using Pool = QPoolAllocator<40, TypeParam>;
    for (std::size_t beyond : { 0, 1, 7 }) {
        auto *chunk = static_cast<char *>(Pool::allocate());
        const char was = chunk[40 + beyond];
        chunk[40 + beyond] = 0;
        EXPECT_FATAL(Pool::deallocate(chunk),
                     report(TypeParam::Name, chunk, "was written to past its end, at byte 4")
                             + std::to_string(beyond) + " .a chunk of 40 bytes.");
        chunk[40 + beyond] = was;
        Pool::deallocate(chunk);
    }
    // All bytes of every size belong to the program.
    using Sized = QSizedPoolAllocator<TypeParam>;
    for (std::size_t size = 1; size <= Sized::MaxPooledSize; ++size) {
        void *block = Sized::allocate(size);
        std::memset(block, 0, size);
        Sized::deallocate(block, size);
    }
}

// A chunk stays free for a while, so that writes to it are detected.
TYPED_TEST(SpoiltMemoryTest, aFreedChunkIsNotHandedOutAgainAtOnce)
{
    using Pool = QPoolAllocator<72, TypeParam>;
    Pool::deallocate(Pool::allocate());
    void *chunk = Pool::allocate();
    Pool::deallocate(chunk);
    std::vector<void *> others;
    for (std::uint32_t i = 0; i < Bin::InlineCapacity / 2; ++i) {
        others.push_back(Pool::allocate());
        EXPECT_NE(others.back(), chunk);
    }
    for (void *other : others)
        Pool::deallocate(other);
}

// But where there is no other, it is.
TYPED_TEST(SpoiltMemoryTest, allMemoryIsHandedOutInTheEnd)
{
    struct Tag;
    using Pages = StaticPages<4096 + 8192 * sizeof(void *), Tag, 4096, std::mutex>;
    using Pool = QPoolAllocator<64, SingleThreaded, Pages>;
    std::vector<void *> chunks;
    while (void *chunk = Pool::allocate())
        chunks.push_back(chunk);
    EXPECT_GE(chunks.size(), 4096 / 128u);
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    for (std::size_t i = 0; i < chunks.size(); ++i)
        EXPECT_NE(Pool::allocate(), nullptr);
}

TYPED_TEST(SpoiltMemoryTest, reportsAnOverwrittenPageHeader)
{
    using Pool = QPoolAllocator<40, TypeParam>;
    void *chunk = Pool::allocate();
    PageHeader *page = SystemPages::headerOf(chunk);
    const std::string message = std::string(TypeParam::Name)
            + ": the header of the page at 0x[0-9a-f]+ was overwritten .seen by thread [0-9]+.";
    EXPECT_FATAL({ page->chunkSize = 56; Pool::deallocate(chunk); }, message);
    EXPECT_FATAL({ page->owner = nullptr; Pool::deallocate(chunk); }, message);
    EXPECT_FATAL({ page->bin = reinterpret_cast<Bin *>(4096); Pool::deallocate(chunk); }, message);
    EXPECT_FATAL({ page->chunkSize = 0; (void) Pool::allocate(); }, message);
    Pool::deallocate(chunk);
}

class BacklogTest : public ContractsFixture
{
};

// Some of them travel in batches, and a few linked.
TEST_F(BacklogTest, multiThreadedFindsAWriteToItsBacklog)
{
    using Pool = QPoolAllocator<40, MultiThreaded>;
    const auto freeElsewhere = [](auto &chunks) {
        for (void *&chunk : chunks)
            chunk = Pool::allocate();
        inOtherThread([&] {
            for (void *chunk : chunks)
                Pool::deallocate(chunk);
        });
    };
    EXPECT_FATAL({
        void *chunks[10];
        freeElsewhere(chunks);
        spoil(chunks[5]);
        Pool::idle();
    }, either("qpool: MultiThreaded: 0x[0-9a-f]+, a chunk of 40 bytes, was written to after it was "
              "freed .seen by thread [0-9]+."));
    EXPECT_FATAL({
        void *chunks[RemoteCache::FewestInBatch - 1];
        freeElsewhere(chunks);
        spoil(chunks[1]);
        Pool::idle();
    }, either("qpool: MultiThreaded: the free list is broken at 0x[0-9a-f]+, a chunk of 40 bytes: "
              "it was written to after it was freed .seen by thread [0-9]+."));
}

void pretendUse(void *pointer) { asm volatile("" : : "r"(pointer) : "memory"); }

} // namespace

// Not in a namespace without a name: exported, so that they have one in a report, and not known to the
// compiler as a whole.
struct Animal
{
    virtual ~Animal();
    virtual void speak();
    static void *operator new(std::size_t size)
    {
        return QSizedPoolAllocator<>::allocate(size);
    }
    static void operator delete(void *animal, std::size_t size)
    {
        QSizedPoolAllocator<>::deallocate(animal, size);
    }
    std::intptr_t legs = 4;
};

Animal::~Animal() { pretendUse(this); }
void Animal::speak() { pretendUse(this); }

struct Cat : Animal
{
    ~Cat() override;
    std::intptr_t whiskers[4] = {};
};

Cat::~Cat() { pretendUse(this); }

namespace {

// What a program must not do with a freed object. UBSan would notice that the object is none before
// the pool does.
#define UNCHECKED __attribute__((no_sanitize("vptr"), noinline))
UNCHECKED void destroy(Animal *animal) { delete animal; }
UNCHECKED void speak(Animal *animal) { animal->speak(); }
UNCHECKED void growWhisker(Cat *cat) { cat->whiskers[2] = 1; }

// The compiler is not to know which functions a call leads to.
Animal *newCat()
{
    Animal *cat = new Cat;
    pretendUse(&cat);
    return cat;
}

// How a report names the code that freed a cat. On Windows it has only addresses.
#if defined(_WIN32)
const std::string freedByCat = "(.|\n)*by thread [0-9]+ at\nqpool: +[0-9a-f]+";
#else
const std::string freedByCat = "(.|\n)*by thread [0-9]+ at\n.*Cat::~Cat";
#endif

class ReportsTest : public ContractsFixture
{
};

TEST_F(ReportsTest, aSecondDeleteNamesTheFirst)
{
    Animal *cat = newCat();
    EXPECT_FATAL({
        delete cat;
        pretendUse(&cat);
        destroy(cat);
    }, either("a virtual function of 0x[0-9a-f]+ is called by thread [0-9]+, but the object was freed"
              + freedByCat));
    delete cat;
}

TEST_F(ReportsTest, aCallAfterFreeNamesTheFree)
{
    Animal *cat = newCat();
    EXPECT_FATAL({
        delete cat;
        pretendUse(&cat);
        speak(cat);
    }, either("a virtual function of 0x[0-9a-f]+ is called" + freedByCat));
    delete cat;
}

TEST_F(ReportsTest, aWriteAfterFreeNamesTheFree)
{
    if (!Poison::Enabled)
        GTEST_SKIP() << "the sanitizer's to find";
    auto *cat = new Cat;
    const auto byte = reinterpret_cast<char *>(&cat->whiskers[2]) - reinterpret_cast<char *>(cat);
    EXPECT_FATAL({
        delete cat;
        pretendUse(&cat);
        growWhisker(cat);
        for (int i = 0; i < 1000; ++i)
            (void) QSizedPoolAllocator<>::allocate(sizeof(Cat));
    }, "was written to after it was freed, at byte " + std::to_string(byte) + freedByCat);
    delete cat;
}

TEST_F(ReportsTest, anOverrunNamesWhoFrees)
{
    if (!Poison::Enabled)
        GTEST_SKIP() << "the sanitizer's to find";
    auto *cat = new Cat;
    EXPECT_FATAL({
        std::intptr_t *whiskers = cat->whiskers;
        pretendUse(&whiskers);
        whiskers[4] = 1;
        delete cat;
    }, "was written to past its end, at byte " + std::to_string(sizeof(Cat)) + " .a chunk of "
            + std::to_string(sizeof(Cat)) + " bytes."
            + freedByCat);
    delete cat;
}

// Without the secret, links do not reveal addresses, and forged ones are detected.
TEST_F(ReportsTest, linksAreEncodedWithASecret)
{
    FreeChunk chunks[2] = {};
    Link::set(&chunks[0], &chunks[1]);
    EXPECT_EQ(Link::next(&chunks[0]), &chunks[1]);
    EXPECT_NE(Link::s_secret.load(), 0u);
    EXPECT_NE(chunks[0].word, reinterpret_cast<std::uintptr_t>(&chunks[1]));
    EXPECT_EQ(chunks[0].word ^ Link::s_secret.load(),
              reinterpret_cast<std::uintptr_t>(&chunks[1])
                      ^ reinterpret_cast<std::uintptr_t>(&chunks[0]) >> 4);
}

} // namespace
