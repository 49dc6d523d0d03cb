// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTFILES_H
#define OBJECTFILES_H

#include <QtCore/qbytearray.h>
#include <QtCore/qlist.h>
#include <QtCore/qmap.h>
#include <QtCore/qstring.h>

/*
    Object files and static libraries that are to be linked into one program or library. Of an inline
    deleting destructor the linker keeps one, whichever it finds first: files compiled for a Qt with the
    pool and files compiled for one without must not both have it. The linked file does not show that
    they had.
*/
class ObjectFiles
{
public:
    // Whether the file is of one of these kinds, by its first bytes.
    static bool isOne(const QString &path);

    // Adds the contents of the file at \a path. Returns what is wrong with it, or nothing.
    QString add(const QString &path);

    struct Conflict
    {
        QString className;
        QString pooled; // the file in which it frees to the pool
        QString unpooled; // the one in which it frees to the heap
        QString reason() const;
    };
    QList<Conflict> conflicts() const;

private:
    QString addArchive(const QString &name, QByteArrayView content);
    QString addObject(const QString &name, QByteArrayView content);

    struct Holders
    {
        QString pooled;
        QString unpooled;
    };
    QMap<QByteArray, Holders> m_destructors; // by their symbols
};

#endif // OBJECTFILES_H
