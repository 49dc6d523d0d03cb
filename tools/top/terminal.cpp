// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "terminal.h"

#include <csignal>

#include <poll.h>
#include <unistd.h>

// After all other headers, because its macros have common names.
#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>

namespace {

volatile std::sig_atomic_t s_signal = 0;
bool s_isGone = false;
SCREEN *s_screen = nullptr;

void noteSignal(int number)
{
    s_signal = number;
}

constexpr int EndingSignals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

void handleEndingSignals(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    // No SA_RESTART, because a signal must end the wait for a key.
    for (int number : EndingSignals) {
        struct sigaction before;
        // A signal that the caller ignores stays ignored.
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(number, &action, nullptr);
    }
}

bool canPlaceText()
{
    int error = 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)
        || setupterm(nullptr, STDOUT_FILENO, &error) != OK) {
        return false;
    }
    const char *capability = tigetstr("cup");
    return capability && capability != reinterpret_cast<const char *>(-1);
}

int attributesOf(Style style)
{
    const bool colors = has_colors();
    switch (style) {
    case Style::Plain:
        return A_NORMAL;
    case Style::Dim:
        return A_DIM;
    case Style::Strong:
        return A_BOLD;
    case Style::Selected:
        return A_REVERSE;
    case Style::Warning:
        return colors ? COLOR_PAIR(4) | A_BOLD : A_BOLD;
    case Style::Event:
        return colors ? COLOR_PAIR(1) : A_NORMAL;
    case Style::Object:
        return colors ? COLOR_PAIR(2) : A_NORMAL;
    case Style::Private:
        return colors ? COLOR_PAIR(3) : A_NORMAL;
    case Style::Heap:
        return colors ? COLOR_PAIR(5) : A_NORMAL;
    }
    return A_NORMAL;
}

} // namespace

std::unique_ptr<Terminal> Terminal::open(bool unicode)
{
    if (!canPlaceText())
        return nullptr;
    s_screen = newterm(nullptr, stdout, stdin);
    return std::unique_ptr<Terminal>(s_screen ? new Terminal(unicode) : nullptr);
}

Terminal::Terminal(bool unicode)
    : m_unicode(unicode)
{
    handleEndingSignals(&noteSignal);
    set_term(s_screen);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    wtimeout(stdscr, 0);
    set_escdelay(25);
    curs_set(0);
    // https://no-color.org
    if (!qEnvironmentVariableIsEmpty("NO_COLOR"))
        return;
    start_color();
    use_default_colors();
    // Colours that are legible on light and dark backgrounds.
    init_pair(1, COLOR_CYAN, -1);
    init_pair(2, COLOR_GREEN, -1);
    init_pair(3, COLOR_MAGENTA, -1);
    init_pair(4, COLOR_RED, -1);
    init_pair(5, COLOR_YELLOW, -1);
}

Terminal::~Terminal()
{
    endwin();
    delscreen(s_screen);
    s_screen = nullptr;
    handleEndingSignals(SIG_DFL);
}

ScreenForm Terminal::form() const
{
    return { getmaxx(stdscr), getmaxy(stdscr), m_unicode };
}

void Terminal::draw(const ScreenLines &screen)
{
    werase(stdscr);
    for (int y = 0; y < int(screen.size()); ++y) {
        wmove(stdscr, y, 0);
        for (const ScreenLine::Part &part : screen.at(y).parts()) {
            wattrset(stdscr, attributesOf(part.style));
            waddstr(stdscr, part.text.toUtf8().constData());
        }
    }
    wattrset(stdscr, A_NORMAL);
    wrefresh(stdscr);
}

int Terminal::waitForKey(int milliseconds)
{
    int key = wgetch(stdscr);
    if (key == ERR && !mustEnd()) {
        pollfd input = { STDIN_FILENO, POLLIN, 0 };
        // There is something to read from a terminal that is gone, too: its end.
        s_isGone = poll(&input, 1, milliseconds) > 0 && (input.revents & ~POLLIN);
        if (s_isGone)
            return Key::None;
        key = wgetch(stdscr);
    }
    switch (key) {
    case ERR:
        return Key::None;
    case KEY_UP:
        return Key::Up;
    case KEY_DOWN:
        return Key::Down;
    case KEY_PPAGE:
        return Key::PageUp;
    case KEY_NPAGE:
        return Key::PageDown;
    case KEY_HOME:
        return Key::Home;
    case KEY_END:
        return Key::End;
    case KEY_BACKSPACE:
    case 0x7f:
    case '\b':
        return Key::Backspace;
    case KEY_ENTER:
    case '\r':
        return Key::Enter;
    case KEY_F(1):
        return Key::F1;
    default:
        return key < 0x80 ? key : int(Key::None);
    }
}

bool Terminal::mustEnd()
{
    return s_signal != 0 || s_isGone;
}

void Terminal::resendSignal()
{
    if (s_signal != 0)
        raise(s_signal);
}
