// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharederror.h"

QPOOL_BEGIN_NAMESPACE

const char *errorText(SharedError error) noexcept
{
    switch (error) {
    case SharedError::None: return "no error";
    case SharedError::InvalidName:
        return "the name is empty, too long, or has characters that names may not have";
    case SharedError::InvalidSize: return "the size is out of range";
    case SharedError::Exists: return "there is a segment of that name already";
    case SharedError::NotFound: return "there is none of that name";
    case SharedError::NoPermission: return "the system does not permit it";
    case SharedError::NotOurs: return "it is another user's, open to others, or no plain file";
    case SharedError::Truncated: return "the file is shorter than the segment";
    case SharedError::WrongMagic: return "it is no segment of QPool's";
    case SharedError::OtherVersion: return "it was made by another version of QPool";
    case SharedError::OtherAbi:
        return "it was made by code of another compiler or standard library";
    case SharedError::OtherNamespace: return "its processes are in another namespace of processes";
    case SharedError::AddressTaken: return "this process has something else at its address";
    case SharedError::NoSpace: return "the system has not as much shared memory";
    case SharedError::SegmentFull: return "the segment is full";
    case SharedError::Broken: return "the segment's books are damaged";
    case SharedError::Busy: return "the segment has been locked for too long";
    case SharedError::RootExists: return "there is a root of that name already";
    case SharedError::RootType: return "the root of that name is of another type";
    case SharedError::RootsFull: return "there are as many roots as there may be";
    case SharedError::Unsupported: return "this system cannot do that";
    case SharedError::SystemError: return "the system refused it";
    }
    return "an unknown error";
}

QPOOL_END_NAMESPACE
