// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSNUMBER_H
#define QPOOLSTATISTICSNUMBER_H

#include <QtCore/qstring.h>

// Numbers as text for people, in the same format in every locale.
namespace QPoolStatistics {

QString count(qint64 value); // 1,234,567, all digits
QString rounded(double value); // the same for a rate or a mean
QString compact(double value); // 1.2 M
QString tiny(double value); // 1.2 M with a thin blank and few digits, for narrow places
QString bytes(double value); // 1.2 MiB
QString difference(qint64 value); // +1,234, -1,234, a dash for none
QString share(double part, double whole); // 12.5%, a dash if whole is zero
QString duration(double nanoseconds); // 850 ns, 1.2 µs, 34 ms, 1,200 s

// For columns of a terminal: the width hardly changes, and decimal points are aligned.
namespace Column {
QString count(double value); // 12,345 up to six digits, 1.2M beyond: eight characters
QString bytes(double value); // 1.0 MiB
QString difference(qint64 value); // +12,345, -1.2M, a dash for none
QString duration(double nanoseconds, bool unicode = true); // 1.2 µs, or us
}

// The left part of a bar of so many columns, in eighths of a column, or of # characters without
// Unicode. Every value above zero is visible.
QString bar(double fraction, int columns, bool unicode = true);

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSNUMBER_H
