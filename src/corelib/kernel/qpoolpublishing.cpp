// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"

#include <QtCore/qglobal.h>

#include <cstdlib>
#include <cstring>

void QPoolDomains::publishIfAsked(bool enabled) noexcept
{
    const char *wish = std::getenv("QT_POOL_ALLOCATOR");
    if (!wish || std::strcmp(wish, "monitor") != 0)
        return;
    QPool::Publication::begin<QPoolLayout>({ QT_PREPEND_NAMESPACE(qVersion)(), Domains, DomainCount,
                                        enabled });
}
