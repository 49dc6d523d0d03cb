// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

// Unsafe in a process that already has such a class compiled without the pool: that one's
// destructor is used, unless this plugin was linked to use its own.
extern "C" Q_DECL_EXPORT QEvent *makeEvent()
{
    return new CREATED;
}
