// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLEVENTTYPES_H
#define QPOOLEVENTTYPES_H

#include <string>

namespace QPool {

// The name of an event's type in QEvent::Type, for the types of events that are posted, and so may be on
// the heap; other types by number: "type 205", "User+7".
std::string eventTypeName(unsigned type);

} // namespace QPool

#endif // QPOOLEVENTTYPES_H
