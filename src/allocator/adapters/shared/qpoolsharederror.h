// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDERROR_H
#define QPOOLSHAREDERROR_H

#include "../../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \enum QPool::SharedError
    \brief Why a call of SharedSegment came to nothing.
*/
enum class SharedError {
    None,
    InvalidName, //!< empty, longer than 128 bytes, with a slash or with what is no printable ASCII
    InvalidSize, //!< less than SharedSegment::MinBytes or more than MaxBytes
    Exists, //!< there is a segment of that name, which create() leaves alone
    NotFound, //!< there is no segment, or no root, of that name
    NoPermission, //!< the system does not let this process
    NotOurs, //!< of another user, open to others, or no plain file
    Truncated, //!< the file is shorter than what its header says
    WrongMagic, //!< no segment of QPool's
    OtherVersion, //!< made by another version of this format
    OtherAbi, //!< made by code of another compiler, standard library or word size
    OtherNamespace, //!< its processes number their threads in another way: another container
    AddressTaken, //!< this process has something else at the segment's address, or it twice
    NoSpace, //!< the system has not as much shared memory, or the process may have no file so large
    SegmentFull, //!< the segment has no room for it
    Broken, //!< the books are not sound, and the segment hands out nothing any more
    Busy, //!< somebody has held the lock for longer than the caller would wait
    RootExists, //!< there is a root of that name
    RootType, //!< the root of that name is of another type
    RootsFull, //!< there are SharedSegment::MaxRoots roots
    Unsupported, //!< this system has no such lock, or nothing of the kind
    SystemError //!< something else that the system refused
};

//! Returns what \a error means, in a line of English.
const char *errorText(SharedError error) noexcept;

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDERROR_H
