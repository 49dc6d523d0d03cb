// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Huge pages as the system provides them, and without: only statistics depend on whether there are any.

#include "failingpages.h"
#include "pools/huge/qpoolhugepages.h"

#include "childprocess.h"
#include "cookie.h"
#include "models.h"
#include "rendezvous.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#if defined(__linux__)
#  include <sys/mman.h>
#  include <sys/resource.h>
#endif

using namespace QPool;

namespace {

constexpr std::size_t MiB = 1024 * 1024;

TEST(HugeMemory, roundsToHugePagesWhereLittleIsWasted)
{
    using namespace HugeMemory;
    EXPECT_EQ(mappedBytes(PageBytes), PageBytes);
    EXPECT_EQ(mappedBytes(8 * MiB), 8 * MiB);
    EXPECT_EQ(mappedBytes(8 * MiB - 100), 8 * MiB);
    EXPECT_EQ(mappedBytes(8 * MiB + 1) % Os::pageBytes(), 0u);
    EXPECT_LT(mappedBytes(8 * MiB + 1), 8 * MiB + 128 * 1024);
    EXPECT_EQ(mappedBytes(1), Os::pageBytes());
    EXPECT_EQ(mappedBytes(0), Os::pageBytes());
    EXPECT_EQ(mappedBytes(SIZE_MAX), 0u);
    for (std::size_t bytes = 1; bytes < 20 * MiB; bytes += 77777)
        EXPECT_GE(mappedBytes(bytes), bytes);
}

TEST(HugeMemory, mapsZeros)
{
    for (std::size_t bytes : { MiB, 2 * MiB, 2 * MiB + 5, 7 * MiB }) {
        const HugeMemory::Mapping mapping = HugeMemory::map(bytes);
        ASSERT_NE(mapping.address, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapping.address) % HugeMemory::PageBytes, 0u);
        EXPECT_STRNE(HugeMemory::name(mapping.pages), "");
        auto *place = static_cast<char *>(mapping.address);
        EXPECT_TRUE(HugeMemory::populate(place, bytes));
        for (std::size_t i = 0; i < bytes; i += 1000)
            ASSERT_EQ(place[i], 0);
        place[bytes - 1] = 1;
        HugeMemory::unmap(place, bytes);
    }
    EXPECT_EQ(HugeMemory::map(SIZE_MAX).address, nullptr);
    if (sizeof(void *) == 8) { // there may be as many addresses in 32 bits
        EXPECT_EQ(HugeMemory::map(SIZE_MAX / 4).address, nullptr);
    }
}

TEST(HugeMemory, populateKeepsWhatIsThere)
{
    constexpr std::size_t bytes = 2 * MiB;
    auto *place = static_cast<char *>(HugeMemory::map(bytes).address);
    ASSERT_NE(place, nullptr);
    for (std::size_t i = 0; i < bytes; i += 4096)
        place[i] = char(i / 4096);
    EXPECT_TRUE(HugeMemory::populate(place + 100, bytes - 5000));
    for (std::size_t i = 0; i < bytes; i += 4096)
        ASSERT_EQ(place[i], char(i / 4096));
    HugeMemory::unmap(place, bytes);
}

#if defined(__linux__)
std::size_t freeReserved()
{
    unsigned long pages = 0;
    if (std::FILE *file = std::fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "re")) {
        if (std::fscanf(file, "%lu", &pages) != 1)
            pages = 0;
        std::fclose(file);
    }
    return pages;
}

// Before the tests that take all of them, because it is found out only once that none are left.
TEST(HugeMemory, takesWhatTheSystemHas)
{
    constexpr std::size_t bytes = 2 * HugeMemory::PageBytes;
    const bool areReserved = freeReserved() * HugeMemory::PageBytes >= bytes;
    const HugeMemory::Mapping mapping = HugeMemory::map(bytes);
    ASSERT_NE(mapping.address, nullptr);
    std::printf("The huge pages here are %s.\n", HugeMemory::name(mapping.pages));
    if (!areReserved) {
        EXPECT_EQ(mapping.pages, HugeMemory::transparent());
    } else if (mapping.pages != HugeMemory::Pages::Reserved) {
        EXPECT_LT(freeReserved() * HugeMemory::PageBytes, bytes) << "unless another process was faster";
    } else {
        std::memset(mapping.address, 1, bytes);
        EXPECT_EQ(HugeMemory::hugeBytes(mapping.address, bytes), bytes);
    }
    HugeMemory::unmap(mapping.address, bytes);
}

bool isResident(void *page)
{
    unsigned char state = 0;
    return mincore(page, Os::pageBytes(), &state) == 0 && state & 1;
}

