// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTREADING_H
#define OBJECTREADING_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// The objects of one class: who holds them, and some of them.
struct ObjectReading
{
    struct Count
    {
        qint64 objects = 0;
        QString what;
    };
    struct Object
    {
        QString title; // its address and objectName
        QString facts; // connections, thread
        QStringList parents; // each with class, objectName and address; the direct one first
    };

    qint64 objects = 0;
    QList<Count> parents; // by class; the most objects first
    QList<Count> states; // waiting for deleteLater, connections
    QList<Count> threads;
    QList<Object> largest; // the most children and connections
    QList<Object> newest; // of the parent that has most
    QString error; // why it is not known, a sentence without a full stop; empty on success
};

#endif // OBJECTREADING_H
