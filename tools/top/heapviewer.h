// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPVIEWER_H
#define HEAPVIEWER_H

#include "heapscreen.h"
#include "readingviewer.h"

#include <qpoolheapsamplereader.h>

#include <memory>

// Call sites. While it is shown, the process is sampled: it switches that on, and off again, unless it was on.
class HeapViewer : public ReadingViewer
{
public:
    HeapViewer(Terminal &terminal, qint64 pid, const QString &name, int interval);
    ~HeapViewer() override { stop(); }

    bool open(QString *notice) override;
    Wish show() override;

private:
    MarkedView &view() override { return m_view; }
    bool read(QString *problem) override;
    ScreenLines screen(const ScreenForm &form) override { return heapScreen(m_name, m_heap, m_view, form); }
    void toggleMark() override { m_view.toggleMark(m_heap); }
    void changeOrder() override { m_view.changeOrder(); }
    bool start(QString *problem);
    void stop();

    const qint64 m_pid;
    const QString m_name;
    std::unique_ptr<QPool::HeapSampleReader> m_reader;
    std::unique_ptr<QPool::StackNames> m_names; // refers to the reader
    bool m_hasStarted = false;
    ShownHeap m_heap;
    HeapView m_view;
};

#endif // HEAPVIEWER_H
