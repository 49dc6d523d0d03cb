// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of all sizes from the front and from the library that has one pool with it, each freed by
// the other's part.

#include "companion.h"
#include "frontcheck.h"

#include <cstdlib>
#include <cstring>
#include <thread>

static void useBoth()
{
    for (std::size_t size = 1; size <= 1024; ++size) {
        void *object = companionAllocate(size);
        void *block = std::malloc(size);
        EXPECT(object && block && companionOwns(object) && companionOwns(block));
        std::memset(object, 0x5A, size);
        std::memset(block, 0xA5, size);
        companionDeallocate(block);
        std::free(object);
    }
}

int main()
{
    expectFront();
    useBoth();
    std::thread(useBoth).join();
    useBoth();
    return 0;
}
