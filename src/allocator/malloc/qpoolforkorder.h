// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFORKORDER_H
#define QPOOLFORKORDER_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

// Registers what has to happen around a fork(), once: the pool's part, and what the C library must
// do before it.
QPOOL_LOCAL void registerForkOrder() noexcept;

QPOOL_END_NAMESPACE

#endif // QPOOLFORKORDER_H
