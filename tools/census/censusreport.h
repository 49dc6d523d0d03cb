// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSREPORT_H
#define CENSUSREPORT_H

#include "census/qpoolcensus.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

// A census, or what changed since another one, for users and for programs.
namespace CensusReport {

// A table, followed by what could not be counted; \a compared: with columns for growth.
QByteArray text(const QPool::Census &census, const std::vector<QPool::CensusChange> &changes,
                bool compared);

QByteArray csv(const std::vector<QPool::CensusChange> &changes, bool compared);

// By how many objects \a type, a class or an event's title, grew in all domains; not seen if there are
// and were none.
struct Growth
{
    bool seen = false;
    std::int64_t count = 0;
    std::uint64_t now = 0;
};
Growth growthOf(const std::vector<QPool::CensusChange> &changes, const QString &type);

} // namespace CensusReport

#endif // CENSUSREPORT_H
