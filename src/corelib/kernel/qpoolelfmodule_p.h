// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLELFMODULE_P_H
#define QPOOLELFMODULE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolelfimage_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE) && !defined(QT_STATIC)

#include <QtCore/qbytearray.h>

#include <cstdint>
#include <string>
#include <vector>

#include <link.h>

// A program or library that is loaded, as the dynamic linker sees it.
struct QPoolElfModule
{
    std::uintptr_t base = 0;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    // Empty for the program. No std::string: for it each process would read another 128 KiB of the C++
    // library.
    QT_PREPEND_NAMESPACE(QByteArray) name;
    const ElfW(Phdr) *headers = nullptr;
    ElfW(Half) headerCount = 0;
    bool marked = false; // has the note of qpoolmark.h
    bool usesQt = false; // is linked to one of Qt's libraries

    bool operator==(const QPoolElfModule &other) const
    {
        return base == other.base && name == other.name;
    }

    bool contains(const void *address) const
    {
        const auto where = reinterpret_cast<std::uintptr_t>(address);
        return where >= begin && where < end;
    }

    QPoolElfImage image() const;

    // The path; for the program, too.
    std::string path() const;

    // All modules that are loaded now, in load order.
    static std::vector<QPoolElfModule> all();

    // The numbers of modules that were loaded and unloaded so far.
    struct Counts
    {
        unsigned long long loaded = 0;
        unsigned long long unloaded = 0;
    };
    static Counts counts();
};

#endif

#endif // QPOOLELFMODULE_P_H
