// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <memory>
#include <vector>

// New and delete expressions: which form the compiler picks for them, and what becomes of the
// memory.
class tst_QPoolNewExpressions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void nothrowFormUsesThePool();
    void placementFormUsesTheGivenMemory();
    void alignsOverAlignedClasses_data();
    void alignsOverAlignedClasses();
    void arraysStayGlobal();
    void throwingConstructorsLoseNothing_data();
    void throwingConstructorsLoseNothing();
    void ownOperatorsTakePrecedence();
};

namespace {

// QObjectPrivate's own base class; a program rarely derives from it.
struct Data : QObjectData
{
};

struct BasicEvent : QEvent
{
    BasicEvent() : QEvent(QEvent::User) { }
};

template <class Base, std::size_t Alignment>
struct alignas(Alignment) Aligned : Base
{
    char payload[40] = {};
};

bool isAligned(const void *pointer, std::size_t alignment)
{
    return reinterpret_cast<quintptr>(pointer) % alignment == 0;
}

} // namespace

void tst_QPoolNewExpressions::initTestCase()
{
    QVERIFY(snapshot().isEnabled());
}

void tst_QPoolNewExpressions::nothrowFormUsesThePool()
{
    const ClassStatistics before = snapshot().statistics("event", 256);
    auto *event = new (std::nothrow) SizedEvent<256>;
    QVERIFY(isPooled(event));
    delete event;
    QCOMPARE(snapshot().statistics("event", 256) - before, (ClassStatistics { 1, 1, 0, 0 }));
}

void tst_QPoolNewExpressions::placementFormUsesTheGivenMemory()
{
    const PoolSnapshot before = snapshot();

    alignas(BasicEvent) char eventPlace[sizeof(BasicEvent)];
    QEvent *event = new (eventPlace) BasicEvent;
    QCOMPARE(static_cast<void *>(event), static_cast<void *>(eventPlace));
    event->~QEvent();

    alignas(QObject) char objectPlace[sizeof(QObject)];
    QObject *object = new (objectPlace) QObject;
    QCOMPARE(static_cast<void *>(object), static_cast<void *>(objectPlace));
    object->setObjectName("placed");
    object->~QObject();

    const PoolSnapshot after = snapshot();
    QCOMPARE(after.total("event"), before.total("event"));
    QCOMPARE(after.total("object"), before.total("object"));
    QCOMPARE(after.total("private") - before.total("private"), (ClassStatistics { 1, 1, 0, 0 }));
}

template <class Base, std::size_t Alignment>
bool createsAligned()
{
    using Type = Aligned<Base, Alignment>;
    std::vector<std::unique_ptr<Base>> kept;
    bool ok = alignof(Type) == Alignment;
    for (int i = 0; i < 100; ++i) {
        kept.emplace_back(new Type);
        kept.emplace_back(new (std::nothrow) Type);
        ok = ok && isAligned(kept[kept.size() - 2].get(), Alignment)
                && isAligned(kept.back().get(), Alignment);
    }
    return ok; // and all are deleted through their base
}

void tst_QPoolNewExpressions::alignsOverAlignedClasses_data()
{
    QTest::addColumn<bool (*)()>("test");

    QTest::newRow("event, 16") << &createsAligned<BasicEvent, 16>;
    QTest::newRow("event, 32") << &createsAligned<BasicEvent, 32>;
    QTest::newRow("event, 64") << &createsAligned<BasicEvent, 64>;
    QTest::newRow("event, 128") << &createsAligned<BasicEvent, 128>;
    QTest::newRow("event, 4096") << &createsAligned<BasicEvent, 4096>;
    QTest::newRow("object, 16") << &createsAligned<QObject, 16>;
    QTest::newRow("object, 32") << &createsAligned<QObject, 32>;
    QTest::newRow("object, 64") << &createsAligned<QObject, 64>;
    QTest::newRow("object, 128") << &createsAligned<QObject, 128>;
    QTest::newRow("object, 4096") << &createsAligned<QObject, 4096>;
    QTest::newRow("private, 64") << &createsAligned<Data, 64>;
}

