// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"
#include "../shared/threads.h"

#include <QtCore/QTimer>

#include <memory>
#include <vector>

// The slot objects that connect() and its like make in a program compiled with the pool.
class tst_QPoolSlots : public QObject
{
    Q_OBJECT

public slots:
    void slot() { ++called; }

signals:
    void sent();

private slots:
    void initTestCase();
    void cleanup();

    void connections_data();
    void connections();
    void calls_data();
    void calls();
    void sizes_data();
    void sizes();
    void alignment_data();
    void alignment();
    void throwingFunctor_data();
    void throwingFunctor();
    void otherForms();
    void whileCalled();
    void disconnectedElsewhere();
    void queuedAndDisconnected();
    void callsToElsewhere();

public:
    static inline int called = 0;
};

namespace {

void function()
{
    ++tst_QPoolSlots::called;
}

// Tells where it is kept when it is called.
struct Functor
{
    void operator()() const
    {
        ++tst_QPoolSlots::called;
        place = this;
    }
    static inline const void *place = nullptr;
};

template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) Kept : Functor
{
    char payload[Size] = {};
};

ClassFigures privates()
{
    return snapshot().total("private");
}

ClassFigures live(qint64 count)
{
    return { count, 0, 0, count };
}

ClassFigures madeAndFreed(qint64 count)
{
    return { count, count, 0, 0 };
}

using Connect = QMetaObject::Connection (*)(tst_QPoolSlots *);
using Call = void (*)(tst_QPoolSlots *);

#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
template <class Type>
using SlotObject = QtPrivate::QCallableObject<Type, QtPrivate::List<>, void>;
#else
template <class Type>
using SlotObject = QtPrivate::QFunctorSlotObject<Type, 0, QtPrivate::List<>, void>;
#endif

} // namespace

void tst_QPoolSlots::initTestCase()
{
    QVERIFY(snapshot().isEnabled());
    // The object's list of connections is there from now on.
    disconnect(connect(this, &tst_QPoolSlots::sent, this, &tst_QPoolSlots::slot));
}

void tst_QPoolSlots::cleanup()
{
    called = 0;
    Functor::place = nullptr;
}

void tst_QPoolSlots::connections_data()
{
    QTest::addColumn<Connect>("make");
    QTest::newRow("member") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, test, &tst_QPoolSlots::slot);
    });
    QTest::newRow("function") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, &function);
    });
    QTest::newRow("function, context") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, test, &function);
    });
    QTest::newRow("lambda") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, [] { ++called; });
    });
    QTest::newRow("functor") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, test, Functor());
    });
    QTest::newRow("single shot") << Connect([](tst_QPoolSlots *test) {
        return connect(test, &tst_QPoolSlots::sent, test, &tst_QPoolSlots::slot,
                       Qt::SingleShotConnection);
    });
}

// Two chunks for each: the connection and the slot object.
void tst_QPoolSlots::connections()
{
    QFETCH(Connect, make);
    ClassFigures before = privates();
    QMetaObject::Connection connection = make(this);
    QVERIFY(connection);
    QCOMPARE(privates() - before, live(2));
    emit sent();
    QCOMPARE(called, 1);
    disconnect(connection);
    connection = {};
    emit sent(); // which is when a disconnected one is let go of at the latest
    QCOMPARE(called, 1);
    QCOMPARE(privates() - before, madeAndFreed(2));

    // The other ways in which a connection ends: its sender, then its receiver goes.
    for (int way = 0; way < 2; ++way) {
        auto other = std::make_unique<tst_QPoolSlots>();
        const QMetaObject::Connection warmUp = make(other.get());
        disconnect(warmUp);
        before = privates();
        connection = way ? connect(this, &tst_QPoolSlots::sent, other.get(), Functor())
                         : make(other.get());
        QCOMPARE(privates() - before, live(2));
        connection = {};
        other.reset();
        emit sent();
        QCOMPARE(privates().live, before.live - 1); // the private part of the other
        QCOMPARE(called, 1);
    }
}

void tst_QPoolSlots::calls_data()
{
    QTest::addColumn<Call>("make");
    QTest::newRow("invokeMethod, member") << Call([](tst_QPoolSlots *test) {
        QMetaObject::invokeMethod(test, &tst_QPoolSlots::slot);
    });
    QTest::newRow("invokeMethod, functor") << Call([](tst_QPoolSlots *test) {
        QMetaObject::invokeMethod(test, Functor());
    });
    QTest::newRow("invokeMethod, queued member") << Call([](tst_QPoolSlots *test) {
        QMetaObject::invokeMethod(test, &tst_QPoolSlots::slot, Qt::QueuedConnection);
    });
    QTest::newRow("invokeMethod, queued functor") << Call([](tst_QPoolSlots *test) {
        QMetaObject::invokeMethod(test, Functor(), Qt::QueuedConnection);
    });
    QTest::newRow("singleShot, member") << Call([](tst_QPoolSlots *test) {
        QTimer::singleShot(1, test, &tst_QPoolSlots::slot);
    });
    QTest::newRow("singleShot, functor") << Call([](tst_QPoolSlots *test) {
        QTimer::singleShot(1, test, Functor());
    });
}

