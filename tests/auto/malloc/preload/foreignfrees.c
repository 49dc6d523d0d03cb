/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* Code that finds the C library's free() before the front's: a plugin opened with RTLD_DEEPBIND, or
   what is looked up in a handle of the C library. Everything else that such a plugin finds stays as it
   is. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>

const char *definedTwice(void);
const char *definedTwice(void) { return "program"; }

#define FIND(library, result, name, ...) \
    result (*name)(__VA_ARGS__); \
    *(void **) &name = dlsym(library, #name); \
    EXPECT(name)

static void *openPlugin(int flags)
{
    void *plugin = dlopen(PLUGIN, flags);
    if (!plugin)
        failHere(dlerror(), __LINE__);
    return plugin;
}

static void usePlugin(int flags)
{
    void *plugin = openPlugin(flags);
    FIND(plugin, const char *, whichIsFound, void);
    FIND(plugin, void, dropBlock, void *);
    FIND(plugin, void *, resizeBlock, void *, size_t);
    FIND(plugin, void *, resizeArray, void *, size_t);
    FIND(plugin, size_t, sizeOfBlock, void *);
    FIND(plugin, void *, makeBlockHere, size_t);
    FIND(plugin, void, deleteObject, int *);
    FIND(plugin, int *, newObject, void);
    FIND(plugin, void, dropWhatLibrariesMake, void);

    EXPECT(strcmp(whichIsFound(), flags & RTLD_DEEPBIND ? "plugin" : "program") == 0);
    dropWhatLibrariesMake();
    for (size_t size = 1; size < 3000; size += 37) {
        void *block = malloc(size);
        EXPECT(sizeOfBlock(block) == malloc_usable_size(block));
        dropBlock(block);
        free(resizeBlock(malloc(size), 2 * size));
        dropBlock(resizeArray(malloc(size), size));
        free(makeBlockHere(size));
        block = realloc(makeBlockHere(size), size + 100);
        EXPECT(malloc_usable_size(block) >= size + 100);
        dropBlock(block);
    }
    dropBlock(NULL);
    for (int i = 0; i < 100; ++i)
        deleteObject(newObject());
    EXPECT(dlclose(plugin) == 0);
}

static void lookUpInTheCLibrary(void)
{
    void *library = dlopen(LIBC_SO, RTLD_NOW | RTLD_NOLOAD);
    EXPECT(library);
    FIND(library, void, free, void *);
    FIND(library, void *, malloc, size_t);
    FIND(library, char *, strdup, const char *);
    free(strdup("some text"));
    free(malloc(10));
    free(malloc(10000));
    dlclose(library);
}

/* Another C library, with a heap of its own. */
static void useOtherNamespace(void)
{
    void *plugin = dlmopen(LM_ID_NEWLM, PLUGIN, RTLD_NOW);
    if (!plugin)
        failHere(dlerror(), __LINE__);
    FIND(plugin, void, dropBlock, void *);
    FIND(plugin, void *, makeBlockHere, size_t);
    FIND(plugin, void, dropWhatLibrariesMake, void);
    dropWhatLibrariesMake();
    dropBlock(makeBlockHere(40));
    EXPECT(dlclose(plugin) == 0);
}

int main(void)
{
    expectFront();
    usePlugin(RTLD_NOW | RTLD_DEEPBIND);
    usePlugin(RTLD_LAZY | RTLD_DEEPBIND);
    usePlugin(RTLD_NOW);
    lookUpInTheCLibrary();
    useOtherNamespace();
    return 0;
}
