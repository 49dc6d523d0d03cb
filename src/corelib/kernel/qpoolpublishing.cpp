// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"

#include <QtCore/qglobal.h>

// With the malloc front the pool was in use long before QtCore was loaded.
[[maybe_unused]] static const bool named = [] {
    QPool::processLibrary = QT_PREPEND_NAMESPACE(qVersion)();
    QPool::Publication::rename(QPool::processLibrary);
    return true;
}();
