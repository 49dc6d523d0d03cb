// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TOOLOUTPUT_H
#define TOOLOUTPUT_H

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

#include <cerrno>
#include <cstdio>

// What the tools of the command print.
namespace ToolOutput {

// A cell of a table: a blank is before whatever is in it.
inline QString cell(const QString &text, int width)
{
    return (u' ' + text).rightJustified(width);
}

// Writes a line to the standard error, and returns \a code.
template <class Code>
Code fail(const QString &message, Code code)
{
    std::fprintf(stderr, "qpool: %s\n", message.toUtf8().constData());
    return code;
}

// Writes to the standard output. Says so and returns false if that is not possible, for instance because the disk is
// full.
inline bool print(const QByteArray &text)
{
    const auto size = std::size_t(text.size());
    return (std::fwrite(text.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0)
            || fail(QLatin1StringView("cannot write to standard output: ") + qt_error_string(errno), false);
}

} // namespace ToolOutput

#endif // TOOLOUTPUT_H
