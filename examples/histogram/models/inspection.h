// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef INSPECTION_H
#define INSPECTION_H

#include "holdermodel.h"
#include "inspector.h"
#include "memorymodel.h"
#include "sitemodel.h"
#include "worker.h"

// Finds out of the shown process what takes long, while the window goes on drawing.
class Inspection : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(MemoryModel *memory READ memory CONSTANT)
    Q_PROPERTY(HolderModel *holders READ holders CONSTANT)
    Q_PROPERTY(SiteModel *sites READ sites CONSTANT)
    // The time to the next reading in milliseconds: longer if a reading takes long.
    Q_PROPERTY(int interval READ interval NOTIFY intervalChanged)

public:
    explicit Inspection(QObject *parent = nullptr);

    // Null: there is no process. What is known of the last one is forgotten.
    void setInspector(std::shared_ptr<Inspector> inspector);

    MemoryModel *memory() { return &m_memory; }
    HolderModel *holders() { return &m_holders; }
    SiteModel *sites() { return &m_sites; }
    int interval() const { return m_interval; }

    // These do nothing while the last reading goes on.
    Q_INVOKABLE void readMemory();
    Q_INVOKABLE void readHolders();
    Q_INVOKABLE void readSites();
    // Switches sampling in the process on or off, and then reads the sites.
    Q_INVOKABLE void setSampled(bool sampled);
    // A row of the list of classes.
    Q_INVOKABLE void chooseClass(const QString &domain, const QString &title);
    Q_INVOKABLE void closeClass() { chooseClass({}, {}); }

Q_SIGNALS:
    void intervalChanged();

private:
    // Calls \a work with the inspector in the thread, and then \a done with its result, unless another process is
    // shown by then.
    template <class Work, class Done>
    void start(Work work, Done done);

    std::shared_ptr<Inspector> m_inspector;
    MemoryModel m_memory;
    HolderModel m_holders;
    SiteModel m_sites;
    bool m_readsMemory = false;
    bool m_readsHolders = false;
    bool m_readsSites = false;
    int m_choice = 0; // of a class: what was read for an earlier one is dropped
    int m_interval = 2000;
    Worker m_worker; // the last member: its jobs end before the others do
};

#endif // INSPECTION_H
