// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPLANNEDLOAD_P_H
#define QPOOLPLANNEDLOAD_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <string>

#if defined(__ELF__) && !defined(QT_STATIC)

/*
    The reason why the file at \a path must not be loaded beside the modules that are loaded now; empty if
    there is none. The result is the same as after loading the file, but none of the file's code runs.

    Libraries that the file needs, and that its own search path or LD_LIBRARY_PATH leads to, are read as
    files, too. The others are the system's; if the file has the mark, they are loaded for the check.
*/
std::string qpoolRefusalOf(const char *path);

#endif

#endif // QPOOLPLANNEDLOAD_P_H
