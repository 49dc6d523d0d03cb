// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Opened by foreignfrees.c. With RTLD_DEEPBIND its free() is what it finds in the C library, but
// strdup() calls the front's malloc().

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <malloc.h>

extern "C" {

// The program has a function of this name, too.
const char *definedTwice()
{
    return "plugin";
}

const char *whichIsFound()
{
    return definedTwice();
}

void dropBlock(void *block)
{
    free(block);
}

void *resizeBlock(void *block, size_t size)
{
    return realloc(block, size);
}

void *resizeArray(void *block, size_t count)
{
    return reallocarray(block, count, 10);
}

size_t sizeOfBlock(void *block)
{
    return malloc_usable_size(block);
}

void *makeBlockHere(size_t size)
{
    return malloc(size);
}

void deleteObject(int *object)
{
    delete object;
}

int *newObject()
{
    return new int(42);
}

void dropWhatLibrariesMake()
{
    free(strdup("some text"));
    char *text = nullptr;
    if (asprintf(&text, "%d", 42) == 2)
        free(text);
    char *line = nullptr;
    size_t size = 0;
    if (FILE *file = fopen("/proc/self/comm", "r")) {
        if (getline(&line, &size, file) > 0)
            free(line);
        fclose(file);
    }
}

} // extern "C"

namespace {

// Before dlopen() returns, and in dlclose().
struct Global
{
    Global() { dropWhatLibrariesMake(); }
    ~Global() { dropWhatLibrariesMake(); }
};

const Global global;

} // namespace
