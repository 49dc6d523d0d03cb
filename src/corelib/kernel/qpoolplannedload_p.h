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
    Why the file at \a path, which is not loaded, must not be loaded beside what is, or nothing: what
    would be found out after it was loaded, but nothing of the file has run.

    Of the libraries that it needs, those that its own search path or LD_LIBRARY_PATH leads to are read
    as files, too. Others are the system's, and are loaded to be looked at if the file bears the mark.
*/
std::string qpoolRefusalOf(const char *path);

#endif

#endif // QPOOLPLANNEDLOAD_P_H
