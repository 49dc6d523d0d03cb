// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLINSPECTION_P_H
#define QPOOLINSPECTION_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpooldomains_p.h"

#include <QtCore/qglobal.h>

#include <cstddef>

// Plain C, so that programs can look it up at run time; documented where it is defined.
extern "C" Q_CORE_EXPORT std::size_t qt_pool_allocator_census(char *buffer, std::size_t size);

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("stats/qpoolinspection.h")

#include "stats/qpoolinspection.h"

namespace QPoolDomains {

using FactList = decltype(QPool::factsOf<Pools, Layout>(0));

} // namespace QPoolDomains

/*!
    The facts of the pool, for debuggers and censuses; ends with a fact that has no name.
    tools/gdb/qpool.py and CensusReader read it by its name; nothing calls it.
*/
extern "C" Q_CORE_EXPORT const QPoolDomains::FactList qt_pool_allocator_facts;

#endif // __has_include("stats/qpoolinspection.h")

#endif // QPOOLINSPECTION_P_H
