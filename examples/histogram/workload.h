// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <QtCore/qobject.h>
#include <QtCore/qstring.h>
#include <QtQml/qqmlregistration.h>

#include <atomic>

class QThread;

// Something for the pool to do. A workload allocates through QtCore's own code
// only, as what this program makes with new is not pooled: it is built against
// headers that know nothing of the pool. Every workload bounds what it keeps in
// flight, so a slow machine makes it slower, not larger.
class Workload : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(QString name READ name CONSTANT)
    Q_PROPERTY(QString title READ title CONSTANT)
    Q_PROPERTY(QString description READ description CONSTANT)
    Q_PROPERTY(bool running READ isRunning WRITE setRunning NOTIFY runningChanged)
    Q_PROPERTY(qint64 operations READ operations NOTIFY operationsChanged)

public:
    using QObject::QObject;

    virtual QString name() const = 0; // as on the command line
    virtual QString title() const = 0;
    virtual QString description() const = 0;

    bool isRunning() const { return m_state != Stopped; }
    void setRunning(bool running);
    qint64 operations() const { return m_operations.load(std::memory_order_relaxed); }

    void start();
    void hold(); // makes nothing new, and lets go of nothing: for a still picture
    void stop(); // returns when every thread has ended; nothing stays behind

    void refresh(); // tells the view about operations()

Q_SIGNALS:
    void runningChanged();
    void operationsChanged();

protected:
    virtual void doStart() = 0;
    virtual void doHold() = 0;
    virtual void doStop() = 0; // also after doHold()

    void countOperations(qint64 n = 1) { m_operations.fetch_add(n, std::memory_order_relaxed); }

    // Lets the thread deliver everything posted to the object so far, then end.
    static void finishThread(QThread &thread, QObject *objectInThread);

private:
    enum State { Stopped, Running, Held };

    State m_state = Stopped;
    std::atomic<qint64> m_operations = 0;
    qint64 m_shownOperations = 0;
};

#endif // WORKLOAD_H
