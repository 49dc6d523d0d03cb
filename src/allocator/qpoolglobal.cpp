// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

const char Abi::library = 0;

QPOOL_END_NAMESPACE
