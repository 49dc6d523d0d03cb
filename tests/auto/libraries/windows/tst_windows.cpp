// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What differs on Windows: how the system provides addresses and memory, how the end of a thread is
// detected, and how statistics are published.

#include "os/qpoolos.h"
#include "os/qpoolsharedmemory.h"
#include "pool/qsizedpoolallocator.h"
#include "qpoolsegmentview.h"
#include "stats/qpoolpublishedpages.h"

#include <gtest/gtest.h>

#include <windows.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

using namespace QPool;

namespace {

struct PublishedLayout
{
    static constexpr unsigned BinCount = SizeClasses::Count;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept { return SizeClasses::sizeOf(bin); }
    static bool isDisabled() noexcept
    {
        static constexpr PublishedDomain domains[] = { { "all", 0, BinCount } };
        Publication::begin<PublishedLayout>({ "1.2.3", domains, 1, true });
        return false;
    }
};
using Published = PoolFront<PublishedLayout, MultiThreaded, PublishedPages>;
constexpr std::size_t BlockSize = 48;
constexpr int BlockCount = 37;

// Of a view whose first part has memory and whose rest has none.
std::size_t bytesOf(const void *view)
{
    MEMORY_BASIC_INFORMATION region;
    const char *end = static_cast<const char *>(view);
    while (VirtualQuery(end, &region, sizeof(region)) != 0 && region.AllocationBase == view)
        end += region.RegionSize;
    return std::size_t(end - static_cast<const char *>(view));
}

// The number of live blocks of the size in the process, from what it publishes; -1 if it does not.
int liveBlocksOf(unsigned long process)
{
    char name[64];
    std::snprintf(name, sizeof(name), "Local\\%s%lu", SegmentHeader::NamePrefix, process);
    const HANDLE mapping = OpenFileMappingA(FILE_MAP_READ, FALSE, name);
    if (!mapping)
        return -1;
    int live = -1;
    const void *view = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    if (view) {
        std::string message;
        SegmentView::Error error;
        if (const auto segment = SegmentView::open(view, bytesOf(view), &error, &message)) {
            live = 0;
            for (const ClassStatistics &statistics : segment->read().domains.at(0).classes) {
                if (statistics.size == BlockSize)
                    live = int(statistics.live());
            }
        } else {
            std::fprintf(stderr, "%s\n", message.c_str());
        }
    }
    if (view)
        UnmapViewOfFile(view);
    CloseHandle(mapping);
    return live;
}

// Another process, this program with \a process for its argument: its exit code.
unsigned long exitCodeOfReader(unsigned long process)
{
    char path[MAX_PATH];
    GetModuleFileNameA(nullptr, path, sizeof(path));
    std::string command = "\"" + std::string(path) + "\" --read " + std::to_string(process);
    STARTUPINFOA startup = {};
    startup.cb = sizeof(startup);
    PROCESS_INFORMATION reader = {};
    if (!CreateProcessA(nullptr, command.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup,
                        &reader))
        return 1000;
    WaitForSingleObject(reader.hProcess, INFINITE);
    unsigned long code = 1001;
    GetExitCodeProcess(reader.hProcess, &code);
    CloseHandle(reader.hProcess);
    CloseHandle(reader.hThread);
    return code;
}

} // namespace

TEST(WindowsOs, reservesWithoutMemoryAndCommits)
{
    constexpr std::size_t bytes = std::size_t(1) << 33;
    constexpr std::size_t alignment = std::size_t(1) << 26;
    char *place = static_cast<char *>(Os::reserve(bytes, alignment));
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % alignment, 0u);
    MEMORY_BASIC_INFORMATION region;
    ASSERT_NE(VirtualQuery(place, &region, sizeof(region)), 0u);
    EXPECT_EQ(region.State, DWORD(MEM_RESERVE));
    ASSERT_TRUE(Os::commit(place, 64 * 1024));
    std::memset(place, 1, 64 * 1024);
    EXPECT_TRUE(Os::decommit(place, 64 * 1024));
    ASSERT_NE(VirtualQuery(place, &region, sizeof(region)), 0u);
    EXPECT_EQ(region.State, DWORD(MEM_RESERVE));
    EXPECT_TRUE(Os::recommit(place, 64 * 1024));
    EXPECT_EQ(place[4711], 0);
    EXPECT_EQ(Os::reserveAt(place, 64 * 1024), Os::Reservation::Taken);
    Os::unreserve(place, bytes);
}

// By fiber-local storage: an arena is orphaned when its thread has ended, and adopted by the next
// thread.
TEST(WindowsThreads, leaveTheirArenasAtTheirEnd)
{
    using Pool = QPoolAllocator<40, MultiThreaded>;
    void *kept = nullptr;
    std::thread([&] { kept = Pool::allocate(); }).join();
    ASSERT_NE(kept, nullptr);
    unsigned arenas = 0;
    unsigned orphans = 0;
    const auto count = [&](const ArenaStatistics &arena) {
        ++arenas;
        orphans += arena.orphaned;
    };
    Pool::forEachArena(count);
    EXPECT_EQ(arenas, 1u);
    EXPECT_EQ(orphans, 1u);
    std::thread([&] { Pool::deallocate(Pool::allocate()); Pool::deallocate(kept); }).join();
    arenas = orphans = 0;
    Pool::forEachArena(count);
    EXPECT_EQ(arenas, 1u);
    EXPECT_EQ(orphans, 1u);
    EXPECT_EQ(Pool::statistics().live(), 0u);
}

// A thread that the C++ library does not know ends as well.
TEST(WindowsThreads, leaveTheirArenasWithoutTheCppLibrary)
{
    using Pool = QPoolAllocator<56, MultiThreaded>;
    const auto body = [](void *) -> DWORD {
        Pool::deallocate(Pool::allocate());
        return 0;
    };
    const HANDLE thread = CreateThread(nullptr, 0, body, nullptr, 0, nullptr);
    ASSERT_NE(thread, nullptr);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    unsigned orphans = 0;
    Pool::forEachArena([&](const ArenaStatistics &arena) { orphans += arena.orphaned; });
    EXPECT_EQ(orphans, 1u);
}

TEST(WindowsPublication, isReadByAnotherProcess)
{
    void *blocks[BlockCount];
    for (void *&block : blocks)
        block = Published::allocate(SizeClasses::indexOf(BlockSize));
    EXPECT_EQ(liveBlocksOf(GetCurrentProcessId()), BlockCount);
    EXPECT_EQ(exitCodeOfReader(GetCurrentProcessId()), unsigned(BlockCount));
    for (void *block : blocks)
        Published::deallocate(block);
    EXPECT_EQ(exitCodeOfReader(GetCurrentProcessId()), 0u);
}

TEST(WindowsPublication, refusesANameInUse)
{
    const HANDLE theirs = CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 65536,
                                             "Local\\qpool-test-taken");
    ASSERT_NE(theirs, nullptr);
    SharedMemory memory;
    errno = 0;
    EXPECT_EQ(memory.create("qpool-test-taken", 65536), nullptr);
    EXPECT_EQ(errno, EEXIST);
    CloseHandle(theirs);
}

int main(int count, char **arguments)
{
    if (count == 3 && std::strcmp(arguments[1], "--read") == 0)
        return liveBlocksOf(std::strtoul(arguments[2], nullptr, 10));
    ::testing::InitGoogleTest(&count, arguments);
    return RUN_ALL_TESTS();
}
