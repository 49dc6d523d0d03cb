// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef VALUEAXIS_H
#define VALUEAXIS_H

#include <QtCore/qlist.h>

// A vertical axis from zero to a round maximum, linear or logarithmic.
class ValueAxis
{
public:
    bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool logarithmic);

    // Round numbers of bytes are round in KiB, MiB and so on.
    bool isBinary() const { return m_binary; }
    void setBinary(bool binary);

    qreal maximum() const { return m_maximum; }

    // Grows at once to include the value. Shrinks only after a number of low values, so that the axis
    // does not change with every sample.
    void fit(qreal largest);
    void reset(); // the next fit() is exact

    qreal fraction(qreal value) const; // 0 at the bottom, 1 at the maximum
    QList<qreal> ticks(int most) const;

private:
    qreal roundUp(qreal value) const;
    qreal roundMaximum(qreal largest) const;

    bool m_logarithmic = false;
    bool m_binary = false;
    qreal m_maximum = 0;
    int m_lowFits = 0;
};

#endif // VALUEAXIS_H
