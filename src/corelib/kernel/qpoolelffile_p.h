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

#if defined(__ELF__)

// A program or library on disk, mapped to be read. Nothing of it is run.
class QPoolElfFile
{
public:
    // Check error() before anything else.
    explicit QPoolElfFile(std::string path);
    ~QPoolElfFile();
    QPoolElfFile(const QPoolElfFile &) = delete;
    QPoolElfFile &operator=(const QPoolElfFile &) = delete;

    // Why it cannot be read; empty if it can.
    const std::string &error() const { return m_error; }
    const std::string &path() const { return m_path; }
    const QPoolElfImage &image() const { return m_image; }
    // Bears the note of qpoolmark.h.
    bool isMarked() const { return m_marked; }
    // Is linked to one of Qt's libraries.
    bool usesQt() const;
    // Empty for what is no program, and for one without shared libraries.
    const std::string &interpreter() const { return m_interpreter; }

private:
    void map();
    void read();

    std::string m_path;
    std::string m_error;
    std::string m_interpreter;
    const char *m_data = nullptr;
    std::size_t m_size = 0;
    QPoolElfImage m_image;
    bool m_marked = false;
};

#endif

#endif // QPOOLELFFILE_P_H
