// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PPROFPROFILE_H
#define PPROFPROFILE_H

#include <qpoolheapsites.h>

#include <QtCore/qbytearray.h>

// The profile as pprof reads it: the message perftools.profiles.Profile of github.com/google/pprof/proto/profile.proto,
// compressed by gzip.
namespace PprofProfile {

// Uncompressed.
QByteArray message(const QPool::HeapProfile &profile, const std::vector<QPool::NamedStack> &stacks, bool byAllocated);

// Empty if there is no memory.
QByteArray compressed(const QByteArray &message);

} // namespace PprofProfile

#endif // PPROFPROFILE_H
