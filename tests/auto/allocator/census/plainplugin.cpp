// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "plainplugin.h"

#include <new>

namespace Plain {

class Shape
{
public:
    virtual ~Shape() = default;
    virtual int corners() const { return 3; }
};

} // namespace Plain

// Follows the module's data in memory, and is not in its file.
extern "C" __attribute__((visibility("default"))) char zeroInitialised[3 * 4096] = {};

extern "C" __attribute__((visibility("default"))) std::size_t makeShape(void *place)
{
    if (place)
        new (place) Plain::Shape;
    return sizeof(Plain::Shape);
}
