// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSVIEWER_H
#define CENSUSVIEWER_H

#include "census/qpoolcensusreader.h"
#include "censusscreen.h"
#include "readingviewer.h"

#include <memory>

// Live objects by class.
class CensusViewer : public ReadingViewer
{
public:
    CensusViewer(Terminal &terminal, qint64 pid, const QString &name, int interval);

private:
    MarkedView &view() override { return m_view; }
    bool read(QString *problem) override;
    ScreenLines screen(const ScreenForm &form) override { return censusScreen(m_name, m_census, m_view, form); }
    void toggleMark() override { m_view.toggleMark(m_census); }
    void changeOrder() override { m_view.changeOrder(); }

    const qint64 m_pid;
    const QString m_name;
    std::unique_ptr<QPool::CensusReader> m_reader;
    QPool::Census m_census;
    CensusView m_view;
};

#endif // CENSUSVIEWER_H
