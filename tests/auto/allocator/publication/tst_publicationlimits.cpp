// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A process that publishes forks while a limit leaves it nothing: its child goes on with memory of its
// own. Each process is a separate one, because limits stay.

#include "publishedpool.h"
#include "childprocess.h"
#include "testscale.h"
#include "waitingchild.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace QPool;

namespace {

constexpr unsigned bin = binOf(1, 56);
constexpr unsigned number = 100;
void *chunks[number];

// Publishes, and leaves free chunks that need no other memory.
bool begin()
{
    for (void *&chunk : chunks)
        chunk = Published::allocate(bin);
    for (void *chunk : chunks)
        Published::deallocate(chunk);
    return attachTo(getpid()) != nullptr;
}

// What a child does: it uses its copy of its parent's arena.
int useInChild()
{
    for (void *&chunk : chunks) {
        chunk = Published::allocate(bin);
        if (!chunk)
            return 1;
    }
    for (void *chunk : chunks)
        Published::deallocate(chunk);
    return 0;
}

// The parent's own count of chunks must not change with the child's.
int forkOnce()
{
    const std::uint64_t before = Published::statistics(bin).allocated;
    const int code = exitCodeOfChild(useInChild);
    return code ? code : Published::statistics(bin).allocated == before ? 0 : 3;
}

class PublicationLimitsTest : public testing::TestWithParam<unsigned>
{
};

// The kernel allows a process a number of mappings; mremap() needs a few more of them than mmap() does.
TEST_P(PublicationLimitsTest, aChildLivesOnWithFewMappingsLeft)
{
    long most = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> most;
    if (most <= 0 || most > 200000 || !TestScale::ownsAddressSpace)
        GTEST_SKIP() << "this process cannot use up its mappings";
    EXPECT_EQ(exitCodeOfChild([] {
        if (!begin())
            return 10;
        static char *last[8]; // of the mappings
        const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
        unsigned count = 0;
        // Neighbours with different rights are not merged.
        for (;; ++count) {
            void *mapping = mmap(nullptr, page, count % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (mapping == MAP_FAILED)
                break;
            last[count % 8] = static_cast<char *>(mapping);
        }
        if (count < 1000)
            return 11;
        for (unsigned i = 1; i <= GetParam(); ++i)
            munmap(last[(count - i) % 8], page);
        return forkOnce();
    }), 0);
}

INSTANTIATE_TEST_SUITE_P(, PublicationLimitsTest, testing::Range(0u, 7u));

// A limit that is lowered below what the process has refuses all that needs addresses or data.
TEST(PublicationForksTest, aChildLivesOnBelowItsOwnLimits)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the tool needs addresses of its own";
    for (int resource : { RLIMIT_AS, RLIMIT_DATA }) {
        EXPECT_EQ(exitCodeOfChild([resource] {
            if (!begin())
                return 10;
            lower(resource, 1 << 20);
            return forkOnce();
        }), 0) << resource;
    }
}

} // namespace
