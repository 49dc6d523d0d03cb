// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCREENPARTS_H
#define SCREENPARTS_H

#include "screenline.h"

#include <optional>

// Common parts of the screens of a process: their state and the keys that change it, the help on keys,
// the last line, which may be a prompt, and the scrolled body.

// What a key asks of the screen that is shown.
enum class Wish { Stay, Leave, Quit };

struct ScreenView
{
    bool paused = false;
    bool help = false;
    int scroll = 0;
    QString notice; // the result of the last key, or a problem
    std::optional<QString> prompt; // the filter while it is typed

    // Applies a key that all screens have; \a rows are the terminal's. Another key sets the notice.
    void handleKey(int key, int rows);
    // Applies \a key to the prompt, which is set until the key ends it. The filter, if that is complete.
    std::optional<QString> handlePromptKey(int key);
};

// Of a table with an order, a mark and a filter.
struct MarkedView : ScreenView
{
    QString filter; // part of a name
};

// Says whether the screen is paused, and its filter, if any.
void addState(ScreenLine *line, const ScreenView &view, const QString &filter, const ScreenForm &form);
// The same of a table, with what it is sorted by.
ScreenLine stateLine(const MarkedView &view, const QString &order, bool isMarked, const ScreenForm &form);

struct HelpOnKeys
{
    QString keys;
    QString text;
};
ScreenLines helpLines(const QList<HelpOnKeys> &keys, const QStringList &text);

// The last line of a screen: the filter while it is typed, otherwise the notice or the keys.
ScreenLine lastLine(const ScreenView &view, const QString &keys, const ScreenForm &form);

// Of a table that \a key opened and leaves: its help, with the orders and what the filter is compared with, and its last
// line.
ScreenLines helpOnTable(QChar key, const QString &orders, const QString &filtered, const QStringList &text);
ScreenLine lastLine(const MarkedView &view, QChar key, const ScreenForm &form);

// The lines of \a head, the first line of \a body, the lines of \a body from \a scroll on that fit, and
// \a last. If form.rows is 0, all lines without \a last. Bounds \a scroll.
ScreenLines scrolledScreen(const ScreenLines &head, const ScreenLines &body, const ScreenLine &last,
                           int *scroll, const ScreenForm &form);

// The form.rows lines of a screen that begins with \a lines and ends with \a last. If form.rows is 0, \a lines
// alone. None is longer than the form's columns.
ScreenLines wholeScreen(ScreenLines lines, const ScreenLine &last, const ScreenForm &form);

// The number of lines for the body below \a head.
int roomBelow(const ScreenLines &head, const ScreenForm &form);

// Scrolls by a line, by half of \a rows, or to an end. False if \a key is not for scrolling.
bool scrollByKey(int key, int rows, int *scroll);

#endif // SCREENPARTS_H
