// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef VALUEAXIS_H
#define VALUEAXIS_H

#include <QtCore/qlist.h>

// A vertical axis from nought to a round maximum, linear or logarithmic.
class ValueAxis
{
public:
    bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool logarithmic);

    // Round numbers of bytes are round in KiB, MiB and so on.
    bool isBinary() const { return m_binary; }
    void setBinary(bool binary);

    qreal maximum() const { return m_maximum; }

    // Grows at once to hold the value. Shrinks only after the values have been
    // low for a while, so that an axis does not jump with every sample.
    void fit(qreal largest);
    void reset(); // forgets what it held; the next fit() is exact

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
