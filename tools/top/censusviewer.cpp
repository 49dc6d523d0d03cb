// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusviewer.h"

#include "screenparts.h"

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

CensusViewer::Wish CensusViewer::show()
{
    Answer answer = Stay;
    bool lives = true;
    while (answer == Stay && !Terminal::mustEnd()) {
        if (lives && !m_view.paused && m_clock.elapsed() >= m_due)
            lives = take();
        m_terminal.draw(censusScreen(m_name, m_census, m_view, m_terminal.form()));
        const qint64 left = qBound(qint64(0), m_due - m_clock.elapsed(), qint64(m_interval));
        answer = handleKey(m_terminal.waitForKey(lives && !m_view.paused ? int(left) : m_interval));
    }
    return answer == GoBack ? Back : Quit;
}

CensusViewer::Answer CensusViewer::handleKey(int key)
{
    if (key == Key::HangUp)
        return Exit;
    if (key == Key::None || key == Key::Resize)
        return Stay;
    if (m_view.prompt) {
        typeFilter(&m_view.prompt, key, &m_view.filter, &m_view.scroll);
        return Stay;
    }
    m_view.notice.clear();
    switch (key) {
    case 'q':
        return Exit;
    case 'o':
        return GoBack;
    case Key::Escape:
        if (!m_view.help)
            return GoBack;
        m_view.help = false;
        break;
    case '?':
    case 'h':
    case Key::F1:
        m_view.help = !m_view.help;
        m_view.scroll = 0;
        break;
    case 'm':
        m_view.toggleMark(m_census);
        break;
    case 's':
        m_view.changeOrder();
        break;
    case 'p':
    case ' ':
        m_view.paused = !m_view.paused;
        break;
    case 'f':
    case '/':
        m_view.prompt = m_view.filter;
        break;
    default:
        if (!scrollByKey(key, m_terminal.form().rows, &m_view.scroll))
            m_view.notice = u"Unknown key: press ? for help."_s;
    }
    return Stay;
}
