// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSVIEWER_H
#define CENSUSVIEWER_H

#include "census/qpoolcensusreader.h"
#include "censusscreen.h"
#include "terminal.h"

#include <QtCore/qelapsedtimer.h>

// Shows the screen of live objects by class and handles its keys. It exists as long as the process is
// followed, so that its mark is kept.
class CensusViewer
{
public:
    CensusViewer(Terminal &terminal, qint64 pid, const QString &name, int interval);

    // False, with \a notice set to the reason, if no census is possible.
    bool open(QString *notice);

    // Stay once a key goes back to the screen before, else Quit.
    Wish show();

private:
    bool take();
    Wish handleKey(int key);

    Terminal &m_terminal;
    const qint64 m_pid;
    const QString m_name;
    const int m_interval;
    std::unique_ptr<QPool::CensusReader> m_reader;
    QPool::Census m_census;
    CensusView m_view;
    QElapsedTimer m_clock;
    qint64 m_due = 0;
};

#endif // CENSUSVIEWER_H
