// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TERMINAL_H
#define TERMINAL_H

#include "screenline.h"

#include <memory>

// Keys that are characters are their code.
namespace Key {
enum : int { None = 0, Tab = '\t', Enter = '\n', Escape = 27, Up = 0x10000, Down, PageUp, PageDown,
             Home, End, Backspace, F1, Resize, HangUp };
}

/*
    The whole screen of the terminal on standard output, while it exists; keys come from standard
    input. There is one at a time. The terminal is as it was again when it goes, also when the
    program is told to end by a signal: that is noted, and sent again by resendSignal().
*/
class Terminal
{
public:
    // Null without a terminal that can place text: a pipe, TERM=dumb.
    static std::unique_ptr<Terminal> open(bool unicode);
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    ScreenForm form() const;
    void draw(const ScreenLines &screen);

    // The next key, or None after so many milliseconds, or as soon as a signal came.
    int waitForKey(int milliseconds);

    static bool isTold(); // to end
    static void resendSignal(); // if it was; without a terminal any more

private:
    explicit Terminal(bool unicode);

    bool m_unicode;
};

#endif // TERMINAL_H
