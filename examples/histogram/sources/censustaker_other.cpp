// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censustaker.h"

#include <QtCore/qcoreapplication.h>

namespace QPool {
class CensusReader
{
};
} // namespace QPool

CensusTaker::CensusTaker(qint64 pid)
    : m_pid(pid)
{
}

CensusTaker::~CensusTaker() = default;

ClassCensus CensusTaker::take()
{
    ClassCensus result;
    result.error = QCoreApplication::translate("CensusTaker",
                                               "Classes can only be counted on Linux");
    return result;
}
