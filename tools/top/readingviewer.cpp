// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "readingviewer.h"

using namespace Qt::StringLiterals;

ReadingViewer::ReadingViewer(Terminal &terminal, int interval, int key)
    : m_terminal(terminal)
    , m_interval(interval)
    , m_key(key)
{
    m_clock.start();
}

bool ReadingViewer::open(QString *notice)
{
    if (take())
        return true;
    *notice = view().notice;
    return false;
}

bool ReadingViewer::take()
{
    // Reading a large process takes long, and may use at most a tenth of the time.
    constexpr int shareOfTime = 10;
    const qint64 begun = m_clock.elapsed();
    const bool taken = read(&view().notice);
    const qint64 now = m_clock.elapsed();
    m_due = now + qMax(qint64(m_interval), shareOfTime * (now - begun));
    return taken;
}

Wish ReadingViewer::show()
{
    Wish wish = Wish::Stay;
    bool lives = true;
    while (wish == Wish::Stay && !Terminal::mustEnd()) {
        if (lives && !view().paused && m_clock.elapsed() >= m_due) {
            lives = take();
            if (!lives)
                view().notice += u"; this is what was read last"_s;
        }
        m_terminal.draw(screen(m_terminal.form()));
        const qint64 left = qBound(qint64(0), m_due - m_clock.elapsed(), qint64(m_interval));
        wish = handleKey(m_terminal.waitForKey(lives && !view().paused ? int(left) : m_interval));
    }
    return wish == Wish::Leave ? Wish::Stay : Wish::Quit;
}

Wish ReadingViewer::handleKey(int key)
{
    MarkedView &view = this->view();
    if (key == Key::None)
        return Wish::Stay;
    if (view.prompt) {
        if (const auto filter = view.handlePromptKey(key)) {
            view.filter = *filter;
            view.scroll = 0;
        }
        return Wish::Stay;
    }
    view.notice.clear();
    if (key == m_key)
        return Wish::Leave;
    switch (key) {
    case 'q':
        return Wish::Quit;
    case Key::Escape:
        if (!view.help)
            return Wish::Leave;
        view.help = false;
        break;
    case 'm':
        toggleMark();
        break;
    case 's':
        changeOrder();
        break;
    case 'f':
    case '/':
        view.prompt = view.filter;
        break;
    default:
        view.handleKey(key, m_terminal.form().rows);
    }
    return Wish::Stay;
}
