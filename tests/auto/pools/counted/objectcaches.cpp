// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Takes and gives back as many objects of a cache as the arguments say, so that the instructions can be
// counted: ../../allocator/counted/count-instructions.cmake.

#include "pools/objects/qobjectcache.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace QPool;

namespace {

// Keeps the compiler from seeing through a pointer.
inline void *opaque(void *pointer)
{
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

struct Idle
{
    void reset() { }
    long data[4] = {};
};

// A cache as programs have it, of which the compiler does not see how it was made.
ObjectCache<Idle> &sharedCache()
{
    static ObjectCache<Idle> cache;
    return *static_cast<ObjectCache<Idle> *>(opaque(&cache));
}

// From the thread's stock.
void pairs(long count)
{
    ObjectCache<Idle> &cache = sharedCache();
    for (long i = 0; i < count; ++i)
        cache.giveBack(static_cast<Idle *>(opaque(cache.take().release())));
}

// A hundred at a time, through the depot.
void batches(long count)
{
    ObjectCache<Idle> &cache = sharedCache();
    Idle *objects[100];
    for (long i = 0; i < count; i += 100) {
        for (Idle *&object : objects)
            object = static_cast<Idle *>(opaque(cache.take().release()));
        for (Idle *object : objects)
            cache.giveBack(object);
    }
}

} // namespace

int main(int argc, char **argv)
{
    const bool known = argc == 3
            && (!std::strcmp(argv[1], "ObjectCache") || !std::strcmp(argv[1], "ObjectCache-batches"));
    if (!known) {
        std::fprintf(stderr, "usage: %s ObjectCache|ObjectCache-batches COUNT\n", argv[0]);
        return 2;
    }
    (std::strchr(argv[1], '-') ? batches : pairs)(std::atol(argv[2]));
    return 0;
}
