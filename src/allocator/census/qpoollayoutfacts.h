// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLAYOUTFACTS_H
#define QPOOLLAYOUTFACTS_H

#include "qpoolfacts.h"

namespace QPool {

// The facts of a process that a walk needs, looked up once and checked, because the walk relies on them:
// every field lies within its record. The names are those of Inspection.
struct LayoutFacts
{
    using Word = Facts::Word;

    struct { Word at, first, shift, count, firstPage, taken, blocks; } windows;
    struct { Word bytes; } page;
    struct { Word bytes, owner, bin, free, used, fresh, capacity, chunkSize; } header;
    struct { Word at, arenas, remoteCaches; } registry;
    struct { Word bytes, next, id, thread, orphaned, state, bins; } arena;
    struct
    {
        Word count, perDomain, bytes;
        Word state; // the size of the part at a bin's start that changes with its contents
        Word level, magazine, heldMask, loaded, chunkSize; // all in that part
        Word backlog, batches, keptBatches, keptChunks, pushed, home; // these, too
    } bin;
    struct { Word bytes, next, bins, slotArray, count, slotBytes, first, batch, held; } remoteCache;
    struct { Word bytes, next, count, chunks, capacity; } batch;
    struct { Word bytes, link; } chunk;
    struct { Word level, key; } hardening; // at level 2 key is where the key is

    // False if a fact is missing or makes no sense, with the reason in \a message.
    bool take(Facts &facts, std::string *message);
};

} // namespace QPool

#endif // QPOOLLAYOUTFACTS_H
