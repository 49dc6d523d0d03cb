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

// Plain C, for programs to look up at run time; documented where it is defined.
extern "C" Q_CORE_EXPORT std::size_t qt_pool_allocator_census(char *buffer, std::size_t size);

// Empty to modules of Qt, which do not find the allocator's headers.
#if __has_include("stats/qpoolinspection.h")

#include "stats/qpoolinspection.h"

namespace QPoolDomains {

using FactList = decltype(QPool::factsOf<Pools, Layout>(0));

} // namespace QPoolDomains

/*!
    Where everything is, for debuggers and censuses: ends with a fact without a name. Read by name, by
    tools/gdb/qpool.py and by CensusReader, never called.
*/
extern "C" Q_CORE_EXPORT const QPoolDomains::FactList qt_pool_allocator_facts;

#endif // __has_include("stats/qpoolinspection.h")

#endif // QPOOLINSPECTION_P_H
