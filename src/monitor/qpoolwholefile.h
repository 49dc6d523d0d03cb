// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWHOLEFILE_H
#define QPOOLWHOLEFILE_H

#include <QtCore/qfileinfo.h>
#include <QtCore/qsavefile.h>

// Files that a program writes at its user's wish.

namespace QPoolStatistics {

// A device or a pipe, which is written to and stays; the superuser could replace it.
inline bool isSpecialFile(const QString &fileName)
{
    const QFileInfo present(fileName);
    return present.exists() && !present.isFile() && !present.isDir();
}

// Writes a file. If this fails, \a error says why, and an older file stays.
inline bool writeWhole(const QString &fileName, const QByteArray &bytes, QString *error)
{
    const auto written = [&](auto &file, auto finish) {
        const bool isDone = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && finish(file);
        if (!isDone)
            *error = file.errorString();
        return isDone;
    };
    if (isSpecialFile(fileName)) {
        QFile file(fileName);
        return written(file, [](QFile &device) { return device.flush(); });
    }
    QSaveFile file(fileName);
    file.setDirectWriteFallback(true); // for a folder that others may not write to
    return written(file, [](QSaveFile &whole) { return whole.commit(); });
}

} // namespace QPoolStatistics

#endif // QPOOLWHOLEFILE_H
