// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapviewer.h"

#include <utility>

using QPool::HeapProfile;
using QPool::HeapSampleReader;

HeapViewer::HeapViewer(Terminal &terminal, qint64 pid, const QString &name, int interval)
    : ReadingViewer(terminal, interval, 'h')
    , m_pid(pid)
    , m_name(name)
{
}

bool HeapViewer::open(QString *notice)
{
    const bool isOpen = start(notice) && ReadingViewer::open(notice);
    if (!isOpen)
        stop();
    return isOpen;
}

Wish HeapViewer::show()
{
    const Wish wish = ReadingViewer::show();
    stop();
    return wish;
}

bool HeapViewer::start(QString *problem)
{
    HeapSampleReader::Error error;
    std::string message;
    std::uint64_t interval = 0;
    if (!m_reader) {
        m_reader = HeapSampleReader::attach(m_pid, &error, &message);
        if (m_reader)
            m_names = std::make_unique<QPool::StackNames>(m_reader->memory());
    }
    bool isOn = m_reader && m_reader->readInterval(&interval, &error, &message);
    if (isOn && interval == 0)
        isOn = m_hasStarted = m_reader->writeInterval(HeapSampleReader::DefaultInterval, &error, &message);
    *problem = QString::fromStdString(message);
    return isOn;
}

// Unless someone has chosen another interval meanwhile. It fails if the process has ended.
void HeapViewer::stop()
{
    HeapSampleReader::Error error;
    std::string message;
    std::uint64_t interval = 0;
    if (std::exchange(m_hasStarted, false) && m_reader->readInterval(&interval, &error, &message)
        && interval == HeapSampleReader::DefaultInterval) {
        m_reader->writeInterval(0, &error, &message);
    }
}

bool HeapViewer::read(QString *problem)
{
    HeapSampleReader::Error error;
    std::string message;
    HeapProfile profile;
    if (!m_reader->read(&profile, &error, &message)) {
        *problem = QString::fromStdString(message);
        return false;
    }
    m_heap.stacks = m_names->of(profile);
    m_heap.profile = std::move(profile);
    return true;
}
