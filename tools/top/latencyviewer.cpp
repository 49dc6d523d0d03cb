// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencyviewer.h"

using namespace Qt::StringLiterals;
using QPool::MonitoredProcess;
using QPool::PublishedLatency;

LatencyViewer::LatencyViewer(Terminal &terminal, FollowedProcess &process, int interval)
    : m_terminal(terminal)
    , m_process(process)
    , m_interval(interval)
{
    m_clock.start();
    m_latency.name = process.name();
    m_latency.pid = qint64(process.statistics().pid);
}

void LatencyViewer::read()
{
    m_due = m_clock.elapsed() + m_interval;
    const PublishedLatency latency = m_process.readLatency();
    if (m_process.state() != MonitoredProcess::Publishing) {
        m_latency.problem = m_process.state() == MonitoredProcess::Gone
                ? u"The process has ended"_s : u"The process stopped publishing"_s;
        return;
    }
    m_latency.isRecorded = latency.state != PublishedLatency::NotRecorded;
    m_latency.problem = QString::fromStdString(latency.problem);
    if (latency.state != PublishedLatency::Recorded || latency.text.number == m_number)
        return;
    m_number = latency.text.number;
    QString error;
    const std::string &json = latency.text.json;
    auto statistics = QPoolStatistics::LatencyStatistics::fromJson(
            QByteArray::fromRawData(json.data(), qsizetype(json.size())), &error);
    if (statistics)
        m_latency.statistics = *std::move(statistics);
    else
        m_latency.problem = u"The statistics can't be read: "_s + error;
}

Wish LatencyViewer::show()
{
    m_due = 0;
    Wish wish = Wish::Stay;
    while (wish == Wish::Stay && !Terminal::mustEnd()) {
        if (!m_view.paused && m_clock.elapsed() >= m_due)
            read();
        m_terminal.draw(latencyScreen(m_latency, m_view, m_terminal.form()));
        const qint64 left = qBound(qint64(0), m_due - m_clock.elapsed(), qint64(m_interval));
        wish = handleKey(m_terminal.waitForKey(m_view.paused ? m_interval : int(left)));
    }
    return wish == Wish::Leave ? Wish::Stay : Wish::Quit;
}

Wish LatencyViewer::leave()
{
    m_view.scroll = 0;
    if (m_view.help)
        m_view.help = false;
    else if (m_view.details)
        m_view.details = false;
    else
        return Wish::Leave;
    return Wish::Stay;
}

Wish LatencyViewer::handleKey(int key)
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
    const bool isList = !m_view.details && !m_view.help;
    switch (key) {
    case 'q':
        return Wish::Quit;
    case 'e':
    case Key::Escape:
        return leave();
    case Key::Enter:
        m_view.details = !m_view.details && !m_latency.statistics.events.isEmpty();
        m_view.scroll = 0;
        return Wish::Stay;
    case 's':
        m_view.changeMeasure();
        return Wish::Stay;
    case 'w':
        m_view.order.part = QPoolStatistics::LatencyOrder::Part(1 - m_view.order.part);
        return Wish::Stay;
    case 'f':
    case '/':
        m_view.prompt = m_view.filter;
        return Wish::Stay;
    default:
        break;
    }
    int step = 0;
    if (isList && scrollByKey(key, m_terminal.form().rows, &step))
        m_view.select(m_latency.statistics, key == Key::Home ? -m_latency.statistics.events.size() : step);
    else
        m_view.handleKey(key, m_terminal.form().rows);
    return Wish::Stay;
}
