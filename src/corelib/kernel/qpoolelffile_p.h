// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLELFFILE_P_H
#define QPOOLELFFILE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolelfimage_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE)

#include "os/qpoolelfcopies.h"

#include <QtCore/qbytearray.h>

QT_USE_NAMESPACE

// A program or library on disk. None of its code runs. QtCore reads a file for each plugin that it loads, so
// this uses code that QtCore uses anyway: std::string's code is in pages of the C++ library that most
// programs would not touch otherwise.
class QPOOL_LOCAL QPoolElfFile : private QPool::ElfCopies
{
public:
    // Check error() before anything else.
    explicit QPoolElfFile(const QByteArray &path) : QPoolElfFile(path, Opened(path.constData())) { }
    ~QPoolElfFile();
    QPoolElfFile(const QPoolElfFile &) = delete;
    QPoolElfFile &operator=(const QPoolElfFile &) = delete;

    // Why it cannot be read; empty if it can.
    const QByteArray &error() const { return m_error; }
    const QByteArray &path() const { return m_path; }
    const QPoolElfImage &image() const { return m_image; }
    const QPool::ElfSource &source() const { return *this; }
    bool isMarked() const { return m_image.isMarked(); }
    bool usesQt() const { return m_image.usesQt(); }
    // The path of the dynamic linker; empty if the file is no program, or one that needs none.
    QByteArray interpreter() const;

private:
    struct Opened
    {
        explicit Opened(const char *path);
        int file;
        std::uintptr_t size = 0;
        const char *error = nullptr;
    };
    QPoolElfFile(const QByteArray &path, const Opened &opened);

    const char *keep(std::uintptr_t place, std::size_t size) const noexcept override;

    const QByteArray m_path;
    const int m_file;
    std::uint64_t m_left = UINT64_MAX;
    mutable QByteArray m_kept; // the string table
    const QPoolElfImage m_image;
    QByteArray m_error;
};

#endif

#endif // QPOOLELFFILE_P_H
