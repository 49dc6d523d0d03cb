// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharederror.h"

QPOOL_BEGIN_NAMESPACE

// Short, so that ./qpool top shows a name and the text on one line of 80 characters.
const char *errorText(SharedError error) noexcept
{
    switch (error) {
    case SharedError::None: return "no error";
    case SharedError::InvalidName:
        return "the name is empty or too long, or contains a character that is not allowed";
    case SharedError::InvalidSize: return "the size is out of range";
    case SharedError::Exists: return "a segment of this name exists already";
    case SharedError::NotFound: return "no segment or root has this name";
    case SharedError::NoPermission: return "the system denies access to it";
    case SharedError::NotOurs:
        return "it is another user's, open to others, or not a plain file";
    case SharedError::Truncated: return "the file is shorter than the segment";
    case SharedError::WrongMagic: return "it is not a segment of QPool";
    case SharedError::OtherVersion: return "it was created by another version of QPool";
    case SharedError::OtherAbi:
        return "its creator has another compiler, standard library or word size";
    case SharedError::OtherNamespace:
        return "its processes are in another PID namespace, as in a container";
    case SharedError::AddressTaken: return "its address is in use in this process";
    case SharedError::NoSpace: return "not enough shared memory, or the file size limit is too low";
    case SharedError::SegmentFull: return "the segment is full";
    case SharedError::Broken: return "the segment's metadata is damaged";
    case SharedError::Busy: return "the segment has been locked for too long";
    case SharedError::RootExists: return "a root of this name exists already";
    case SharedError::RootType: return "the root of this name has another type";
    case SharedError::RootsFull: return "the segment has the largest number of roots";
    case SharedError::Unsupported: return "this system has no such lock, or no shared memory";
    case SharedError::SystemError: return "a system call failed";
    }
    return "an unknown error";
}

QPOOL_END_NAMESPACE
