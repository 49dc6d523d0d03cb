// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusviewer.h"

using QPool::CensusReader;

CensusViewer::CensusViewer(Terminal &terminal, qint64 pid, const QString &name, int interval)
    : ReadingViewer(terminal, interval, 'o')
    , m_pid(pid)
    , m_name(name)
{
}

bool CensusViewer::read(QString *problem)
{
    CensusReader::Error error;
    std::string message;
    QPool::Census census;
    if (!m_reader)
        m_reader = CensusReader::attach(m_pid, &error, &message);
    if (m_reader && m_reader->take(&census, &error, &message)) {
        m_census = std::move(census);
        return true;
    }
    *problem = QString::fromStdString(message);
    return false;
}
