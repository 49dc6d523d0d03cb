// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCOMMANDNAME_H
#define QPOOLCOMMANDNAME_H

// How the user of this program calls the command: by its path in the repository, by its name when it is installed.
#ifndef QPOOL_COMMAND
#  define QPOOL_COMMAND "./qpool"
#endif

#endif
