// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Calls queued from a thread pool to the main thread, with strings and maps in them.

#include "scene.h"

#include <QtCore/qeventloop.h>
#include <QtCore/qmetaobject.h>
#include <QtCore/qthreadpool.h>
#include <QtCore/qvariant.h>

namespace {

constexpr int Threads = 4; // on any machine
constexpr int Tasks = 8;
constexpr int CallsOfTask = 1000;

class Receiver : public QObject
{
public:
    void take(const QString &text, const QVariantMap &values)
    {
        m_length += text.size() + values.size();
        if (++m_taken == Tasks * CallsOfTask) {
            m_taken = 0;
            loop.quit();
        }
    }

    QEventLoop loop;

private:
    int m_taken = 0;
    qint64 m_length = 0;
};

class Queued : public Scene
{
public:
    Queued() { m_pool.setMaxThreadCount(Threads); }

    void turn(int number) override
    {
        for (int task = 0; task < Tasks; ++task) {
            m_pool.start([this, number, task] { work(number, task); });
        }
        m_receiver.loop.exec();
        m_pool.waitForDone();
    }

private:
    void work(int number, int task)
    {
        Receiver *receiver = &m_receiver;
        for (int i = 0; i < CallsOfTask; ++i) {
            const QString text = QStringLiteral("call %1 of task %2").arg(i).arg(task);
            const QVariantMap values { { QStringLiteral("turn"), number },
                                       { QStringLiteral("text"), text } };
            QMetaObject::invokeMethod(
                    receiver, [=] { receiver->take(text, values); }, Qt::QueuedConnection);
        }
    }

    Receiver m_receiver;
    QThreadPool m_pool;
};

const RegisterScene<Queued> scene("queued", 25);

} // namespace
