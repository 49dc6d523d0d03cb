// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef INSPECTION_H
#define INSPECTION_H

#include "inspector.h"
#include "memorymodel.h"
#include "worker.h"

// Finds out of the shown process what takes long, while the window goes on drawing.
class Inspection : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(MemoryModel *memory READ memory CONSTANT)
    // The time to the next reading in milliseconds: longer if a reading takes long.
    Q_PROPERTY(int memoryInterval READ memoryInterval NOTIFY memoryIntervalChanged)

public:
    explicit Inspection(QObject *parent = nullptr);

    // Null: there is no process. What is known of the last one is forgotten.
    void setInspector(std::shared_ptr<Inspector> inspector);

    MemoryModel *memory() { return &m_memory; }
    int memoryInterval() const { return m_memoryInterval; }

    // Does nothing while the last reading goes on.
    Q_INVOKABLE void readMemory();

Q_SIGNALS:
    void memoryIntervalChanged();

private:
    // Calls \a work with the inspector in the thread, and \a done with its result, unless another process is
    // shown by then.
    template <class Work, class Done>
    void start(Work work, Done done);

    std::shared_ptr<Inspector> m_inspector;
    MemoryModel m_memory;
    bool m_readsMemory = false;
    int m_memoryInterval = 2000;
    Worker m_worker; // the last member: its jobs end before the others do
};

#endif // INSPECTION_H
