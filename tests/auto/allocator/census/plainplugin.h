// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PLAINPLUGIN_H
#define PLAINPLUGIN_H

#include <cstddef>

// The interface of the plugins: creates an object at that address, and returns its size.
using MakeFunction = std::size_t (*)(void *place);

#endif // PLAINPLUGIN_H
