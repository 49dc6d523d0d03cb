// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYMBOLFILE_H
#define QPOOLSYMBOLFILE_H

#include "qpoolmappings.h"

namespace QPool {

/*
    Opens for reading the file that a process has mapped; -1 if that fails. The caller may be the superuser,
    and the process another user's, who decides what is at which path. So only a regular file of the
    mapping's own device and inode is opened, without following links, without waiting, and without an
    effect on anything else that is there instead.
*/
namespace SymbolFile {

int open(const ProcessMemory &memory, const Mappings &mappings, const Mappings::Entry &entry);

// Two ways to the place of the file. The system leads there from the mapping itself, also if it was deleted,
// but only with the right to (CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE).
int placeByMapping(const ProcessMemory &memory, const Mappings::Entry &entry);
int placeByPath(const ProcessMemory &memory, const Mappings &mappings, const Mappings::Entry &entry);
// Closes \a place.
int openAt(int place, const Mappings::Entry &entry);

} // namespace SymbolFile

} // namespace QPool

#endif // QPOOLSYMBOLFILE_H
