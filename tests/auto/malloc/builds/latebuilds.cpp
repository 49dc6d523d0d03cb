// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The library that has one pool with the front comes by dlopen(), as QtCore does in Python.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *companion = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!companion) {
        std::fprintf(stderr, "FAIL: %s\n", argc == 2 ? dlerror() : "usage: latebuilds COMPANION");
        return 2;
    }
    const auto allocate = reinterpret_cast<void *(*)(std::size_t)>(
            dlsym(companion, "companionAllocate"));
    const auto owns = reinterpret_cast<bool (*)(const void *)>(dlsym(companion, "companionOwns"));
    if (!allocate || !owns) {
        std::fputs("FAIL: the companion's functions\n", stderr);
        return 3;
    }
    void *object = allocate(100);
    void *block = std::malloc(100);
    const bool isOne = object && block && owns(object) && owns(block);
    std::free(object);
    std::free(block);
    std::fputs(isOne ? "" : "FAIL: two pools\n", stderr);
    return isOne ? 0 : 1;
}
