// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSNUMBER_H
#define QPOOLSTATISTICSNUMBER_H

#include <QtCore/qstring.h>

// Statistics as people read them, in the same form whatever the locale.
namespace QPoolStatistics {

QString count(qint64 value); // 1,234,567, to the last digit
QString rounded(double value); // the same of a rate or a mean
QString compact(double value); // 1.2 M
QString tiny(double value); // 1.2M, for narrow places
QString bytes(double value); // 1.2 MiB
QString difference(qint64 value); // +1,234, -1,234, a dash for none
QString share(double part, double whole); // 12.5%, a dash of nothing

// Of a width that hardly changes, for terminals: decimals stand below one another.
namespace Column {
QString count(double value); // 12,345 up to six digits, 1.2M beyond: eight characters
QString bytes(double value); // 1.0 MiB
QString difference(qint64 value); // +12,345, -1.2M, a dash for none
}

// The left part of so many columns, in eighths of one, or of # where there is no Unicode. Whatever is
// above zero is to be seen.
QString bar(double fraction, int columns, bool unicode = true);

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSNUMBER_H
