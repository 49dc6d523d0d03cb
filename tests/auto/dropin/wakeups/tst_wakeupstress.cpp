// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/watchdog.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QElapsedTimer>
#include <QtCore/QEvent>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <atomic>
#include <vector>

// Events posted by several threads to a loop that goes to sleep in between: in each round every
// thread posts some, and all wait until all are delivered. So no thread's event compensates for the
// lost wake-up of another.
//
//   QPOOL_STRESS_POSTS  how many in all (default: 200 000)
//   QPOOL_TEST_SEED     repeats a run
class tst_WakeUpStress : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyRoundIsDelivered_data();
    void everyRoundIsDelivered();

private:
    qint64 m_posts = 200'000;
    quint32 m_seed = 0;
};

namespace {

constexpr int MostPosters = 4;

// Every thread knows how many each one posts in a round.
class Batches
{
public:
    Batches(quint32 seed, int largest) : m_seed(seed), m_largest(largest) { }

    int of(int poster, quint32 round) const
    {
        return 1 + int(mixed(round * 31 + quint32(poster)) % quint32(m_largest));
    }

    // Before the first event, so that posts coincide with every stage of a loop that goes to sleep.
    int pause(int poster, quint32 round) const
    {
        return int(mixed(round * 37 + quint32(poster) + 17) % 4096);
    }

private:
    quint32 mixed(quint32 value) const
    {
        value ^= m_seed;
        value = (value ^ (value >> 16)) * 0x7feb352du;
        value = (value ^ (value >> 15)) * 0x846ca68bu;
        return value ^ (value >> 16);
    }

    quint32 m_seed;
    int m_largest;
};

class RoundReceiver : public QObject
{
public:
    RoundReceiver(int posters, const Batches &batches)
        : m_posters(posters), m_batches(batches), m_left(sizeOfRound())
    {
    }

    QSemaphore roundIsOver[MostPosters];

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        if (--m_left == 0) {
            ++m_round;
            m_left = sizeOfRound();
            for (int poster = 0; poster < m_posters; ++poster)
                roundIsOver[poster].release();
        }
        return true;
    }

private:
    int sizeOfRound() const
    {
        int size = 0;
        for (int poster = 0; poster < m_posters; ++poster)
            size += m_batches.of(poster, m_round);
        return size;
    }

    const int m_posters;
    const Batches m_batches;
    quint32 m_round = 0;
    int m_left;
};

} // namespace

void tst_WakeUpStress::initTestCase()
{
    const QByteArray expected = qgetenv("QPOOL_EXPECTED_DISPATCHER");
    const QByteArray name = dispatcher()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
    if (qEnvironmentVariableIsSet("QPOOL_STRESS_POSTS"))
        m_posts = qgetenv("QPOOL_STRESS_POSTS").toLongLong();
    m_seed = qEnvironmentVariableIsSet("QPOOL_TEST_SEED")
            ? qgetenv("QPOOL_TEST_SEED").toUInt()
            : QRandomGenerator::global()->generate();
    qInfo("QPOOL_TEST_SEED=%u", m_seed);
}

void tst_WakeUpStress::everyRoundIsDelivered_data()
{
    QTest::addColumn<int>("posters");
    QTest::addColumn<int>("largest");
    QTest::addColumn<int>("percent");
    QTest::addRow("one thread, one event") << 1 << 1 << 1;
    QTest::addRow("one thread") << 1 << 8 << 4;
    QTest::addRow("two threads, one event") << 2 << 1 << 1;
    QTest::addRow("three threads") << 3 << 32 << 24;
    QTest::addRow("four threads, many events") << 4 << 400 << 70;
}

void tst_WakeUpStress::everyRoundIsDelivered()
{
    QFETCH(int, posters);
    QFETCH(int, largest);
    QFETCH(int, percent);
    const Batches batches(m_seed, largest);
    const quint32 rounds = quint32(m_posts * percent / 100 * 2 / ((largest + 1) * posters)) + 1;

    QThread loop;
    RoundReceiver receiver(posters, batches);
    receiver.moveToThread(&loop);
    loop.start();

    std::atomic<qint64> slowest { 0 };
    std::atomic<qint64> posted { 0 };
    auto body = [&](int poster) {
        qint64 mine = 0, slowestOfMine = 0;
        for (quint32 round = 0; round < rounds; ++round) {
            for (volatile int spin = batches.pause(poster, round); spin > 0; --spin) { }
            QElapsedTimer timer;
            timer.start();
            const int count = batches.of(poster, round);
            for (int i = 0; i < count; ++i)
                QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
            mine += count;
            if (!receiver.roundIsOver[poster].tryAcquire(1, BoundInSeconds * 1000)) {
                // On a machine that was suspended it arrives in the end; a lost wake-up never does.
                const bool late = receiver.roundIsOver[poster].tryAcquire(1, BoundInSeconds * 1000);
                qFatal("round %u: an event was %s delivered within %d seconds", round,
                       late ? "late: not" : "lost: not even", BoundInSeconds * (late ? 1 : 2));
            }
            slowestOfMine = qMax(slowestOfMine, timer.nsecsElapsed());
        }
        posted += mine;
        for (qint64 seen = slowest; seen < slowestOfMine;) {
            if (slowest.compare_exchange_weak(seen, slowestOfMine))
                break;
        }
    };
    std::vector<std::unique_ptr<QThread>> threads;
    for (int poster = 0; poster < posters; ++poster) {
        threads.emplace_back(QThread::create(body, poster));
        threads.back()->start();
    }
    for (auto &thread : threads)
        thread->wait();
    loop.quit();
    loop.wait();
    qInfo("%lld events in %u rounds; the slowest round took %.3f ms", posted.load(), rounds,
          double(slowest) / 1e6);
    QVERIFY(slowest < qint64(BoundInSeconds) * 1'000'000'000);
    for (QSemaphore &rest : receiver.roundIsOver)
        QCOMPARE(rest.available(), 0);
}

QTEST_GUILESS_MAIN(tst_WakeUpStress)
#include "tst_wakeupstress.moc"
