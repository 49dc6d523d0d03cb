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
    const bool isWritten = std::fwrite(text.constData(), 1, std::size_t(text.size()), stdout) == std::size_t(text.size())
            && std::fflush(stdout) == 0;
    return isWritten || fail(QLatin1StringView("cannot write to standard output: ") + qt_error_string(errno), false);
}

} // namespace ToolOutput

#endif // TOOLOUTPUT_H
