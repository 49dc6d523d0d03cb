// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FIGURETEXT_H
#define FIGURETEXT_H

#include <QtCore/qstring.h>

// What only this view writes; the other figures are written as the statistics have them.
namespace FigureText {

QString rate(double perSecond); // a count, a dash while there is none
QString duration(qint64 milliseconds); // 3 min 12 s

} // namespace FigureText

#endif // FIGURETEXT_H
