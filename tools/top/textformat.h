// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TEXTFORMAT_H
#define TEXTFORMAT_H

#include <QtCore/qstring.h>

// Formats that only this view uses, in addition to those of the statistics layer.
namespace TextFormat {

QString rate(double perSecond); // a count, or a dash if unknown
QString duration(qint64 milliseconds); // 3 min 12 s

} // namespace TextFormat

#endif // TEXTFORMAT_H
