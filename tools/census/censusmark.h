// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSMARK_H
#define CENSUSMARK_H

#include "census/qpoolcensus.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

#include <optional>

// A census saved for comparisons: the JSON of qpool-census or of
// qt_pool_allocator_census().
namespace CensusMark {

// Empty, with \a error set to half a sentence, if \a json is not a census.
std::optional<QPool::Census> fromJson(const QByteArray &json, QString *error);

// From a file.
std::optional<QPool::Census> read(const QString &path, QString *error);

} // namespace CensusMark

#endif // CENSUSMARK_H
