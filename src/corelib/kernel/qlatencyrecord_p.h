// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYRECORD_P_H
#define QLATENCYRECORD_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

// What a thread records of a posted event: one record when it is posted, one when it ends. Half a cache
// line: a thread that posts a million events a second writes 32 MB of records.
struct LatencyRecord
{
    enum Kind : std::uint8_t {
        Posted,
        Delivered,
        Removed, // from the list, by removePostedEvents(), by its own destructor, or with the thread
        ReceiverDied,
        Compressed // into an event of the same kind that waited already; time is that of its Posted record
    };

    std::uint64_t event; // its address, which a later event may have, too
    std::uint64_t time; // of Delivered: when the handler returned
    std::uint64_t other; // of Delivered: when the handler began; else the receiver's first word, or 0
    std::uint32_t name; // of Delivered: the receiver's class, with the slot of a queued call; of Posted: the signal
    std::uint16_t type;
    Kind kind;
    std::uint8_t queue; // of Posted: the list that the event waits in; of Delivered: that of the thread; 0: not known
};

static_assert(sizeof(LatencyRecord) == 32);

QPOOL_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYRECORD_P_H
