// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSREPORT_H
#define CENSUSREPORT_H

#include "census/qpoolcensus.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

// Formats a census, or the changes since another one, for users and for programs.
namespace CensusReport {

// A table, followed by what is uncertain. Unless it is of a \c Single census, it has columns for growth, and
// lines for all classes or for those that changed.
enum Lines { Single, Changed, All };
QByteArray text(const QPool::Census &census, const std::vector<QPool::CensusChange> &changes, Lines lines);

QByteArray csv(const std::vector<QPool::CensusChange> &changes, bool compared);

// The growth of \a type, a class or the title of an event, in all domains. seen is false if it had no
// objects before and has none now.
struct Growth
{
    bool seen = false;
    std::int64_t count = 0;
    std::uint64_t now = 0;
};
Growth growthOf(const std::vector<QPool::CensusChange> &changes, const QString &type);

} // namespace CensusReport

#endif // CENSUSREPORT_H
