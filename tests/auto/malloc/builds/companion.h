// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMPANION_H
#define COMPANION_H

#include <cstddef>

extern "C" {

// At most 1024 bytes.
void *companionAllocate(std::size_t size);
bool companionOwns(const void *chunk);
void companionDeallocate(void *chunk);

}

#endif // COMPANION_H
