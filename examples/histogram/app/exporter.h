// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXPORTER_H
#define EXPORTER_H

#include <QtCore/qobject.h>
#include <QtCore/qurl.h>
#include <QtQml/qqmlregistration.h>

class PoolMonitor;

QT_BEGIN_NAMESPACE
class QQuickWindow;
QT_END_NAMESPACE

// Writes what is shown to a file, whole or not at all.
class Exporter : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")

public:
    enum Format { Json, Csv, Png };
    Q_ENUM(Format)

    explicit Exporter(PoolMonitor *monitor, QObject *parent = nullptr);

    void setWindow(QQuickWindow *window) { m_window = window; } // rendered for PNG

    // On failure both return false and set error().
    bool canWrite(const QString &fileName);
    bool write(Format format, const QString &fileName);
    QString error() const { return m_error; }

    Q_INVOKABLE void save(Format format, const QUrl &file);
    // A name for a file that does not exist yet.
    Q_INVOKABLE QUrl suggestion(Format format) const;

Q_SIGNALS:
    void saved(const QString &fileName);
    void failed(const QString &message);

private:
    bool fail(const QString &error);
    QByteArray content(Format format);
    QByteArray json() const;

    PoolMonitor *const m_monitor;
    QQuickWindow *m_window = nullptr;
    QString m_error;
};

#endif // EXPORTER_H
