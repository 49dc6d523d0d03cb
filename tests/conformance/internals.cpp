// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Some of Qt's suites call functions of QtCore's that only a developer build exports. The
// library under test is the one that programs get, so these say the same in exported terms.

#include <QtCore/qobject.h>
#include <QtCore/qthread.h>
#include <QtCore/private/qthread_p.h>

QT_BEGIN_NAMESPACE

#if QT_VERSION >= QT_VERSION_CHECK(6, 11, 0)
QThreadData *QThreadData::currentThreadData() noexcept
{
    return get2(QThread::currentThread());
}

QThreadData *QThreadData::createCurrentThreadData()
{
    return get2(QThread::currentThread());
}
#else
QThreadData *QThreadData::current(bool)
{
    return get2(QThread::currentThread());
}
#endif

// A new object's storage points to its thread's status.
QBindingStatus *QtPrivate::getBindingStatus(QBindingStatusAccessToken token)
{
    QObject object;
    return const_cast<QBindingStatus *>(qGetBindingStorage(&object)->status(token));
}

QT_END_NAMESPACE
