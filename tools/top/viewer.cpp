// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "viewer.h"

#include <QtCore/qdatetime.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPool::MonitoredProcess;

Viewer::Viewer(Terminal &terminal, int interval)
    : m_terminal(terminal)
    , m_interval(interval)
{
    m_clock.start();
}

bool Viewer::isDue()
{
    const qint64 now = m_clock.elapsed();
    if (now < m_due)
        return false;
    // Samples missed while the program was stopped are skipped.
    m_due = qMax(m_due + m_interval, now + m_interval / 2);
    return true;
}

int Viewer::waitForKey()
{
    const qint64 left = m_due - m_clock.elapsed();
    return m_terminal.waitForKey(int(qBound(qint64(0), left, qint64(m_interval))));
}

void Viewer::follow(std::unique_ptr<MonitoredProcess> process)
{
    if (followUntilLeft(std::move(process)) == Wish::Leave)
        showList();
}

Wish Viewer::followUntilLeft(std::unique_ptr<MonitoredProcess> followed)
{
    FollowedProcess process(std::move(followed));
    ProcessView view;
    m_census.reset();
    m_heap.reset();
    m_latency.reset();
    m_due = 0;
    isDue();
    process.sample(m_clock.elapsed());
    qint64 shownTime = QDateTime::currentMSecsSinceEpoch();
    Wish wish = Wish::Stay;
    while (wish == Wish::Stay && !Terminal::mustEnd()) {
        const bool lives = process.state() == MonitoredProcess::Publishing;
        if (isDue() && lives && !view.paused) {
            process.sample(m_clock.elapsed());
            shownTime = QDateTime::currentMSecsSinceEpoch();
        }
        m_terminal.draw(processScreen(process, view, m_terminal.form(), shownTime));
        wish = handleKey(waitForKey(), view, process);
    }
    m_latency.reset(); // it refers to the process
    return wish;
}

Wish Viewer::handleKey(int key, ProcessView &view, FollowedProcess &process)
{
    if (key == Key::None)
        return Wish::Stay;
    if (view.prompt) {
        handlePromptKey(key, view);
        return Wish::Stay;
    }
    view.notice.clear();
    switch (key) {
    case 'q':
        return Wish::Quit;
    case 'b':
        return Wish::Leave;
    case Key::Escape:
        if (!view.help)
            return Wish::Leave;
        view.help = false;
        break;
    case 'o':
        return showReadings(m_census, view, process);
    case 'h':
        return showReadings(m_heap, view, process);
    case 'e':
        return showLatency(process);
    case 'c':
        process.setBaseline(!process.hasBaseline());
        view.measure = ProcessView::Allocated;
        break;
    case 'v':
        view.measure = ProcessView::Measure((view.measure + 1) % 3);
        break;
    case 'l':
        view.logarithmic = !view.logarithmic;
        break;
    case Key::Tab:
    case 'a':
        view.page = pageAfter(view.page, process);
        view.scroll = 0;
        break;
    case 'f':
    case '/':
        view.prompt = view.filter.text();
        break;
    default: {
        const bool wasPaused = view.paused;
        view.handleKey(key, m_terminal.form().rows);
        if (wasPaused && !view.paused)
            process.forgetRates();
    }
    }
    return Wish::Stay;
}

template <class Kind>
Wish Viewer::showReadings(std::unique_ptr<Kind> &viewer, ProcessView &view, const FollowedProcess &process)
{
    if (!viewer)
        viewer = std::make_unique<Kind>(m_terminal, qint64(process.statistics().pid), process.name(), m_interval);
    return viewer->open(&view.notice) ? viewer->show() : Wish::Stay;
}

Wish Viewer::showLatency(FollowedProcess &process)
{
    if (!m_latency)
        m_latency = std::make_unique<LatencyViewer>(m_terminal, process, m_interval);
    return m_latency->show();
}

void Viewer::handlePromptKey(int key, ProcessView &view)
{
    const std::optional<QString> text = view.handlePromptKey(key);
    if (!text)
        return;
    if (const auto filter = QPoolStatistics::Filter::parse(*text, &view.notice)) {
        view.filter = *filter;
        view.scroll = 0;
    }
}

void Viewer::showList()
{
    m_due = 0;
    Wish wish = Wish::Stay;
    while (wish != Wish::Quit && !Terminal::mustEnd()) {
        if (isDue()) {
            m_processes = QPool::listProcesses();
            m_segments = QPool::SharedSegment::list();
        }
        if (std::none_of(m_processes.begin(), m_processes.end(),
                         [this](const auto &process) { return process.pid == m_selected; })) {
            m_selected = m_processes.empty() ? 0 : m_processes.front().pid;
        }
        m_terminal.draw(listScreen(m_processes, m_selected, m_notice, m_terminal.form(),
                                   QDateTime::currentMSecsSinceEpoch(), m_segments));
        wish = handleListKey(waitForKey());
    }
}

Wish Viewer::handleListKey(int key)
{
    if (key == Key::None)
        return Wish::Stay;
    m_notice.clear();
    switch (key) {
    case 'q':
    case Key::Escape:
        return Wish::Quit;
    case Key::Up:
        choose(-1);
        break;
    case Key::Down:
        choose(1);
        break;
    case Key::Enter:
        if (m_selected != 0) {
            MonitoredProcess::Error error;
            std::string message;
            auto process = MonitoredProcess::attach(m_selected, &error, &message);
            if (process) {
                const Wish wish = followUntilLeft(std::move(process));
                m_due = 0;
                return wish == Wish::Quit ? Wish::Quit : Wish::Stay;
            }
            m_notice = QString::fromStdString(message);
        }
        break;
    default:
        break;
    }
    return Wish::Stay;
}

void Viewer::choose(qsizetype step)
{
    const auto chosen = std::find_if(m_processes.begin(), m_processes.end(), [this](const auto &p) {
        return p.pid == m_selected;
    });
    if (chosen == m_processes.end())
        return;
    const qsizetype wanted = (chosen - m_processes.begin()) + step;
    m_selected = m_processes[std::size_t(qBound<qsizetype>(
            0, wanted, qsizetype(m_processes.size()) - 1))].pid;
}
