// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TERMINAL_H
#define TERMINAL_H

#include "screenline.h"

#include <memory>

// Keys of characters are the code of the character.
namespace Key {
enum : int { None = 0, Tab = '\t', Enter = '\n', Escape = 27, Up = 0x10000, Down, PageUp, PageDown,
             Home, End, Backspace, F1 };
}

/*
    Controls the whole screen of the terminal on standard output, and reads keys from standard input.
    Only one instance can exist. The destructor restores the terminal. A signal that ends programs
    is only stored, so that the destructor runs; then resendSignal() sends it again.
*/
class Terminal
{
public:
    // Null if there is no terminal, as in a pipe, or if it cannot place text (TERM=dumb).
    static std::unique_ptr<Terminal> open(bool unicode);
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    ScreenForm form() const;
    void draw(const ScreenLines &screen);

    // The next key, or None after the time, if a signal arrives, or if there is only another size.
    int waitForKey(int milliseconds);

    static bool mustEnd(); // a signal has arrived, or the terminal is gone
    static void resendSignal(); // if one has arrived; call it after the destructor

private:
    explicit Terminal(bool unicode);

    bool m_unicode;
};

#endif // TERMINAL_H
