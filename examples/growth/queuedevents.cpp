// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Events that are queued faster than handled. A Return takes 10,000 samples of a sensor, and in the same time a
// recorder in another thread writes 1000 of them.

#include "onreturn.h"

#include <QtCore/QByteArray>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>

// Writes as fast as its disk, which lets it write one sample in the time of ten.
class Recorder : public QObject
{
    Q_OBJECT

public:
    void write(const QByteArray &sample)
    {
        m_disk.acquire();
        m_bytes += sample.size();
        m_written.release();
    }

    void letWrite(int samples)
    {
        m_disk.release(samples);
        m_written.acquire(samples);
    }

    void close() { m_disk.release(1 << 30); }

private:
    QSemaphore m_disk;
    QSemaphore m_written;
    qint64 m_bytes = 0;
};

class Sensor
{
public:
    explicit Sensor(Recorder *recorder) : m_recorder(recorder) { }

    void sample()
    {
        // Nothing limits how many samples wait in the queue of the recorder's thread.
        const QByteArray values(500, '\0');
        QMetaObject::invokeMethod(m_recorder, [recorder = m_recorder, values] { recorder->write(values); },
                                  Qt::QueuedConnection);
    }

private:
    Recorder *m_recorder;
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    Recorder recorder;
    Sensor sensor(&recorder);
    QThread thread;
    thread.setObjectName(QStringLiteral("recorder"));
    recorder.moveToThread(&thread);
    thread.start();
    const int result = growOnReturn([&] {
        for (int i = 0; i < 10000; ++i)
            sensor.sample();
        recorder.letWrite(1000);
    });
    recorder.close();
    thread.quit();
    thread.wait();
    return result;
}

#include "queuedevents.moc"
