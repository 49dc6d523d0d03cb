// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLDOMAINS_P_H
#define QPOOLDOMAINS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// For code that is compiled into QtCore. Other modules do not find the allocator's headers; for them
// this header is empty.
#if __has_include("pool/qprocesspool.h")

#include "pool/qprocesspool.h"

// The pool of the process, under the names that QtCore's files use.
namespace QPoolDomains {

using QPool::Domain;
inline constexpr Domain Event = Domain::Event;
inline constexpr Domain Object = Domain::Object;
inline constexpr Domain Private = Domain::Private;

using Layout = QPool::ProcessLayout;
using Pools = QPool::ProcessPool;

} // namespace QPoolDomains

#endif // __has_include("pool/qprocesspool.h")

#endif // QPOOLDOMAINS_P_H
