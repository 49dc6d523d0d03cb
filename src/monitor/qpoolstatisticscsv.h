// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSCSV_H
#define QPOOLSTATISTICSCSV_H

#include <QtCore/qbytearray.h>
#include <QtCore/qstringlist.h>

namespace QPoolStatistics {

// A line of a table for other programs, in UTF-8, quoted as RFC 4180 requires, whatever the cells
// contain. It ends with a line feed alone, at which Unix tools split lines; readers of CSV accept both
// line ends.
QByteArray csvLine(const QStringList &cells);

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSCSV_H
