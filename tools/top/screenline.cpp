// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "screenline.h"

qsizetype ScreenLine::length() const
{
    qsizetype sum = 0;
    for (const Part &part : m_parts)
        sum += part.text.size();
    return sum;
}

ScreenLine &ScreenLine::fillTo(qsizetype column)
{
    const qsizetype here = length();
    const qsizetype least = here > 0 ? 1 : 0;
    return add(QString(qMax(least, column - here), u' '));
}

QString ScreenLine::plainText() const
{
    QString text;
    for (const Part &part : m_parts)
        text += part.text;
    while (text.endsWith(u' '))
        text.chop(1);
    return text;
}

ScreenLine ScreenLine::cutTo(qsizetype columns) const
{
    ScreenLine result;
    for (const Part &part : m_parts) {
        const qsizetype room = columns - result.length();
        if (room <= 0)
            break;
        result.add(part.text.left(room), part.style);
    }
    return result;
}

QString narrow(const QString &text, const ScreenForm &form)
{
    QString result = text;
    for (QChar &c : result) {
        // Wide characters would misalign the line; below U+1100 there are none.
        const bool narrow = c.isPrint() && c.unicode() < 0x1100;
        if (!narrow || (!form.unicode && c.unicode() > 0x7e))
            c = u'?';
    }
    return result;
}
