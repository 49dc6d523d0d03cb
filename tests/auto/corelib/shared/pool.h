// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef POOL_H
#define POOL_H

#include "../../shared/poolsnapshot.h"

#include <QtCore/QEvent>
#include <QtCore/QObject>

inline PoolSnapshot snapshot()
{
    return PoolSnapshot::take(qt_pool_allocator_snapshot);
}

inline bool isPooled(const void *pointer)
{
    return qt_pool_allocator_owns(pointer);
}

// Of exactly \a Size bytes, so that a test has its own size class.
template <std::size_t Size>
struct SizedEvent : QEvent
{
    SizedEvent() : QEvent(QEvent::User) { }
    char payload[Size - sizeof(QEvent)] = {};
};

template <std::size_t Size>
struct SizedObject : QObject
{
    explicit SizedObject(QObject *parent = nullptr) : QObject(parent) { }
    char payload[Size - sizeof(QObject)] = {};
};

static_assert(sizeof(SizedEvent<64>) == 64 && sizeof(SizedObject<64>) == 64);

#endif // POOL_H
