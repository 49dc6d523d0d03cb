// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolinspection_p.h"

const QPoolDomains::FactList qt_pool_allocator_facts =
        QPool::factsOf<QPoolDomains::Pools, QPoolDomains::Layout>(QPool::SizeClasses::Count);
