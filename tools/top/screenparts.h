// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCREENPARTS_H
#define SCREENPARTS_H

#include "screenline.h"

#include <optional>

// Common parts of the screens of a process: the help on keys, the last line, which may be a prompt, and
// the scrolled body.

// A line of a help text for \a keys.
ScreenLine keyLine(const QString &keys, const QString &text);

// The last line of a screen: the filter while it is typed, otherwise the notice or the keys.
ScreenLine lastLine(const std::optional<QString> &prompt, const QString &notice, const QString &keys,
                    const ScreenForm &form);

// The lines of \a head, the first line of \a body, the lines of \a body from \a scroll on that fit, and
// \a last. If form.rows is 0, all lines without \a last. Bounds \a scroll.
ScreenLines scrolledScreen(const ScreenLines &head, const ScreenLines &body, const ScreenLine &last,
                           int *scroll, const ScreenForm &form);

// The number of lines for the body below \a head.
int roomBelow(const ScreenLines &head, const ScreenForm &form);

// Scrolls by a line, by half of \a rows, or to an end. False if \a key is not for scrolling.
bool scrollByKey(int key, int rows, int *scroll);

// Applies \a key to the filter while it is typed.
enum class PromptResult { Typing, Cancelled, Complete };
PromptResult typeInto(QString *text, int key);

// The same for a filter that may be any text, \a prompt while it is typed: when it is complete, it becomes
// \a filter, and \a scroll is reset. \a prompt is set, until the key ends it.
void typeFilter(std::optional<QString> *prompt, int key, QString *filter, int *scroll);

#endif // SCREENPARTS_H
