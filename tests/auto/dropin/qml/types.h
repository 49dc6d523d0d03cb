// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TYPES_H
#define TYPES_H

#include <QtCore/QObject>

// Both sets of types are in one process, under different names.
namespace QPOOL_QML_MODULE {

// QML creates these in its own memory, with the placement form of this class's operator new.
class Thing : public QObject
{
    Q_OBJECT
    Q_PROPERTY(int number MEMBER number)

public:
    explicit Thing(QObject *parent = nullptr) : QObject(parent) { ++instances; }
    ~Thing() override { --instances; }

    int number = 0;
    static inline int instances = 0;
};

// Larger than any size class.
class LargeThing : public Thing
{
    Q_OBJECT

public:
    char payload[2000] = {};
};

// QML gets this value and deletes it when it is no longer referenced.
class Maker : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE QObject *make() { return new Thing; }
};

} // namespace QPOOL_QML_MODULE

#endif // TYPES_H
