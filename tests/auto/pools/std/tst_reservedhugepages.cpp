// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Huge pages that an administrator has reserved, on any machine: the linker (--wrap) replaces the
// calls that request them with a simulated system that has some. It behaves like Linux, which
// removes the previous mapping before it finds that too few are left. The test decides how many
// there are. They are real ones if the machine has as many (vm.nr_hugepages), else ordinary memory.

#include "pools/std/qhugepageallocator.h"
#include "pools/huge/qpoolhugepages.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace QPool;

static std::size_t s_left = 0; // reserved pages that nobody has
static std::size_t s_asked = 0;
static bool s_areReal = false;

extern "C" {

int __real_open(const char *path, int flags, ...);
void *__real_mmap(void *address, std::size_t bytes, int protection, int flags, int file, off_t at);

int __wrap_open(const char *path, int flags, ...)
{
    if (std::strstr(path, "free_hugepages")) {
        int ends[2];
        if (pipe(ends) != 0)
            return -1;
        const std::string number = std::to_string(s_left) + "\n";
        const ssize_t written = write(ends[1], number.data(), number.size());
        close(ends[1]);
        EXPECT_EQ(std::size_t(written), number.size());
        return ends[0];
    }
    va_list arguments;
    va_start(arguments, flags);
    const int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return __real_open(path, flags, mode);
}

void *__wrap_mmap(void *address, std::size_t bytes, int protection, int flags, int file, off_t at)
{
    if (!(flags & MAP_HUGETLB))
        return __real_mmap(address, bytes, protection, flags, file, at);
    ++s_asked;
    EXPECT_EQ(bytes % HugeMemory::PageBytes, 0u);
    const int asked = flags;
    flags = MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED);
    if (flags & MAP_FIXED) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % HugeMemory::PageBytes, 0u);
        munmap(address, bytes);
    }
    if (s_left * HugeMemory::PageBytes < bytes) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    s_left -= bytes / HugeMemory::PageBytes;
    if (s_areReal)
        return __real_mmap(address, bytes, protection, asked, file, at);
    if (flags & MAP_FIXED)
        return __real_mmap(address, bytes, protection, flags, file, at);
    auto *place = static_cast<char *>(
            __real_mmap(nullptr, bytes + HugeMemory::PageBytes, protection, flags, file, at));
    const auto start = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t aligned = (start + HugeMemory::PageBytes - 1) & ~(HugeMemory::PageBytes - 1);
    return place + (aligned - start);
}

}

namespace {

std::size_t realOnes()
{
    char text[32] = {};
    const int file = __real_open("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", O_RDONLY);
    if (file < 0)
        return 0;
    const ssize_t length = read(file, text, sizeof(text) - 1);
    close(file);
    return length > 0 ? std::stoul(text) : 0;
}

// One test, because it is found out only once per process that there are none.
TEST(ReservedHugePages, areUsedAsLongAsThereAreSome)
{
    s_left = 7;
    s_areReal = realOnes() >= s_left;
    std::printf("The huge pages here are %s.\n", s_areReal ? "real" : "ordinary memory");
    errno = 0;
    HugePageAllocator<char> allocator;
    char *block = allocator.allocate(4 * HugeMemory::PageBytes);
    EXPECT_EQ(s_left, 3u);
    for (std::size_t at = 0; at < 4; ++at)
        block[at * HugeMemory::PageBytes] = 1;
    if (s_areReal) {
        EXPECT_EQ(allocator.hugeBytes(block, 4 * HugeMemory::PageBytes), 4 * HugeMemory::PageBytes);
    }
    allocator.deallocate(block, 4 * HugeMemory::PageBytes);
    // Ordinary memory for sizes that are no multiple of such pages, because the rest could not be
    // used otherwise.
    block = allocator.allocate(HugeMemory::PageBytes + 4096);
    EXPECT_EQ(s_left, 3u);
    allocator.deallocate(block, HugeMemory::PageBytes + 4096);

    // A page source takes the remaining ones, one by one, and continues without.
    std::vector<PageHeader *> pages;
    for (int i = 0; i < 5 * 32; ++i) {
        PageHeader *page = HugePages::acquirePage();
        ASSERT_NE(page, nullptr);
        std::memset(HugePages::pageOf(page), i, HugePages::PageSize);
        pages.push_back(page);
    }
    EXPECT_EQ(s_left, 0u);
    EXPECT_EQ(HugePages::statistics().reserved, 3 * HugeMemory::PageBytes);
    EXPECT_EQ(HugePages::statistics().ordinary + HugePages::statistics().transparent,
              2 * HugeMemory::PageBytes);
    for (int i = 0; i < 5 * 32; ++i) {
        const char *place = HugePages::pageOf(pages[std::size_t(i)]);
        ASSERT_EQ(place[0], char(i));
        ASSERT_EQ(place[HugePages::PageSize - 1], char(i));
        HugePages::releasePage(pages[std::size_t(i)]);
    }
    EXPECT_EQ(errno, 0) << "it is the program's";
    const std::size_t asked = s_asked;
    EXPECT_NE(HugeMemory::map(HugeMemory::PageBytes).address, nullptr);
    EXPECT_EQ(s_asked, asked) << "once there is none, nobody asks";
}

// The file says that there is one, but another process takes it first.
TEST(ReservedHugePagesDeathTest, mayBeGoneWhenTheyAreAskedFor)
{
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT({
        s_left = 1;
        void *place = Os::reserve(2 * HugeMemory::PageBytes, HugeMemory::PageBytes);
        const auto placement = HugeMemory::placeReserved(place, 2 * HugeMemory::PageBytes);
        // The removed mapping is reserved again, so commit() works on it.
        const bool usable = Os::commit(place, 2 * HugeMemory::PageBytes);
        std::memset(place, 1, 2 * HugeMemory::PageBytes);
        _exit(placement == HugeMemory::Placement::None && usable ? 0 : 1);
    }, ::testing::ExitedWithCode(0), "");
}

} // namespace
