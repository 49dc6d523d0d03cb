// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CLASSES_H
#define CLASSES_H

#include <QtCore/QEvent>
#include <QtCore/QObject>

// Classes of a library that is compiled against the distribution's headers.

// Its vtable and deleting destructor are in the library, its constructor is everywhere.
class InlineConstructed : public QObject
{
public:
    InlineConstructed() { }
    ~InlineConstructed() override;
};

// All of it is compiled into every user: the dynamic linker chooses one copy.
class HeaderOnly : public QEvent
{
public:
    HeaderOnly() : QEvent(QEvent::User) { }
    ~HeaderOnly() override { }
};

// Like InlineConstructed and HeaderOnly, with names that contain the mangled names of constructors
// and deleting destructors.
class ABC1Event : public QEvent
{
public:
    ABC1Event();
    ~ABC1Event() override;
};

class CMD0Event : public QEvent
{
public:
    CMD0Event() : QEvent(QEvent::User) { }
    ~CMD0Event() override { }
};

// Not one of the pool's classes.
class Unrelated
{
public:
    Unrelated();
    virtual ~Unrelated();
};

// Have the library emit its HeaderOnly and CMD0Event.
QEvent *makeHeaderOnly();
QEvent *makeCMD0Event();

#endif // CLASSES_H
