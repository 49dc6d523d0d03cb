// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censustaker.h"

#include "census/qpoolcensusreader.h"

#include <qpoolstatisticsconversion.h>

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
        m_reader.reset(); // after an exec() it may be another program
        result.error = QString::fromStdString(message);
        return result;
    }
    result.classes = QPoolStatistics::of(census.rows);
    result.uncertain = qint64(census.uncertain());
    return result;
}
