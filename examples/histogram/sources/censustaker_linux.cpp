// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censustaker.h"

#include "census/qpoolcensusreader.h"

using QPool::CensusReader;

CensusTaker::CensusTaker(qint64 pid)
    : m_pid(pid)
{
}

CensusTaker::~CensusTaker() = default;

ClassCensus CensusTaker::take()
{
    ClassCensus result;
    CensusReader::Error error = CensusReader::NoError;
    std::string message;
    QPool::Census census;
    if (!m_reader)
        m_reader = CensusReader::attach(m_pid, &error, &message);
    if (!m_reader || !m_reader->take(&census, &error, &message)) {
        result.error = QString::fromStdString(message);
        return result;
    }
    for (const QPool::CensusRow &row : census.rows) {
        result.classes.append({ QString::fromStdString(row.domain),
                                QString::fromStdString(titleOf(row)),
                                QString::fromStdString(row.module), qint64(row.count),
                                qint64(row.bytes) });
    }
    result.uncertain = qint64(census.uncertain());
    return result;
}
