// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Sizes and counts that no object can have, passed to every function that allocates.

#include "impossiblesizes.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <malloc.h>

namespace {

struct Way
{
    std::string name;
    std::function<void *(std::size_t)> allocate;
};

const std::vector<std::size_t> alignments = { 8, 16, 64, 1024, 4096, 0x200000, MostBytes / 2 + 1 };

std::vector<Way> functions()
{
    std::vector<Way> ways {
        { "malloc", [](std::size_t size) { return std::malloc(size); } },
        { "calloc_size", [](std::size_t size) { return std::calloc(1, size); } },
        { "calloc_count", [](std::size_t size) { return std::calloc(size, 1); } },
        { "realloc_null", [](std::size_t size) { return std::realloc(nullptr, size); } },
        { "reallocarray_size", [](std::size_t size) { return reallocarray(nullptr, 1, size); } },
        { "reallocarray_count", [](std::size_t size) { return reallocarray(nullptr, size, 1); } },
        { "valloc", [](std::size_t size) { return valloc(size); } },
        { "pvalloc", [](std::size_t size) { return pvalloc(size); } },
    };
    for (std::size_t alignment : alignments) {
        const std::string name = "_at_" + std::to_string(alignment);
        ways.push_back({ "aligned_alloc" + name,
                         [=](std::size_t size) { return aligned_alloc(alignment, size); } });
        ways.push_back({ "memalign" + name,
                         [=](std::size_t size) { return memalign(alignment, size); } });
    }
    return ways;
}

std::vector<Way> operators()
{
    std::vector<Way> ways {
        { "single", [](std::size_t size) { return operator new(size); } },
        { "array", [](std::size_t size) { return operator new[](size); } },
        { "single_nothrow", [](std::size_t size) { return operator new(size, std::nothrow); } },
        { "array_nothrow", [](std::size_t size) { return operator new[](size, std::nothrow); } },
    };
    for (std::size_t number : alignments) {
        const std::string name = "_at_" + std::to_string(number);
        const std::align_val_t alignment { number };
        ways.push_back({ "single" + name,
                         [=](std::size_t size) { return operator new(size, alignment); } });
        ways.push_back({ "array" + name,
                         [=](std::size_t size) { return operator new[](size, alignment); } });
        ways.push_back({ "single_nothrow" + name, [=](std::size_t size) {
            return operator new(size, alignment, std::nothrow);
        } });
        ways.push_back({ "array_nothrow" + name, [=](std::size_t size) {
            return operator new[](size, alignment, std::nothrow);
        } });
    }
    return ways;
}

class MallocSizes : public testing::TestWithParam<Way>
{
};

class NewSizes : public testing::TestWithParam<Way>
{
};

} // namespace

TEST_P(MallocSizes, areRefused)
{
    for (std::size_t size : impossibleSizes()) {
        errno = 0;
        void *block = GetParam().allocate(size);
        EXPECT_EQ(block, nullptr) << size;
        EXPECT_EQ(errno, ENOMEM) << size;
        std::free(block);
    }
}

TEST_P(NewSizes, areRefused)
{
    for (std::size_t size : impossibleSizes()) {
        void *block = nullptr;
        try {
            block = GetParam().allocate(size);
        } catch (const std::bad_alloc &) {
        }
        EXPECT_EQ(block, nullptr) << size;
        std::free(block);
    }
}

TEST(MallocCounts, areRefused)
{
    for (std::size_t bytes : { 2, 16, 100, 1024, 65536 }) {
        for (std::size_t count : impossibleCounts(bytes)) {
            EXPECT_EQ(std::calloc(count, bytes), nullptr) << count << " of " << bytes;
            EXPECT_EQ(std::calloc(bytes, count), nullptr) << count << " of " << bytes;
            EXPECT_EQ(reallocarray(nullptr, count, bytes), nullptr) << count << " of " << bytes;
            EXPECT_EQ(reallocarray(nullptr, bytes, count), nullptr) << count << " of " << bytes;
        }
    }
}

TEST(MallocSizes, leaveABlockAsItIs)
{
    for (std::size_t kept : { 100, 5000, 200'000 }) {
        auto *block = static_cast<char *>(std::calloc(1, kept));
        for (std::size_t size : impossibleSizes()) {
            EXPECT_EQ(std::realloc(block, size), nullptr) << size;
            EXPECT_EQ(reallocarray(block, 1, size), nullptr) << size;
        }
        EXPECT_EQ(block[kept - 1], 0);
        std::free(block);
    }
}

TEST(MallocSizes, areRefusedByPosixMemalign)
{
    for (std::size_t alignment : alignments) {
        for (std::size_t size : impossibleSizes()) {
            void *block = nullptr;
            EXPECT_EQ(posix_memalign(&block, alignment, size), ENOMEM) << size << " at " << alignment;
            EXPECT_EQ(block, nullptr);
        }
    }
}

namespace {

std::string nameOf(const testing::TestParamInfo<Way> &info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Front, MallocSizes, testing::ValuesIn(functions()), nameOf);
INSTANTIATE_TEST_SUITE_P(Front, NewSizes, testing::ValuesIn(operators()), nameOf);

} // namespace