TEST(HugeMemory, populateFetchesEveryPage)
{
    constexpr std::size_t bytes = 128 * 1024;
    void *place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(place, MAP_FAILED);
    EXPECT_FALSE(isResident(place));
    EXPECT_TRUE(HugeMemory::populate(place, bytes));
    for (std::size_t at = 0; at < bytes; at += Os::pageBytes())
        EXPECT_TRUE(isResident(static_cast<char *>(place) + at));
    munmap(place, bytes);
}

// Huge pages are provided, or the mapping did not claim that they would be: at least one of eight 2
// MiB blocks, because fragmented memory may have no more.
TEST(HugeMemory, reportsTheKindOfPagesItGot)
{
    constexpr std::size_t bytes = 16 * MiB;
    const HugeMemory::Mapping mapping = HugeMemory::map(bytes);
    ASSERT_NE(mapping.address, nullptr);
    auto *place = static_cast<char *>(mapping.address);
    for (std::size_t i = 0; i < bytes; i += 4096)
        place[i] = 1;
    const std::size_t huge = HugeMemory::hugeBytes(place, bytes);
    EXPECT_EQ(huge % HugeMemory::PageBytes, 0u);
    switch (mapping.pages) {
    case HugeMemory::Pages::Ordinary:
        EXPECT_NE(HugeMemory::transparent(), HugeMemory::Pages::Transparent);
        break;
    case HugeMemory::Pages::Transparent:
        EXPECT_EQ(HugeMemory::transparent(), HugeMemory::Pages::Transparent);
        RecordProperty("hugeBytes", int(huge));
        break;
    case HugeMemory::Pages::Reserved:
        EXPECT_EQ(huge, bytes);
        break;
    }
    HugeMemory::unmap(place, bytes);
}
#endif

// A separate source for each test, which no other test has used.
template <class Tag>
struct Only : HugePagesOnly
{
};
template <class Tag>
using TaggedHugePages = BasicHugePages<Only<Tag>>;

template <class Pages>
std::size_t held()
{
    const auto statistics = Pages::statistics();
    return statistics.ordinary + statistics.transparent + statistics.reserved;
}

TEST(HugePages, takesMemoryABlockAtATime)
{
    using Pages = TaggedHugePages<struct BlockTag>;
    EXPECT_EQ(held<Pages>(), 0u);
    std::vector<PageHeader *> pages;
    for (int i = 0; i < 33; ++i) {
        PageHeader *page = Pages::acquirePage();
        ASSERT_NE(page, nullptr);
        char *place = Pages::pageOf(page);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % Pages::PageSize, 0u);
        EXPECT_EQ(Pages::headerOf(place + 100), page);
        EXPECT_EQ(Pages::findUsedHeader(place + Pages::PageSize - 1), page);
        EXPECT_TRUE(Pages::contains(place));
        place[0] = place[Pages::PageSize - 1] = 1;
        pages.push_back(page);
        EXPECT_EQ(held<Pages>(), (i < 32 ? 1 : 2) * HugeMemory::PageBytes);
    }
    int local = 0;
    EXPECT_FALSE(Pages::contains(&local));
    EXPECT_EQ(Pages::findHeader(&local), nullptr);
    for (PageHeader *page : pages)
        Pages::releasePage(page);
    EXPECT_EQ(held<Pages>(), 2 * HugeMemory::PageBytes) << "a few stay";
    Pages::trim();
    EXPECT_EQ(held<Pages>(), 0u);
    EXPECT_EQ(Pages::memory().decommitted, 2 * HugeMemory::PageBytes);
    PageHeader *again = Pages::acquirePage();
    EXPECT_EQ(Pages::pageOf(again)[0], 0) << "it went back to the system";
    EXPECT_EQ(Pages::memory().decommitted, HugeMemory::PageBytes);
    Pages::releasePage(again);
}

TEST(HugePages, givesMemoryBackByItself)
{
    using Pages = TaggedHugePages<struct GivingTag>;
    std::vector<PageHeader *> pages;
    constexpr std::size_t count = sizeof(void *) == 8 ? 40 : 24; // a range has 32 at most in 32 bits
    for (std::size_t i = 0; i < count * 32; ++i)
        pages.push_back(Pages::acquirePage());
    EXPECT_EQ(held<Pages>(), count * HugeMemory::PageBytes);
    std::mt19937 random(3);
    std::shuffle(pages.begin(), pages.end(), random);
    for (PageHeader *page : pages)
        Pages::releasePage(page);
    EXPECT_LE(held<Pages>(), 6 * HugeMemory::PageBytes);
    EXPECT_EQ(Pages::memory().decommitted, count * HugeMemory::PageBytes - held<Pages>());
}

struct OrdinaryFirst
{
    static constexpr bool TakesReserved = false;
    static constexpr std::size_t OrdinaryBytes = 4 * 1024 * 1024;
};

