// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMPARISON_H
#define COMPARISON_H

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

#include <optional>

// What changed from one saved session to another, as a table for users: by class, by size, and in total.
namespace Comparison {

// Of the contents of two files. Empty, with \a error set to a sentence without a full stop, if one is no
// session; the names are for that and for the headings.
std::optional<QByteArray> text(const QByteArray &before, const QString &nameOfBefore, const QByteArray &after,
                               const QString &nameOfAfter, QString *error);

// Of two files.
std::optional<QByteArray> text(const QString &before, const QString &after, QString *error);

} // namespace Comparison

#endif // COMPARISON_H
