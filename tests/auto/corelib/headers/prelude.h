// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Qt's own headers that the fork's include, for a file that defines min and max as macros before
// it includes those.

#include "../../allocator/keywords/prelude.h"

#include <QtCore/QtCore>
#include <QtCore/private/qhooks_p.h>
#include <QtCore/private/qobject_p.h>
#include <QtCore/private/qthread_p.h>

#include <cxxabi.h>
#include <link.h>
