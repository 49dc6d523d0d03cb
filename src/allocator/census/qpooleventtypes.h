// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLEVENTTYPES_H
#define QPOOLEVENTTYPES_H

#include <string>

namespace QPool {

// The name of an event's type, as QEvent::Type has it, for those that are posted, and so may be met on
// the heap; others by number: "type 205", "User+7".
std::string eventTypeName(unsigned type);

} // namespace QPool

#endif // QPOOLEVENTTYPES_H
