// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WORKLOADSET_H
#define WORKLOADSET_H

#include "workload.h"

#include <QtCore/qlist.h>
#include <QtCore/qstringlist.h>

// The workloads of this program, in the order of the window.
class WorkloadSet : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")
    Q_PROPERTY(QList<Workload *> list READ list CONSTANT)
    Q_PROPERTY(bool anyRunning READ isAnyRunning NOTIFY runningChanged)

public:
    explicit WorkloadSet(QObject *parent = nullptr);
    ~WorkloadSet() override;

    const QList<Workload *> &list() const { return m_workloads; }
    static QStringList names();

    bool isAnyRunning() const;
    void start(const QStringList &names);
    void hold();
    Q_INVOKABLE void stop();
    void refresh();

Q_SIGNALS:
    void runningChanged();

private:
    QList<Workload *> m_workloads;
};

#endif // WORKLOADSET_H
