// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef READINGVIEWER_H
#define READINGVIEWER_H

#include "screenparts.h"
#include "terminal.h"

#include <QtCore/qelapsedtimer.h>

// Shows a screen of what is read from the memory of a process, with a mark, an order and a filter, and handles its
// keys. It exists as long as the process is followed, so that its mark is kept.
class ReadingViewer
{
public:
    virtual ~ReadingViewer() = default;
    ReadingViewer(const ReadingViewer &) = delete;
    ReadingViewer &operator=(const ReadingViewer &) = delete;

    // False, with \a notice set to the reason, if nothing can be read.
    virtual bool open(QString *notice);

    // Stay once a key goes back to the screen before, else Quit.
    virtual Wish show();

protected:
    // \a key opened the screen, and leaves it.
    ReadingViewer(Terminal &terminal, int interval, int key);

    virtual MarkedView &view() = 0;
    // False, with \a problem set to a sentence without a full stop, if the process can't be read.
    virtual bool read(QString *problem) = 0;
    virtual ScreenLines screen(const ScreenForm &form) = 0;
    virtual void toggleMark() = 0;
    virtual void changeOrder() = 0;

private:
    bool take();
    Wish handleKey(int key);

    Terminal &m_terminal;
    const int m_interval;
    const int m_key;
    QElapsedTimer m_clock;
    qint64 m_due = 0;
};

#endif // READINGVIEWER_H
