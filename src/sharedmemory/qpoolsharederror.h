// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDERROR_H
#define QPOOLSHAREDERROR_H

#include "../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \enum QPool::SharedError
    \brief Why a call of SharedSegment failed.
*/
enum class SharedError {
    None,
    InvalidName, //!< empty, longer than 128 bytes, with a slash or anything but printable ASCII
    InvalidSize, //!< less than SharedSegment::MinBytes or more than MaxBytes
    Exists, //!< a segment of this name exists already; create() does not change it
    NotFound, //!< no segment, or no root, has this name
    NoPermission, //!< the system denies this process access
    NotOurs, //!< it belongs to another user, is accessible to others, or is not a plain file
    Truncated, //!< the file is shorter than its header says
    WrongMagic, //!< not a segment of QPool
    OtherVersion, //!< created by another version of this format
    OtherAbi, //!< created by code of another compiler, standard library or word size
    OtherNamespace, //!< its processes are in another PID namespace, such as that of a container
    AddressTaken, //!< the address is in use in this process, perhaps by the segment itself
    NoSpace, //!< the system lacks shared memory, or the process's file size limit is too low
    SegmentFull, //!< the segment lacks free memory
    Broken, //!< the metadata is damaged, and the segment refuses all allocations
    Busy, //!< another thread held the lock for longer than the caller would wait
    RootExists, //!< a root of this name exists already
    RootType, //!< the root of this name has another type
    RootsFull, //!< the segment has SharedSegment::MaxRoots roots
    Unsupported, //!< this system has no such lock, or no shared memory
    SystemError //!< another system call failed
};

//! Returns the meaning of \a error as a clause in English.
const char *errorText(SharedError error) noexcept;

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDERROR_H
