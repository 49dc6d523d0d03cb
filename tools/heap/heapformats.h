// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPFORMATS_H
#define HEAPFORMATS_H

#include <qpoolheapsites.h>

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

#include <optional>

// A profile as text. Its numbers are estimates, and are called so.
struct HeapReport
{
    QPool::HeapProfile profile;
    std::vector<QPool::NamedStack> stacks;
    std::vector<QPool::HeapSite> sites; // in the order in which they are shown
    bool compared = false; // the sites have a growth
    bool byAllocated = false;
    int lines = 20; // of a table; 0: all

    QByteArray text() const;
    QByteArray csv() const;
    // A line for each stack, the outermost function first, with bytes: for flame graphs.
    QByteArray folded() const;
    QByteArray json() const;

    struct Mark
    {
        quint64 pid;
        std::map<std::string, double> inUse; // bytes by site
    };

    // What json() wrote. Empty, with \a error set to half a sentence, if it is something else.
    static std::optional<Mark> read(const QByteArray &json, QString *error);
};

#endif // HEAPFORMATS_H
