// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FIGURETEXT_H
#define FIGURETEXT_H

#include "screenline.h"

// Figures as text, in the same form whatever the locale.
namespace FigureText {

QString count(double value); // 12,345 up to six digits, 1.2M beyond
QString bytes(double value); // 1.2 MiB
QString rate(double perSecond); // as count(), a dash while there is none
QString duration(qint64 milliseconds); // 3 min 12 s
QString bar(double fraction, int columns, const ScreenForm &form); // left part of \a columns

} // namespace FigureText

#endif // FIGURETEXT_H
