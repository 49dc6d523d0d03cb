// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// levels create|find NAME: two programs of different levels of hardening share a container, because
// nothing in a segment depends on the level: the names of types are the same for both. And one that is compiled
// otherwise than its library finds its own segment sound.

#include "sharedmemory/qpoolsharedallocator.h"

#include <cstdio>
#include <cstring>
#include <list>

using List = std::list<int, QPool::SharedAllocator<int>>;
using QPool::SharedSegment;

static bool create(const char *name)
{
    SharedSegment segment = SharedSegment::create(name, 1 << 20);
    List *list = segment ? segment.construct<List>("list", segment) : nullptr;
    if (list)
        list->push_back(7);
    return list != nullptr;
}

static bool find(const char *name)
{
    SharedSegment segment = SharedSegment::attach(name);
    SharedSegment::unlink(name);
    List *list = segment ? segment.find<List>("list") : nullptr;
    if (const char *problem = segment ? segment.check() : nullptr) {
        std::fprintf(stderr, "check(): %s\n", problem);
        return false;
    }
    return list && list->front() == 7;
}

int main(int argc, char **argv)
{
    if (argc == 3 && (std::strcmp(argv[1], "create") == 0 ? create(argv[2]) : find(argv[2])))
        return 0;
    std::fprintf(stderr, "level %d: %s\n", QPool::hardening,
                 QPool::errorText(SharedSegment::lastError()));
    return 1;
}
