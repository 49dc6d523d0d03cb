// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCREENLINE_H
#define SCREENLINE_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// A screen is lines of styled text; how a style looks is the terminal's affair.
enum class Style { Plain, Dim, Strong, Event, Object, Private, Heap, Warning, Selected };

// What a terminal can show.
struct ScreenForm
{
    int columns = 80;
    int rows = 0; // 0: as many as needed
    bool unicode = true;
};

class ScreenLine
{
public:
    struct Part
    {
        QString text;
        Style style;
    };

    ScreenLine() = default;
    ScreenLine(const QString &text, Style style = Style::Plain) { add(text, style); }

    ScreenLine &add(const QString &text, Style style = Style::Plain)
    {
        if (!text.isEmpty())
            m_parts.append({ text, style });
        return *this;
    }

    // Spaces up to \a column; one at least if something stands before it.
    ScreenLine &fillTo(qsizetype column);

    qsizetype length() const;
    const QList<Part> &parts() const { return m_parts; }
    QString plainText() const; // without spaces at the end
    ScreenLine cutTo(qsizetype columns) const;

private:
    QList<Part> m_parts;
};

using ScreenLines = QList<ScreenLine>;

// Only what takes one column: program names may contain anything.
QString printable(const QString &text, const ScreenForm &form);

#endif // SCREENLINE_H
