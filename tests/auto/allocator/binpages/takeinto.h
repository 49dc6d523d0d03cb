// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TAKEINTO_H
#define TAKEINTO_H

#include "core/qpoolbinpages.h"

// Takes chunks of a bin's pages into an array, which stands for the bin's magazine; returns how many.
template <class Source>
std::uint32_t takeInto(void **slots, QPool::ArenaBase &arena, QPool::Bin &bin, std::uint32_t wanted)
{
    bin.magazine = slots;
    bin.capacity = wanted;
    QPool::BinPages<Source>::fill(arena, bin, wanted);
    const std::uint32_t count = bin.held();
    bin.countMoved(-std::int32_t(count));
    return count;
}

#endif // TAKEINTO_H
