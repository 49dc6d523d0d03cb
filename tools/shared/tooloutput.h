// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TOOLOUTPUT_H
#define TOOLOUTPUT_H

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

#include <cstdio>

// What the tools of the command print.
namespace ToolOutput {

// Writes to the standard output. False if that is not possible, for instance because the disk is full.
inline bool print(const QByteArray &text)
{
    return std::fwrite(text.constData(), 1, std::size_t(text.size()), stdout) == std::size_t(text.size())
            && std::fflush(stdout) == 0;
}

// Writes a line to the standard error, and returns \a code.
template <class Code>
Code fail(const QString &message, Code code)
{
    std::fprintf(stderr, "qpool: %s\n", message.toUtf8().constData());
    return code;
}

} // namespace ToolOutput

#endif // TOOLOUTPUT_H
