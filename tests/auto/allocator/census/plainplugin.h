// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PLAINPLUGIN_H
#define PLAINPLUGIN_H

#include <cstddef>

// What the plugins export: makes an object in that place, and says how large it is.
using MakeFunction = std::size_t (*)(void *place);

#endif // PLAINPLUGIN_H
