// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Libraries that come and go: what they allocated outlives them, and what they were given goes with
// them.

#include "patterned.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <dlfcn.h>

namespace {

class Module
{
public:
    explicit Module() : m_handle(dlopen(PATH_OF_MODULE, RTLD_NOW | RTLD_LOCAL))
    {
        EXPECT_NE(m_handle, nullptr) << dlerror();
    }

    ~Module() { EXPECT_EQ(dlclose(m_handle), 0); }
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;

    Patterned *make(unsigned turn) { return call<Patterned *(unsigned)>("moduleMakes")(turn); }
    void free(Patterned *block) { call<void(Patterned *)>("moduleFrees")(block); }
    void keep(Patterned *block) { call<void(Patterned *)>("moduleKeeps")(block); }

private:
    template <class Function>
    Function *call(const char *name)
    {
        return reinterpret_cast<Function *>(dlsym(m_handle, name));
    }

    void *m_handle;
};

bool isLoaded()
{
    void *handle = dlopen(PATH_OF_MODULE, RTLD_NOW | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != nullptr;
}

TEST(MallocLibrariesTest, blocksGoBothWaysAndOutliveTheLibrary)
{
    std::vector<Patterned *> outlive;
    for (unsigned turn = 0; turn < 50; ++turn) {
        {
            Module module;
            for (unsigned i = 0; i < 200; ++i) {
                outlive.push_back(module.make(turn * 200 + i));
                module.free(makeBlock(someSize(i)));
            }
            module.keep(makeBlock(someSize(turn)));
        }
        ASSERT_FALSE(isLoaded());
        while (outlive.size() > 1000) {
            freeBlock(outlive.back());
            outlive.pop_back();
        }
    }
    for (Patterned *block : outlive)
        freeBlock(block);
}

// With threads that allocate while libraries are loaded, and one that begins with a block of a
// library that is gone.
TEST(MallocLibrariesTest, blocksSurviveWhileThreadsComeAndGo)
{
    std::atomic<bool> stop { false };
    std::thread busy([&] {
        for (unsigned turn = 0; !stop; ++turn)
            churn(turn);
    });
    for (unsigned turn = 0; turn < 50; ++turn) {
        std::vector<Patterned *> blocks;
        std::thread([&] {
            Module module;
            for (unsigned i = 0; i < 300; ++i)
                blocks.push_back(module.make(turn + i));
        }).join();
        std::thread([&] {
            for (Patterned *block : blocks)
                freeBlock(block);
        }).join();
    }
    stop = true;
    busy.join();
}

} // namespace
