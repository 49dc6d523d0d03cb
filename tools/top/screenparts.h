// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCREENPARTS_H
#define SCREENPARTS_H

#include "screenline.h"

#include <optional>

// What the screens of one process have in common: a help of keys, a last line that may be a prompt, and a
// body that is scrolled.

// A line of a help text: what \a keys do.
ScreenLine keyLine(const QString &keys, const QString &text);

// The last line of a screen: the filter while it is typed, else the notice, else the keys.
ScreenLine lastLine(const std::optional<QString> &prompt, const QString &notice, const QString &keys,
                    const ScreenForm &form);

// The lines \a head, then of \a body what fits from \a scroll on, below its first line, which stays; at
// the end \a last. All of it, without \a last, where the form has no number of rows. Bounds \a scroll.
ScreenLines scrolledScreen(const ScreenLines &head, const ScreenLines &body, const ScreenLine &last,
                           int *scroll, const ScreenForm &form);

// The lines that a body has below \a head.
int roomBelow(const ScreenLines &head, const ScreenForm &form);

// Whether \a key scrolls, by a line, by half a screen of \a rows or to an end; then it has.
bool scrollByKey(int key, int rows, int *scroll);

// What \a key makes of a filter that is being typed.
enum class PromptResult { Typing, Cancelled, Complete };
PromptResult typeInto(QString *text, int key);

#endif // SCREENPARTS_H
