// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TYPES_H
#define TYPES_H

#include <QtCore/QObject>

// Both sets of types are in one process: each has names of its own.
namespace QPOOL_QML_MODULE {

// What QML creates in memory of its own, with the placement form of this class's operator new.
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

// QML asks for a value and deletes it when nobody refers to it any more.
class Maker : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE QObject *make() { return new Thing; }
};

} // namespace QPOOL_QML_MODULE

#endif // TYPES_H