TEST(HugePages, ordinaryOnesComeFirstIfAskedFor)
{
    using Pages = BasicHugePages<OrdinaryFirst>;
    std::vector<PageHeader *> pages;
    for (int i = 0; i < 3 * 32; ++i)
        pages.push_back(Pages::acquirePage());
    EXPECT_EQ(Pages::statistics().reserved, 0u);
    EXPECT_EQ(Pages::statistics().transparent,
              HugeMemory::transparent() == HugeMemory::Pages::Transparent ? 2 * MiB : 0);
    for (PageHeader *page : pages)
        Pages::releasePage(page);
}

template <class Model>
class HugePagesModels : public ::testing::Test
{
};
TYPED_TEST_SUITE(HugePagesModels, AllModels, ModelNames);

// A source for any pool, with any model, and with requests that fail.
TYPED_TEST(HugePagesModels, servePools)
{
    using Pages = FailingPages<TaggedHugePages<TypeParam>>;
    using Pool = QSizedPoolAllocator<TypeParam, Pages>;
    const auto sizeOf = [](std::size_t i) { return 8 + i % 100 * 8; };
    for (std::int64_t budget : { std::int64_t(INT64_MAX), std::int64_t(3), std::int64_t(INT64_MAX) }) {
        Pages::setBudget(budget);
        std::vector<void *> blocks;
        unsigned refused = 0;
        for (std::size_t i = 0; i < 30000; ++i) {
            const std::size_t size = sizeOf(i);
            void *block = Pool::allocate(size);
            if (!block) {
                ++refused;
                blocks.push_back(nullptr);
                continue;
            }
            EXPECT_TRUE(Pool::sourceContains(block));
            Cookie::write(block, size, i);
            blocks.push_back(block);
        }
        if (budget == INT64_MAX) {
            EXPECT_EQ(refused, 0u);
        }
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::size_t size = sizeOf(i);
            if (blocks[i]) {
                EXPECT_TRUE(Cookie::check(blocks[i], size, i));
            }
            Pool::deallocate(blocks[i], size);
        }
        Pages::setBudget(INT64_MAX);
        expectNothingLost<Pool>();
    }
}

TEST(HugePages, manyThreadsTakeAndReturnPages)
{
    using Pages = TaggedHugePages<struct ThreadsTag>;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            std::mt19937 random(t);
            std::vector<PageHeader *> pages;
            for (int i = 0; i < 2000; ++i) {
                if (pages.size() < 100 && random() % 2) {
                    PageHeader *page = Pages::acquirePage();
                    ASSERT_NE(page, nullptr);
                    *reinterpret_cast<unsigned *>(Pages::pageOf(page)) = t;
                    pages.push_back(page);
                } else if (!pages.empty()) {
                    std::swap(pages[random() % pages.size()], pages.back());
                    ASSERT_EQ(*reinterpret_cast<unsigned *>(Pages::pageOf(pages.back())), t);
                    Pages::releasePage(pages.back());
                    pages.pop_back();
                }
                if (i % 500 == 0)
                    Pages::trim();
            }
            for (PageHeader *page : pages)
                Pages::releasePage(page);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    Pages::trim();
    EXPECT_EQ(held<Pages>(), 0u);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// With few addresses it takes fewer, and reports when there are none left.
TEST(HugePages, makeDoWithFewAddresses)
{
    EXPECT_EQ(exitCodeOfChild([] {
        // Other tests have reserved much: so much more than that.
        constexpr std::size_t more = 512 * MiB;
        unsigned long pages = 0;
        std::FILE *file = std::fopen("/proc/self/statm", "r");
        if (!file || std::fscanf(file, "%lu", &pages) != 1)
            return 2;
        std::fclose(file);
        const rlimit limit { pages * Os::pageBytes() + more, RLIM_INFINITY };
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            return 3;
        using Pages = TaggedHugePages<struct LimitTag>;
        std::size_t count = 0;
        while (Pages::acquirePage())
            ++count;
        if (count < 64 || count > more / Pages::PageSize)
            return 4;
        return Pages::acquirePage() ? 5 : 0;
    }), 0);
}

TEST(HugePages, workInAForkedChild)
{
    using Pages = TaggedHugePages<struct ForkTag>;
    using Pool = QPoolAllocator<48, MultiThreaded, Pages>;
    void *block = Pool::allocate();
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(exitCodeOfChild([block] {
        for (int i = 0; i < 100000; ++i) {
            void *one = Pool::allocate();
            if (!one)
                return 1;
            *static_cast<int *>(one) = i;
        }
        Pool::deallocate(block);
        return 0;
    }), 0);
    Pool::deallocate(block);
}
#endif

} // namespace
