// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One pool in a process with several libraries, whatever their visibility and however they are
// loaded; and what happens if there would be two.

#include "module.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <thread>
#include <vector>

extern "C" void linked_one(ModuleFunctions *);
extern "C" void linked_two(ModuleFunctions *);

namespace {

struct Loaded
{
    void *handle = nullptr;
    ModuleFunctions functions = {};
};

Loaded load(const char *path, int how)
{
    Loaded loaded;
    loaded.handle = dlopen(path, RTLD_NOW | how);
    if (!loaded.handle)
        return loaded;
    if (void *entry = dlsym(loaded.handle, "loaded"))
        reinterpret_cast<void (*)(ModuleFunctions *)>(entry)(&loaded.functions);
    return loaded;
}

std::vector<ModuleFunctions> linkedModules()
{
    std::vector<ModuleFunctions> modules(3);
    modules[0] = functionsOfThisModule();
    linked_one(&modules[1]);
    linked_two(&modules[2]);
    return modules;
}

// Every module frees what every other one allocated, on its own thread and on another.
void exchange(const std::vector<ModuleFunctions> &modules)
{
    constexpr std::size_t size = 104;
    const std::size_t live = modules[0].live(size);
    const std::size_t liveFixed = modules[0].liveFixed();
    for (const ModuleFunctions &from : modules) {
        for (const ModuleFunctions &to : modules) {
            std::vector<void *> blocks;
            std::vector<void *> shared;
            std::vector<void *> fixed;
            for (int i = 0; i < 200; ++i) {
                blocks.push_back(from.allocate(size));
                shared.push_back(from.allocateShared(size));
                fixed.push_back(from.allocateFixed());
                ASSERT_TRUE(to.owns(blocks.back()));
                ASSERT_TRUE(to.owns(shared.back()));
                ASSERT_TRUE(to.owns(fixed.back()));
            }
            EXPECT_EQ(to.live(size), live + 200);
            EXPECT_EQ(to.liveFixed(), liveFixed + 200);
            const auto freeFrom = [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    to.deallocate(blocks[i]);
                    to.deallocateShared(shared[i], size);
                    to.deallocateFixed(fixed[i]);
                }
            };
            freeFrom(0, 100);
            std::thread([&] { freeFrom(100, 200); }).join();
            EXPECT_EQ(to.live(size), live);
            EXPECT_EQ(to.liveFixed(), liveFixed);
        }
    }
}

TEST(SharedLibraryTest, linkedLibrariesFreeEachOthersBlocks)
{
    exchange(linkedModules());
}

TEST(SharedLibraryTest, locallyLoadedLibrariesShareThePools)
{
    std::vector<ModuleFunctions> modules = linkedModules();
    for (const char *path : { PATH_OF_loaded_one, PATH_OF_loaded_two }) {
        const Loaded loaded = load(path, RTLD_LOCAL);
        ASSERT_TRUE(loaded.functions.allocate) << dlerror();
        modules.push_back(loaded.functions);
    }
    exchange(modules);
}

// A thread's exit handler runs after the library that it used has been closed.
TEST(SharedLibraryTest, threadsMayEndAfterTheLibraryIsClosed)
{
    const ModuleFunctions here = functionsOfThisModule();
    void *block = nullptr;
    void *chunk = nullptr;
    std::thread([&] {
        const Loaded loaded = load(PATH_OF_loaded_one, RTLD_LOCAL);
        ASSERT_TRUE(loaded.functions.allocate) << dlerror();
        block = loaded.functions.allocate(200);
        chunk = loaded.functions.allocateFixed();
        EXPECT_EQ(dlclose(loaded.handle), 0);
    }).join();
    ASSERT_TRUE(here.owns(block));
    here.deallocate(block);
    here.deallocateFixed(chunk);
}

TEST(SharedLibraryTest, privateCopiesAreApart)
{
    const ModuleFunctions here = functionsOfThisModule();
    const Loaded loaded = load(PATH_OF_private, RTLD_GLOBAL);
    ASSERT_TRUE(loaded.functions.allocate) << dlerror();
    const ModuleFunctions &its = loaded.functions;
    constexpr std::size_t size = 88;
    const std::size_t live = here.live(size);
    void *block = its.allocate(size);
    void *chunk = its.allocateFixed();
    EXPECT_TRUE(its.owns(block));
    EXPECT_FALSE(here.owns(block));
    EXPECT_EQ(its.live(size), 1u);
    EXPECT_EQ(here.live(size), live);
    void *own = here.allocate(size);
    EXPECT_FALSE(its.owns(own));
    std::thread([&] {
        its.deallocate(block);
        its.deallocateFixed(chunk);
    }).join();
    here.deallocate(own);
    EXPECT_EQ(its.live(size), 0u);
    EXPECT_EQ(its.liveFixed(), 0u);
}

TEST(SharedLibraryDeathTest, refusesASecondCopy)
{
    EXPECT_DEATH(load(PATH_OF_copy, RTLD_LOCAL),
                 "two copies of the pools' state in one process: .*libqpool.*ABI 1, level [012].* "
                 "and .*shared_copy.*ABI 1, level [012].*libqpool.so");
}

TEST(SharedLibraryDeathTest, refusesASecondCopyThatIsHardened)
{
    if (QPool::hardened)
        GTEST_SKIP() << "here the first copy is hardened as well";
    EXPECT_DEATH(load(PATH_OF_copy_hardened, RTLD_LOCAL),
                 "two copies of the pools' state in one process: .*ABI 1, level 0.* "
                 "and .*shared_copy_hardened.*ABI 1, level 1");
}

TEST(SharedLibraryDeathTest, refusesASecondCopyOfAnotherVersion)
{
    EXPECT_DEATH(load(PATH_OF_copy_otherversion, RTLD_LOCAL),
                 "two copies of the pools' state in one process: .*ABI 1.* "
                 "and .*shared_copy_otherversion.*ABI 2");
}

} // namespace
