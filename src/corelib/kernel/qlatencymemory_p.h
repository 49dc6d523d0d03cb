// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYMEMORY_P_H
#define QLATENCYMEMORY_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include <QtCore/qglobal.h>

#include <string>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

// The process's memory at one moment, in bytes.
struct QPoolMemorySample
{
    static constexpr unsigned MostDomains = 4;

    static QPoolMemorySample take();

    quint64 resident = 0; // 0 if the system does not say
    quint64 domainCount = 0; // 0 without a pool
    quint64 live[MostDomains] = {}; // chunks of each domain
    std::string domains; // their names, with commas between them
};

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYMEMORY_P_H
