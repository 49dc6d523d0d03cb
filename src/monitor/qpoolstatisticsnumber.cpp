// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticsnumber.h"

#include <QtCore/qlocale.h>

#include <array>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

namespace {

template <std::size_t Count>
using Units = std::array<QLatin1StringView, Count>;

constexpr Units<7> Thousands = { ""_L1, "k"_L1, "M"_L1, "G"_L1, "T"_L1, "P"_L1, "E"_L1 };
constexpr Units<7> Bytes = { "B"_L1, "KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1, "PiB"_L1, "EiB"_L1 };
constexpr Units<4> Times = { "ns"_L1, "\xb5s"_L1, "ms"_L1, "s"_L1 };
constexpr Units<4> AsciiTimes = { "ns"_L1, "us"_L1, "ms"_L1, "s"_L1 };
constexpr double Never = std::numeric_limits<double>::infinity();

// A number, scaled to a unit, as it is written.
struct NumberFormat
{
    double step; // from one unit to the next
    double wholeFrom; // no decimal from here on; nor in the smallest unit
    bool trims; // no decimal that is zero
    QString blank; // before the unit
    QLocale locale = QLocale::c();
};

// The groups of an English number, as the texts around it are English.
QLocale english()
{
    return QLocale(QLocale::English, QLocale::UnitedStates);
}

template <std::size_t Count>
QString scaled(double value, const Units<Count> &units, const NumberFormat &format)
{
    std::size_t unit = 0;
    const auto isWhole = [&] { return unit == 0 || value >= format.wholeFrom; };
    // A number that would be rounded up to a full step belongs to the next unit.
    while (unit + 1 < units.size() && value >= format.step - (isWhole() ? 0.5 : 0.05)) {
        value /= format.step;
        ++unit;
    }
    QString text = format.locale.toString(value, 'f', isWhole() ? 0 : 1);
    if (format.trims && text.endsWith(".0"_L1))
        text.chop(2);
    return units[unit].isEmpty() ? text : text + format.blank + units[unit];
}

QString withSign(qint64 value, const QString &magnitude)
{
    if (value == 0)
        return u"-"_s;
    return (value > 0 ? u'+' : u'-') + magnitude;
}

} // namespace

QString duration(double nanoseconds)
{
    return scaled(nanoseconds, Times, { 1000, 99.95, true, u"\u00a0"_s, english() });
}

QString count(qint64 value)
{
    return english().toString(value);
}

QString rounded(double value)
{
    return english().toString(value, 'f', 0);
}

QString compact(double value)
{
    return scaled(value, Thousands, { 1000, 99.95, true, u"\u00a0"_s });
}

QString tiny(double value)
{
    return scaled(value, Thousands, { 1000, 9.95, true, u"\u202f"_s });
}

QString bytes(double value)
{
    return scaled(value, Bytes, { 1024, 99.95, true, u"\u00a0"_s });
}

QString difference(qint64 value)
{
    // The smallest number has no positive counterpart: remove its sign from the text instead.
    return withSign(value, value < 0 ? count(value).sliced(1) : count(value));
}

QString share(double part, double whole)
{
    return whole > 0 ? QLocale::c().toString(part * 100 / whole, 'f', 1) + u'%' : u"-"_s;
}

namespace Column {

QString count(double value)
{
    if (value < 999999.5)
        return rounded(value);
    return scaled(value, Thousands, { 1000, Never, false, {} });
}

QString bytes(double value)
{
    return scaled(value, Bytes, { 1024, Never, false, u" "_s });
}

QString difference(qint64 value)
{
    return withSign(value, count(std::abs(double(value))));
}

QString duration(double nanoseconds, bool unicode)
{
    return scaled(nanoseconds, unicode ? Times : AsciiTimes,
                  { 1000, 99.95, false, u" "_s, english() });
}

} // namespace Column

QString bar(double fraction, int columns, bool unicode)
{
    if (!(fraction > 0))
        return {};
    fraction = qMin(fraction, 1.0);
    if (!unicode)
        return QString(qMax(1, int(std::lround(fraction * columns))), u'#');
    const int eighths = qMax(1, int(std::lround(fraction * columns * 8)));
    QString text(eighths / 8, QChar(0x2588)); // a full block
    if (eighths % 8)
        text += QChar(0x2590 - eighths % 8); // one of so many eighths, from the left
    return text;
}

} // namespace QPoolStatistics
