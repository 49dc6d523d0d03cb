// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef JUDGEMENT_H
#define JUDGEMENT_H

#include <QtCore/qlist.h>
#include <QtCore/qstringlist.h>

// The result for one program, library or plugin.
struct Judgement
{
    enum class Mode {
        NoQt,   // uses nothing of Qt
        DropIn, // compiled for a Qt without the pool, and runs on either
        Full,   // compiled for a Qt with the pool
    };
    struct Library
    {
        QString path;
        bool isPooled;
        bool usesQt;
    };
    // A class that is created from the pool and freed to the heap.
    struct Refusal
    {
        QString creator;
        QString className;
        QString found;
        QString reason;
    };

    QString file;
    QString error; // not empty: it could not be judged, and the rest says nothing
    bool isProgram = false;
    Mode mode = Mode::NoQt;
    QStringList creates; // those of QEvent, QObject and QObjectData
    QStringList missing; // libraries that are needed and not found
    QString stockCore; // a QtCore without the pool, if one with it is needed
    QList<Library> libraries;
    QList<Refusal> refusals;

    bool runs() const
    {
        return error.isEmpty() && missing.isEmpty() && stockCore.isEmpty() && refusals.isEmpty();
    }

    // Judges \a file as it would be started, or, if \a program is not empty, loaded by that program.
    static Judgement of(const QString &file, const QString &program = QString());
};

#endif // JUDGEMENT_H
