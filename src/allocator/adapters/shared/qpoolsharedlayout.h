// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDLAYOUT_H
#define QPOOLSHAREDLAYOUT_H

#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

// Where things stand in a segment, which follows from its size.
namespace SharedLayout {

// Fills in what is about sizes; \a bytes is a multiple of the page's, and in range.
void compute(SharedHeader &header, std::uint64_t bytes) noexcept;

/*
    Whether a header that somebody else wrote is sound: \a header is a copy, of the beginning of \a
    fileBytes bytes that are to be mapped where it says. Nothing it says is used before it was compared
    with what it must be. Others may be at work on the segment meanwhile, so what takes more than one
    word, as roots do, is not looked at: SharedCheck does that, with the lock held.
*/
SharedError validate(const SharedHeader &header, std::uint64_t fileBytes, const SharedAbi &abi) noexcept;

// Whether a root says of itself what can be, with the lock held.
bool isSound(const SharedRoot &root, const SharedHeader &header) noexcept;

} // namespace SharedLayout

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDLAYOUT_H
