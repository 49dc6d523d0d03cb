// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCREENLINE_H
#define SCREENLINE_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// A screen consists of lines of styled text. The terminal defines the look of each style.
enum class Style { Plain, Dim, Strong, Event, Object, Private, Heap, Warning, Selected };

// The capabilities of a terminal.
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

    // Adds spaces up to \a column, at least one unless the line is empty.
    ScreenLine &fillTo(qsizetype column);

    qsizetype length() const;
    const QList<Part> &parts() const { return m_parts; }
    QString plainText() const; // without trailing spaces
    ScreenLine cutTo(qsizetype columns) const;

private:
    QList<Part> m_parts;
};

using ScreenLines = QList<ScreenLine>;

// Replaces all characters that do not take exactly one column. Names are printable already, see QPool::printable().
QString narrow(const QString &text, const ScreenForm &form);

#endif // SCREENLINE_H
