// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDLAYOUT_H
#define QPOOLSHAREDLAYOUT_H

#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

// The positions of the parts of a segment, which follow from its size.
namespace SharedLayout {

// Fills in the members about sizes; \a bytes is a multiple of the page size, and in range.
void compute(SharedHeader &header, std::uint64_t bytes) noexcept;

/*
    Whether a header that another process wrote is sound: \a header is a copy of the beginning of
    \a fileBytes bytes that are to be mapped where it says. No value of it is used before it was
    compared with what it must be. Other processes may change the segment meanwhile, so data of more
    than one word, such as roots, is not checked: SharedCheck does that, with the lock held.
*/
SharedError validate(const SharedHeader &header, std::uint64_t fileBytes, const SharedAbi &abi) noexcept;

// Whether the members of a root are possible values; the caller holds the lock.
bool isSound(const SharedRoot &root, const SharedHeader &header) noexcept;

} // namespace SharedLayout

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDLAYOUT_H