void tst_QPoolNewExpressions::alignsOverAlignedClasses()
{
    using Function = bool (*)();
    QFETCH(Function, test);

    const PoolSnapshot before = snapshot();
    QVERIFY(test());
    const PoolSnapshot after = snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(after.total(domain).live, before.total(domain).live);
}

void tst_QPoolNewExpressions::arraysStayGlobal()
{
    const PoolSnapshot before = snapshot();
    std::unique_ptr<BasicEvent[]> events(new BasicEvent[7]);
    std::unique_ptr<QObject[]> objects(new QObject[7]);
    QVERIFY(!isPooled(events.get()));
    QVERIFY(!isPooled(objects.get()));
    const PoolSnapshot after = snapshot();
    QCOMPARE(after.total("event"), before.total("event"));
    QCOMPARE(after.total("object"), before.total("object"));
    QCOMPARE(after.total("private").live, before.total("private").live + 7);
}

namespace {

struct Refusal
{
};

template <class Base, std::size_t Alignment>
struct alignas(Alignment) Refusing : Base
{
    [[noreturn]] Refusing() { throw Refusal(); }
};

using Attempt = void (*)();

template <class Type>
void addRefusals(const char *domain, const char *name)
{
    const Attempt plain = [] { delete new Type; };
    const Attempt nothrow = [] { delete new (std::nothrow) Type; };
    const Attempt placed = [] {
        alignas(Type) char place[sizeof(Type)];
        new (place) Type;
    };
    QTest::addRow("%s, plain", name) << domain << plain << 1;
    QTest::addRow("%s, nothrow", name) << domain << nothrow << 1;
    QTest::addRow("%s, placement", name) << domain << placed << 0;
}

} // namespace

void tst_QPoolNewExpressions::throwingConstructorsLoseNothing_data()
{
    QTest::addColumn<QString>("domain");
    QTest::addColumn<Attempt>("attempt");
    QTest::addColumn<int>("chunks");

    addRefusals<Refusing<BasicEvent, 8>>("event", "event");
    addRefusals<Refusing<BasicEvent, 64>>("event", "event aligned to 64");
    addRefusals<Refusing<QObject, 8>>("object", "object");
    addRefusals<Refusing<QObject, 64>>("object", "object aligned to 64");
    addRefusals<Refusing<Data, 8>>("private", "private");
}

void tst_QPoolNewExpressions::throwingConstructorsLoseNothing()
{
    QFETCH(QString, domain);
    QFETCH(Attempt, attempt);
    QFETCH(int, chunks);

    const PoolSnapshot before = snapshot();
    QVERIFY_EXCEPTION_THROWN(attempt(), Refusal);
    const PoolSnapshot after = snapshot();
    QCOMPARE(after.total(domain) - before.total(domain),
             (ClassStatistics { chunks, chunks, 0, 0 }));
    QCOMPARE(after.total("private").live, before.total("private").live);
}

namespace {

int ownAllocations = 0;

template <class Base>
struct SelfMade : Base
{
    static void *operator new(std::size_t size)
    {
        ++ownAllocations;
        return malloc(size);
    }
    static void operator delete(void *pointer)
    {
        --ownAllocations;
        free(pointer);
    }
};

} // namespace

void tst_QPoolNewExpressions::ownOperatorsTakePrecedence()
{
    const PoolSnapshot before = snapshot();
    QEvent *event = new SelfMade<BasicEvent>;
    QObject *object = new SelfMade<QObject>;
    QCOMPARE(ownAllocations, 2);
    QVERIFY(!isPooled(event) && !isPooled(object));
    delete event;
    delete object;
    QCOMPARE(ownAllocations, 0);
    QCOMPARE(snapshot().total("event"), before.total("event"));
    QCOMPARE(snapshot().total("object"), before.total("object"));
}

QTEST_GUILESS_MAIN(tst_QPoolNewExpressions)
#include "tst_qpoolnewexpressions.moc"