void tst_QPoolSlots::calls()
{
    QFETCH(Call, make);
    // What the timer and the loop need besides is made the first time.
    for (int round = 0; round < 2; ++round) {
        const ClassFigures before = privates();
        make(this);
        QTRY_COMPARE(called, round + 1);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const ClassFigures used = privates() - before;
        QCOMPARE_GE(used.allocated, 1);
        QCOMPARE(used.live, 0);
    }
    if (Functor::place)
        QVERIFY(isPooled(Functor::place));
}

template <std::size_t Size>
bool connectsSized(bool pooled)
{
    const PoolSnapshot before = snapshot();
    using Sized = Kept<Size, 1>;
    tst_QPoolSlots sender;
    QObject::connect(&sender, &tst_QPoolSlots::sent, Sized());
    emit sender.sent();
    return isPooled(Functor::place) == pooled
            && snapshot().total("private").live == before.total("private").live + 2 + pooled;
}

void tst_QPoolSlots::sizes_data()
{
    QTest::addColumn<bool (*)(bool)>("connects");
    QTest::addColumn<bool>("pooled");
    QTest::newRow("1") << &connectsSized<1> << true;
    QTest::newRow("100") << &connectsSized<100> << true;
    QTest::newRow("the largest") << &connectsSized<1024 - 16> << true;
    QTest::newRow("larger") << &connectsSized<1024 - 15> << false;
    QTest::newRow("much larger") << &connectsSized<100000> << false;
}

void tst_QPoolSlots::sizes()
{
    using Function = bool (*)(bool);
    QFETCH(Function, connects);
    QFETCH(bool, pooled);
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 100; ++i)
        QVERIFY(connects(pooled));
    QCOMPARE(called, 100);
    QCOMPARE(snapshot().total("private").live, before.total("private").live);
}

template <std::size_t Alignment>
bool connectsAligned()
{
    tst_QPoolSlots sender;
    bool ok = true;
    for (int i = 0; i < 20; ++i) {
        const auto connection = QObject::connect(&sender, &tst_QPoolSlots::sent,
                                                 Kept<40, Alignment>());
        emit sender.sent();
        ok = ok && reinterpret_cast<quintptr>(Functor::place) % Alignment == 0;
        if (i % 2)
            QObject::disconnect(connection);
    }
    return ok;
}

void tst_QPoolSlots::alignment_data()
{
    QTest::addColumn<bool (*)()>("connects");
    QTest::newRow("16") << &connectsAligned<16>;
    QTest::newRow("32") << &connectsAligned<32>;
    QTest::newRow("64") << &connectsAligned<64>;
}

void tst_QPoolSlots::alignment()
{
    using Function = bool (*)();
    QFETCH(Function, connects);
    const PoolSnapshot before = snapshot();
    QVERIFY(connects());
    QCOMPARE(snapshot().total("private").live, before.total("private").live);
}

namespace {

struct Refusal
{
};

// Throws when it is copied or moved for the last time that it allows.
template <std::size_t Alignment>
struct alignas(Alignment) Refusing : Functor
{
    Refusing() { ++instances; }
    Refusing(const Refusing &) : Functor()
    {
        if (--allowed < 0)
            throw Refusal();
        ++instances;
    }
    ~Refusing() { --instances; }

    static inline int allowed = 0;
    static inline int instances = 0;
};

template <std::size_t Alignment>
bool connectsRefusing(int allowed)
{
    Refusing<Alignment>::allowed = allowed;
    tst_QPoolSlots sender;
    try {
        QObject::connect(&sender, &tst_QPoolSlots::sent, Refusing<Alignment>());
    } catch (Refusal) {
        emit sender.sent();
        return false;
    }
    emit sender.sent();
    return true;
}

} // namespace

void tst_QPoolSlots::throwingFunctor_data()
{
    QTest::addColumn<bool (*)(int)>("connects");
    QTest::newRow("plain") << &connectsRefusing<8>;
    QTest::newRow("aligned to 64") << &connectsRefusing<64>;
}

// Wherever on its way into the slot object it throws, no memory is lost.
void tst_QPoolSlots::throwingFunctor()
{
    using Function = bool (*)(int);
    QFETCH(Function, connects);
    const ClassFigures before = privates();
    int refused = 0;
    while (!connects(refused)) {
        QCOMPARE(privates().live, before.live);
        QCOMPARE(Refusing<8>::instances + Refusing<64>::instances, 0);
        ++refused;
    }
    // The last of them is the one that is constructed inside of the slot object.
    QCOMPARE_GE(refused, 1);
    QCOMPARE(called, 1);
    QCOMPARE(privates().live, before.live);
    QCOMPARE(Refusing<8>::instances + Refusing<64>::instances, 0);
}

