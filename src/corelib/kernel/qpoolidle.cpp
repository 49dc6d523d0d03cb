// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolidle_p.h"
#include "qpooloperators.h"

QT_BEGIN_NAMESPACE

int (*QPoolIdle::giveBack)() = qt_pool_allocator_idle;

QT_END_NAMESPACE
