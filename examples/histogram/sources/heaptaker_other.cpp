// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaptaker.h"

#include <QtCore/qcoreapplication.h>

// On systems whose processes can't be inspected, and where the library that finds the names of code is missing.
class HeapTaker::Process
{
public:
    static QString problem()
    {
#ifdef Q_OS_LINUX
        return QCoreApplication::translate("HeapTaker", "This window was built without libdw, which finds the names"
                                                        " of code");
#else
        return QCoreApplication::translate("HeapTaker", "Call sites can only be shown on Linux");
#endif
    }
};

HeapTaker::HeapTaker(qint64 pid)
    : m_pid(pid)
{
}

HeapTaker::~HeapTaker() = default;

HeapReading HeapTaker::take(const QString &)
{
    HeapReading result;
    result.error = Process::problem();
    return result;
}

QString HeapTaker::setSampled(bool)
{
    return Process::problem();
}
