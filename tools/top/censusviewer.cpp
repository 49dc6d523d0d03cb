// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusviewer.h"

using namespace Qt::StringLiterals;
using QPool::CensusReader;

CensusViewer::CensusViewer(Terminal &terminal, qint64 pid, const QString &name, int interval)
    : m_terminal(terminal)
    , m_pid(pid)
    , m_name(name)
    , m_interval(interval)
{
    m_clock.start();
}

bool CensusViewer::open(QString *notice)
{
    CensusReader::Error error;
    std::string message;
    if (!m_reader)
        m_reader = CensusReader::attach(m_pid, &error, &message);
    if (m_reader && take())
        return true;
    *notice = m_reader ? m_view.notice : QString::fromStdString(message);
    return false;
}

bool CensusViewer::take()
{
    // A census of a large process takes long, and may use at most a tenth of the time.
    constexpr int shareOfTime = 10;
    CensusReader::Error error;
    std::string message;
    QPool::Census census;
    const qint64 begun = m_clock.elapsed();
    const bool taken = m_reader->take(&census, &error, &message);
    const qint64 now = m_clock.elapsed();
    m_due = now + qMax(qint64(m_interval), shareOfTime * (now - begun));
    if (taken)
        m_census = std::move(census);
    else
        m_view.notice = QString::fromStdString(message) + u"; this is the last census"_s;
    return taken;
}

Wish CensusViewer::show()
{
    Wish wish = Wish::Stay;
    bool lives = true;
    while (wish == Wish::Stay && !Terminal::mustEnd()) {
        if (lives && !m_view.paused && m_clock.elapsed() >= m_due)
            lives = take();
        m_terminal.draw(censusScreen(m_name, m_census, m_view, m_terminal.form()));
        const qint64 left = qBound(qint64(0), m_due - m_clock.elapsed(), qint64(m_interval));
        wish = handleKey(m_terminal.waitForKey(lives && !m_view.paused ? int(left) : m_interval));
    }
    return wish == Wish::Leave ? Wish::Stay : Wish::Quit;
}

Wish CensusViewer::handleKey(int key)
{
    if (key == Key::None)
        return Wish::Stay;
    if (m_view.prompt) {
        if (const auto filter = m_view.handlePromptKey(key)) {
            m_view.filter = *filter;
            m_view.scroll = 0;
        }
        return Wish::Stay;
    }
    m_view.notice.clear();
    switch (key) {
    case 'q':
        return Wish::Quit;
    case 'o':
        return Wish::Leave;
    case Key::Escape:
        if (!m_view.help)
            return Wish::Leave;
        m_view.help = false;
        break;
    case 'm':
        m_view.toggleMark(m_census);
        break;
    case 's':
        m_view.changeOrder();
        break;
    case 'f':
    case '/':
        m_view.prompt = m_view.filter;
        break;
    default:
        m_view.handleKey(key, m_terminal.form().rows);
    }
    return Wish::Stay;
}
