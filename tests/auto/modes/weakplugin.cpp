// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

// Unsafe in a process that already has such a class compiled without the pool: what is deleted
// is deleted by that one, unless this was linked to use its own.
extern "C" Q_DECL_EXPORT QEvent *makeEvent()
{
    return new CREATED;
}
