// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFILESCOPE_P_H
#define QPOOLFILESCOPE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolcreations_p.h"
#include "qpoolelffile_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE)

// The files of a program or library and of the libraries that it needs. None of them is loaded.
class QPoolFileScope : public QPoolSymbolScope
{
public:
    // Appends a file, which must outlive the scope.
    void add(const QPoolElfFile &file) { m_files.push_back(&file); }

    const std::vector<const QPoolElfFile *> &files() const { return m_files; }

    Definition find(const char *symbol) const override
    {
        for (const QPoolElfFile *file : m_files) {
            if (file->image().defines(symbol))
                return { file->path().toStdString(), file->isMarked() };
        }
        return {};
    }

    bool findBases(const std::string &type, std::vector<std::string> *bases) const override
    {
        for (const QPoolElfFile *file : m_files) {
            if (file->image().findBases(type, bases))
                return true;
        }
        return false;
    }

private:
    std::vector<const QPoolElfFile *> m_files;
};

#endif

#endif // QPOOLFILESCOPE_P_H
