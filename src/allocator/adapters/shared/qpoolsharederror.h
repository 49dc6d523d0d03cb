// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDERROR_H
#define QPOOLSHAREDERROR_H

#include "../../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \enum QPool::SharedError
    \brief Why a call of SharedSegment failed.
*/
enum class SharedError {
    None,
    InvalidName, //!< empty, longer than 128 bytes, with a slash or anything but printable ASCII
    InvalidSize, //!< less than SharedSegment::MinBytes or more than MaxBytes
    Exists, //!< there is a segment of that name, which create() does not change
    NotFound, //!< there is no segment, or no root, of that name
    NoPermission, //!< the system denies this process access
    NotOurs, //!< of another user, accessible to others, or no plain file
    Truncated, //!< the file is shorter than its header says
    WrongMagic, //!< not a segment of QPool
    OtherVersion, //!< made by another version of this format
    OtherAbi, //!< made by code of another compiler, standard library or word size
    OtherNamespace, //!< its processes number their threads in another way: another container
    AddressTaken, //!< the address is in use in this process, perhaps by the segment itself
    NoSpace, //!< the system lacks shared memory, or the process's file size limit is too low
    SegmentFull, //!< the segment has not enough free memory
    Broken, //!< the metadata is damaged, and the segment refuses all allocations
    Busy, //!< another thread held the lock for longer than the caller would wait
    RootExists, //!< there is a root of that name
    RootType, //!< the root of that name is of another type
    RootsFull, //!< there are SharedSegment::MaxRoots roots
    Unsupported, //!< this system has no such lock, or no shared memory
    SystemError //!< the system refused something else
};

//! Returns what \a error means, as a line of English.
const char *errorText(SharedError error) noexcept;

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDERROR_H
