// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCENSUSJSON_H
#define QPOOLCENSUSJSON_H

#include "qpoolcensus.h"

namespace QPool {

// Raised when a reader of an older format would misread a newer one.
inline constexpr int CensusFormatVersion = 1;

//! One line of JSON, in UTF-8, without an end of line.
std::string toJson(const Census &census);

//! The same with the classes in \a changes only, in their order, and with their growth if it is known.
std::string toJson(const Census &census, const std::vector<CensusChange> &changes, bool compared);

} // namespace QPool

#endif // QPOOLCENSUSJSON_H
