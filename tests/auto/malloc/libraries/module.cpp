// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A library that allocates while it is loaded, in use and unloaded. The same file is loaded again
// and again: it must not stay, so it has neither thread-local objects nor templates' static ones.

#include "patterned.h"

namespace {

enum { Count = 500 };
Patterned *own[Count];
Patterned *handedIn;

struct AtLoad
{
    AtLoad()
    {
        for (unsigned i = 0; i < Count; ++i)
            own[i] = makeBlock(someSize(i));
    }

    ~AtLoad()
    {
        churn(4);
        for (Patterned *block : own)
            freeBlock(block);
        freeBlock(handedIn);
    }
} atLoad;

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED Patterned *moduleMakes(unsigned turn)
{
    return makeBlock(someSize(turn));
}

EXPORTED void moduleFrees(Patterned *block)
{
    freeBlock(block);
}

// Until it is unloaded.
EXPORTED void moduleKeeps(Patterned *block)
{
    handedIn = block;
}
