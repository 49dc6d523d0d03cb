// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "valueaxis.h"

#include <cmath>

namespace {

constexpr qreal SmallestMaximum = 10;
constexpr int LowFitsBeforeShrinking = 15;

// The smallest 1, 2, 5 or 10 times a power of ten that is not below value.
qreal roundUpDecimal(qreal value)
{
    const qreal power = std::pow(10, std::floor(std::log10(value)));
    for (qreal factor : { 1, 2, 5 }) {
        if (value <= factor * power)
            return factor * power;
    }
    return 10 * power;
}

} // namespace

void ValueAxis::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    reset();
}

void ValueAxis::setBinary(bool binary)
{
    m_binary = binary;
    reset();
}

qreal ValueAxis::roundUp(qreal value) const
{
    if (!m_binary || value < 1024)
        return roundUpDecimal(value);
    const qreal unit = std::pow(1024, std::floor(std::log2(value) / 10));
    return qMin<qreal>(1024, roundUpDecimal(value / unit)) * unit;
}

void ValueAxis::reset()
{
    m_maximum = 0;
    m_lowFits = 0;
}

qreal ValueAxis::roundMaximum(qreal largest) const
{
    if (largest <= SmallestMaximum)
        return SmallestMaximum;
    return m_logarithmic ? std::pow(10, std::ceil(std::log10(largest))) : roundUp(largest);
}

void ValueAxis::fit(qreal largest)
{
    const qreal wanted = roundMaximum(largest);
    const bool low = wanted < m_maximum;
    m_lowFits = low ? m_lowFits + 1 : 0;
    if (!low || m_lowFits >= LowFitsBeforeShrinking) {
        m_maximum = wanted;
        m_lowFits = 0;
    }
}

qreal ValueAxis::fraction(qreal value) const
{
    if (m_maximum <= 0 || value <= 0)
        return 0;
    // Adding one to both gives a single allocation a visible height.
    const qreal result = m_logarithmic ? std::log10(1 + value) / std::log10(1 + m_maximum)
                                       : value / m_maximum;
    return qMin<qreal>(result, 1);
}

QList<qreal> ValueAxis::ticks(int most) const
{
    QList<qreal> result;
    if (m_maximum <= 0 || most < 1)
        return result;
    if (m_logarithmic) {
        const int decades = int(std::lround(std::log10(m_maximum)));
        const int stride = qMax(1, (decades + most - 1) / most);
        for (int decade = decades; decade >= 0 && result.size() < most; decade -= stride)
            result.prepend(std::pow(10, decade));
    } else {
        const qreal step = roundUp(m_maximum / most);
        for (int i = 1; i * step <= m_maximum * 1.001; ++i)
            result.append(i * step);
    }
    return result;
}
