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

#include <QtCore/qbytearray.h>

#if defined(__ELF__)

// A program or library on disk, mapped for reading. None of its code runs. QtCore reads a file for each
// plugin that it loads, so this uses code that QtCore uses anyway: std::string's code is in pages of the
// C++ library that most programs would not touch otherwise.
class QPoolElfFile
{
public:
    // Check error() before anything else.
    explicit QPoolElfFile(QByteArray path);
    ~QPoolElfFile();
    QPoolElfFile(const QPoolElfFile &) = delete;
    QPoolElfFile &operator=(const QPoolElfFile &) = delete;

    // Why it cannot be read; empty if it can.
    const QByteArray &error() const { return m_error; }
    const QByteArray &path() const { return m_path; }
    const QPoolElfImage &image() const { return m_image; }
    // Whether it has the note of qpoolmark.h.
    bool isMarked() const { return m_marked; }
    // Whether it is linked to one of Qt's libraries.
    bool usesQt() const;
    // Empty if the file is no program, and for a program without shared libraries.
    const QByteArray &interpreter() const { return m_interpreter; }

private:
    void map();
    void read();

    QByteArray m_path;
    QByteArray m_error;
    QByteArray m_interpreter;
    const char *m_data = nullptr;
    std::size_t m_size = 0;
    QPoolElfImage m_image;
    bool m_marked = false;
};

#endif

#endif // QPOOLELFFILE_P_H