// That no template of Qt's uses, but that a class-level operator new would hide.
void tst_QPoolSlots::otherForms()
{
    const ClassFigures before = privates();
    using Type = SlotObject<Functor>;
    auto *nothrow = new (std::nothrow) Type(Functor());
    QVERIFY(isPooled(nothrow));
    QCOMPARE(privates() - before, live(1));
    void *arguments[] = { nullptr };
    nothrow->call(nullptr, arguments);
    QVERIFY(Functor::place >= nothrow && Functor::place < nothrow + 1);
    nothrow->destroyIfLastRef();
    QCOMPARE(privates() - before, madeAndFreed(1));

    alignas(Type) char place[sizeof(Type)];
    auto *placed = new (place) Type(Functor());
    QCOMPARE(static_cast<void *>(placed), static_cast<void *>(place));
    placed->~Type();
    QCOMPARE(privates() - before, madeAndFreed(1));

    using Aligned = SlotObject<Kept<8, 64>>;
    auto *aligned = new (std::nothrow) Aligned(Kept<8, 64>());
    QCOMPARE(reinterpret_cast<quintptr>(aligned) % 64, 0u);
    aligned->destroyIfLastRef();
    QCOMPARE(privates().live, before.live);
}

// The slot object outlives its connection until the call is over.
void tst_QPoolSlots::whileCalled()
{
    const ClassFigures before = privates();
    QMetaObject::Connection connection;
    int calls = 0;
    auto payload = std::make_shared<int>(7);
    const std::weak_ptr<int> watched = payload;
    connection = connect(this, &tst_QPoolSlots::sent, this, [&, payload = std::move(payload)] {
        disconnect(connection);
        connection = {};
        // Would take the chunk, were it free.
        for (int i = 0; i < 10; ++i)
            disconnect(connect(this, &tst_QPoolSlots::sent, this, [payload] { (void)payload; }));
        calls += *payload;
    });
    emit sent();
    emit sent();
    QCOMPARE(calls, 7);
    QVERIFY(watched.expired());
    QCOMPARE(privates().live, before.live);
}

constexpr int Count = 1000;

// Of a size class that nobody else has slot objects of.
using Wide = Kept<400, 1>;

static ClassFigures wide()
{
    return snapshot().figures("private", 448);
}

// Made here, freed there: home through the backlog.
void tst_QPoolSlots::disconnectedElsewhere()
{
    EventThread thread;
    std::vector<QMetaObject::Connection> connections;
    const ClassFigures before = wide();
    for (int i = 0; i < Count; ++i)
        connections.push_back(connect(this, &tst_QPoolSlots::sent, Wide()));
    QCOMPARE(wide() - before, live(Count));
    auto disconnectAll = [&] {
        for (const QMetaObject::Connection &connection : connections)
            disconnect(connection);
    };
    QMetaObject::invokeMethod(thread.receiver(), disconnectAll, Qt::QueuedConnection);
    thread.waitForIdle();
    emit sent();
    QCOMPARE(called, 0);
    QCOMPARE(wide() - before, (ClassFigures { Count, Count, Count, 0 }));
}

// The event that is on its way holds the slot object, and is the last to.
void tst_QPoolSlots::queuedAndDisconnected()
{
    EventThread thread;
    const ClassFigures before = wide();
    QSemaphore go;
    QMetaObject::invokeMethod(thread.receiver(), [&] { go.acquire(); }, Qt::QueuedConnection);
    for (int i = 0; i < Count; ++i) {
        const auto connection = connect(this, &tst_QPoolSlots::sent, thread.receiver(), Wide());
        emit sent();
        disconnect(connection);
    }
    QCOMPARE(wide() - before, live(Count));
    go.release();
    thread.waitForIdle();
    QCOMPARE(called, Count);
    QCOMPARE(wide() - before, (ClassFigures { Count, Count, Count, 0 }));
}

void tst_QPoolSlots::callsToElsewhere()
{
    EventThread thread;
    ClassFigures before = wide();
    QSemaphore go;
    QMetaObject::invokeMethod(thread.receiver(), [&] { go.acquire(); }, Qt::QueuedConnection);
    for (int i = 0; i < Count; ++i)
        QMetaObject::invokeMethod(thread.receiver(), Wide(), Qt::QueuedConnection);
    QCOMPARE(wide() - before, live(Count));
    go.release();
    thread.waitForIdle();
    QCOMPARE(called, Count);
    QCOMPARE(wide() - before, (ClassFigures { Count, Count, Count, 0 }));

    // Here it may be either that frees it.
    before = wide();
    for (int i = 0; i < 100; ++i)
        QMetaObject::invokeMethod(thread.receiver(), Wide(), Qt::BlockingQueuedConnection);
    thread.waitForIdle();
    QCOMPARE(called, Count + 100);
    const ClassFigures used = wide() - before;
    QCOMPARE(used.allocated, 100);
    QCOMPARE(used.live, 0);
}

QTEST_GUILESS_MAIN(tst_QPoolSlots)
#include "tst_qpoolslots.moc"
