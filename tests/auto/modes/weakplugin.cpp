// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

// Unsafe in a process that already has a HeaderOnly compiled without the pool: what is deleted
// is deleted by that one.
extern "C" Q_DECL_EXPORT QEvent *makeEvent()
{
    return new HeaderOnly;
}
