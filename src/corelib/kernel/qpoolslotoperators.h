// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSLOTOPERATORS_H
#define QPOOLSLOTOPERATORS_H

#if 0
#pragma qt_sync_skip_header_check
#pragma qt_sync_stop_processing
#endif

#include <QtCore/qpooloperators.h>

QT_BEGIN_NAMESPACE

// The operators of private parts, to which slot objects belong, under a name that is declared before
// QObjectData.
class Q_CORE_EXPORT QPoolSlotMemory
{
public:
    QT_DECLARE_POOL_OPERATORS
};

QT_END_NAMESPACE

// For the templates of the slot objects that connect(), QTimer::singleShot() and
// QMetaObject::invokeMethod() make. These can neither be exported, as QEvent is, nor have another base
// class.
#define QT_DECLARE_POOL_SLOT_OPERATORS \
    static void *operator new(std::size_t size) \
    { return QPoolSlotMemory::operator new(size); } \
    static void *operator new(std::size_t size, const std::nothrow_t &tag) noexcept \
    { return QPoolSlotMemory::operator new(size, tag); } \
    static void *operator new(std::size_t size, std::align_val_t alignment) \
    { return QPoolSlotMemory::operator new(size, alignment); } \
    static void *operator new(std::size_t size, std::align_val_t alignment, \
                              const std::nothrow_t &tag) noexcept \
    { return QPoolSlotMemory::operator new(size, alignment, tag); } \
    static void *operator new(std::size_t, void *where) noexcept { return where; } \
    static void operator delete(void *pointer, std::size_t size) noexcept \
    { QPoolSlotMemory::operator delete(pointer, size); } \
    static void operator delete(void *pointer, std::align_val_t alignment) noexcept \
    { QPoolSlotMemory::operator delete(pointer, alignment); } \
    static void operator delete(void *pointer, const std::nothrow_t &tag) noexcept \
    { QPoolSlotMemory::operator delete(pointer, tag); } \
    static void operator delete(void *pointer, std::align_val_t alignment, \
                                const std::nothrow_t &tag) noexcept \
    { QPoolSlotMemory::operator delete(pointer, alignment, tag); } \
    static void operator delete(void *, void *) noexcept { }

#endif // QPOOLSLOTOPERATORS_H
