// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "figuretext.h"

#include <QtCore/qlocale.h>

#include <cmath>

using namespace Qt::StringLiterals;

namespace FigureText {

QString count(double value)
{
    static const QLocale locale(QLocale::English, QLocale::UnitedStates);
    if (value < 999999.5)
        return locale.toString(value, 'f', 0);
    static constexpr char16_t units[] = { u'M', u'G', u'T', u'P' };
    int unit = 0;
    value /= 1e6;
    while (value >= 999.95 && unit < 3) {
        value /= 1000;
        ++unit;
    }
    return locale.toString(value, 'f', 1) + QChar(units[unit]);
}

QString bytes(double value)
{
    return QLocale::c().formattedDataSize(qint64(value), value < 1024 ? 0 : 1);
}

QString rate(double perSecond)
{
    return perSecond < 0 ? u"-"_s : count(perSecond);
}

QString duration(qint64 milliseconds)
{
    const qint64 seconds = qMax<qint64>(0, milliseconds / 1000);
    if (seconds < 60)
        return u"%1 s"_s.arg(seconds);
    if (seconds < 3600)
        return u"%1 min %2 s"_s.arg(seconds / 60).arg(seconds % 60);
    if (seconds < 24 * 3600)
        return u"%1 h %2 min"_s.arg(seconds / 3600).arg(seconds / 60 % 60);
    return u"%1 d %2 h"_s.arg(seconds / 86400).arg(seconds / 3600 % 24);
}

QString bar(double fraction, int columns, const ScreenForm &form)
{
    if (!(fraction > 0))
        return {};
    fraction = qMin(fraction, 1.0);
    // Whatever is there is to be seen.
    if (!form.unicode)
        return QString(qMax(1, int(std::lround(fraction * columns))), u'#');
    const int eighths = qMax(1, int(std::lround(fraction * columns * 8)));
    QString text(eighths / 8, QChar(0x2588)); // a full block
    if (eighths % 8)
        text += QChar(0x2590 - eighths % 8); // one of so many eighths, from the left
    return text;
}

} // namespace FigureText
