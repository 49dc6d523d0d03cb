// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef STACKTREE_H
#define STACKTREE_H

#include "heapreading.h"

#include <qpoolheapsites.h>

// Puts stacks that begin with the same functions together.
namespace StackTree {

// Callers come before those that they call, and the largest of these first.
QList<HeapReading::Node> of(const std::vector<QPool::NamedStack> &stacks);

} // namespace StackTree

#endif // STACKTREE_H
