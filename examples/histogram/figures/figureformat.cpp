// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "figureformat.h"

#include <QtCore/qlocale.h>

using namespace Qt::StringLiterals;

namespace {

QString scaled(qreal value, qreal step, std::initializer_list<QLatin1StringView> units,
               qreal wholeFrom = 99.95)
{
    auto unit = units.begin();
    // The last figure before the next unit would round up to a full step.
    while (value >= step - 0.5 && unit + 1 != units.end()) {
        value /= step;
        ++unit;
    }
    const bool whole = unit == units.begin() || value >= wholeFrom;
    QString text = QLocale::c().toString(value, 'f', whole ? 0 : 1);
    if (text.endsWith(".0"_L1))
        text.chop(2);
    return unit->isEmpty() ? text : text + u'\u00a0' + *unit;
}

} // namespace

QString FigureFormat::count(qreal value)
{
    QLocale locale(QLocale::English, QLocale::UnitedStates);
    return locale.toString(value, 'f', 0);
}

QString FigureFormat::compact(qreal value)
{
    return scaled(value, 1000, { ""_L1, "k"_L1, "M"_L1, "G"_L1, "T"_L1 });
}

QString FigureFormat::tiny(qreal value)
{
    return scaled(value, 1000, { ""_L1, "k"_L1, "M"_L1, "G"_L1, "T"_L1 }, 9.95).remove(u'\u00a0');
}

QString FigureFormat::bytes(qreal value)
{
    return scaled(value, 1024, { "B"_L1, "KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1 });
}
