// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <QtCore/qobject.h>
#include <QtCore/qstring.h>
#include <QtCore/qvariant.h>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <chrono>

class QThread;

// Generates allocations. Workloads allocate through QtCore's own code, because objects that this
// program creates with new are not pooled: it is built against stock headers. Each workload limits its
// pending operations, so that on a slow machine its rate drops instead of its memory growing.
class Workload : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")
    Q_PROPERTY(QString name READ name CONSTANT)
    Q_PROPERTY(QString title READ title CONSTANT)
    Q_PROPERTY(QString description READ description CONSTANT)
    Q_PROPERTY(bool running READ isRunning WRITE setRunning NOTIFY runningChanged)
    Q_PROPERTY(qint64 operations READ operations NOTIFY operationsChanged)
    Q_PROPERTY(QVariantList trail READ trail NOTIFY operationsChanged)
    // The requested rate in operations per second; the actual rate may be lower.
    Q_PROPERTY(int rate READ rate WRITE setRate NOTIFY rateChanged)
    Q_PROPERTY(int lowestRate READ lowestRate CONSTANT)
    Q_PROPERTY(int highestRate READ highestRate CONSTANT)
    Q_PROPERTY(QString unit READ unit CONSTANT)

public:
    struct Rates
    {
        int lowest;
        int usual;
        int highest;
    };

    struct Texts
    {
        QString name; // as on the command line
        QString title;
        QString description;
        QString unit; // of the rate: calls, objects
    };

    Workload(const Texts &texts, Rates rates, QObject *parent);

    QString name() const { return m_texts.name; }
    QString title() const { return m_texts.title; }
    QString description() const { return m_texts.description; }
    QString unit() const { return m_texts.unit; }

    bool isRunning() const { return m_state != Stopped; }
    void setRunning(bool running);
    qint64 operations() const { return m_operations.load(std::memory_order_relaxed); }

    int rate() const { return m_rate.load(std::memory_order_relaxed); }
    void setRate(int perSecond);
    int lowestRate() const { return m_rates.lowest; }
    int highestRate() const { return m_rates.highest; }
    QVariantList trail() const { return m_trail; } // operations between refreshes

    void start();
    void hold(); // allocates and frees nothing until start() or stop(), for a stable image
    void stop(); // frees all objects and waits for all threads

    void refresh(); // updates trail() and notifies the view

Q_SIGNALS:
    void runningChanged();
    void operationsChanged();
    void rateChanged();

protected:
    virtual void doStart() = 0;
    virtual void doHold() = 0;
    virtual void doStop() = 0; // also after doHold()

    void countOperations(qint64 n = 1) { m_operations.fetch_add(n, std::memory_order_relaxed); }

    // Returns the number of operations in a tick at the current rate, and keeps the fraction in carry
    // for the next tick. Can be called by any thread.
    int due(std::chrono::milliseconds tick, qreal *carry) const;

    // Waits until the thread has delivered all events posted to the object, and has ended.
    static void finishThread(QThread &thread, QObject *objectInThread);

private:
    enum State { Stopped, Running, Held };

    const Texts m_texts;
    const Rates m_rates;
    std::atomic<int> m_rate;
    State m_state = Stopped;
    std::atomic<qint64> m_operations = 0;
    qint64 m_shownOperations = 0;
    QVariantList m_trail;
};

#endif // WORKLOAD_H
