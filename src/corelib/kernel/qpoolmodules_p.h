// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMODULES_P_H
#define QPOOLMODULES_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qglobal.h>

#include <string>

QT_BEGIN_NAMESPACE

// For QLibrary: while an object of this class exists, a refused module that this thread loads does not end
// the process. The object keeps the reason for the caller, which unloads the module.
class QPoolModuleLoad
{
    Q_DISABLE_COPY_MOVE(QPoolModuleLoad)
public:
    QPoolModuleLoad();
    ~QPoolModuleLoad();

    bool isRefused() const { return !m_refusal.empty(); }
    const char *refusal() const { return m_refusal.c_str(); }
    void refuse(const std::string &reason) { m_refusal = reason; }

    // Whether the file at \a path must not be loaded. Runs none of its code.
    bool refusesFile(const char *path);

    // Whether the module, a handle of dlopen(), must be closed again: it was refused just now, or it was
    // refused before and could not be unloaded then. Afterwards call closed().
    bool refuses(void *handle);
    void closed();

private:
    QPoolModuleLoad *m_outer;
    std::string m_refusal;
};

QT_END_NAMESPACE

#endif // QPOOLMODULES_P_H
