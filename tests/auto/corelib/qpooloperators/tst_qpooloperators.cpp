// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <limits>
#include <memory>

// The forms of operator new and delete at class scope, called by name. tst_qpoolnewexpressions
// tests how new expressions use them.
class tst_QPoolOperators : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void picksTheSmallestFittingClass_data();
    void picksTheSmallestFittingClass();
    void allFormsFreeWhatTheyAllocate_data();
    void allFormsFreeWhatTheyAllocate();
    void deletingNullDoesNothing();
    void throwsOrReturnsNullWithoutMemory();
    void classesKeepTheirSizes();
};

namespace {

bool isAligned(const void *pointer, std::size_t alignment)
{
    return reinterpret_cast<quintptr>(pointer) % alignment == 0;
}

// One form of operator new with the matching operator delete, as functions.
struct Form
{
    void *(*allocate)(std::size_t size);
    void (*deallocate)(void *pointer, std::size_t size);
};

constexpr auto Alignment = std::align_val_t(64);

template <class Class>
void addForms(const char *domain)
{
    const Form plain = { [](std::size_t size) { return Class::operator new(size); },
                         [](void *p, std::size_t size) { Class::operator delete(p, size); } };
    const Form nothrow = {
        [](std::size_t size) { return Class::operator new(size, std::nothrow); },
        [](void *p, std::size_t) { Class::operator delete(p, std::nothrow); }
    };
    const Form aligned = {
        [](std::size_t size) { return Class::operator new(size, Alignment); },
        [](void *p, std::size_t) { Class::operator delete(p, Alignment); }
    };
    const Form alignedNothrow = {
        [](std::size_t size) { return Class::operator new(size, Alignment, std::nothrow); },
        [](void *p, std::size_t) { Class::operator delete(p, Alignment, std::nothrow); }
    };
    QTest::addRow("%s, plain", domain) << domain << plain;
    QTest::addRow("%s, nothrow", domain) << domain << nothrow;
    QTest::addRow("%s, aligned", domain) << domain << aligned;
    QTest::addRow("%s, aligned nothrow", domain) << domain << alignedNothrow;
}

} // namespace

Q_DECLARE_METATYPE(Form)

void tst_QPoolOperators::initTestCase()
{
    QVERIFY(snapshot().isEnabled());
}

void tst_QPoolOperators::picksTheSmallestFittingClass_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("sizeClass"); // 0: the heap

    const std::pair<int, int> rows[] = {
        { 16, 16 }, { 17, 24 }, { 24, 24 }, { 32, 32 }, { 121, 128 }, { 128, 128 },
        { 129, 160 }, { 160, 160 }, { 161, 192 }, { 256, 256 }, { 257, 320 }, { 512, 512 },
        { 513, 640 }, { 1000, 1024 }, { 1024, 1024 }, { 1025, 0 }, { 1 << 20, 0 },
    };
    for (const auto &[size, sizeClass] : rows)
        QTest::addRow("%d", size) << size << sizeClass;
}

void tst_QPoolOperators::picksTheSmallestFittingClass()
{
    QFETCH(int, size);
    QFETCH(int, sizeClass);

    const PoolSnapshot before = snapshot();
    void *pointer = QEvent::operator new(std::size_t(size));
    memset(pointer, 0xa5, std::size_t(size));
    const PoolSnapshot between = snapshot();
    QCOMPARE(isPooled(pointer), sizeClass != 0);
    QEvent::operator delete(pointer, std::size_t(size));
    const PoolSnapshot after = snapshot();

    const ClassStatistics none;
    const ClassStatistics one = { 1, 0, 0, 1 };
    QCOMPARE(between.total("event") - before.total("event"), sizeClass ? one : none);
    if (sizeClass) {
        QCOMPARE(between.statistics("event", sizeClass) - before.statistics("event", sizeClass),
                 one);
        QCOMPARE(after.statistics("event", sizeClass) - between.statistics("event", sizeClass),
                 (ClassStatistics { 0, 1, 0, -1 }));
    }
    QCOMPARE(after.total("event").live, before.total("event").live);
}

void tst_QPoolOperators::allFormsFreeWhatTheyAllocate_data()
{
    QTest::addColumn<QString>("domain");
    QTest::addColumn<Form>("form");

    addForms<QEvent>("event");
    addForms<QObject>("object");
    addForms<QObjectData>("private");
}

void tst_QPoolOperators::allFormsFreeWhatTheyAllocate()
{
    QFETCH(QString, domain);
    QFETCH(Form, form);

    constexpr std::size_t size = 192;
    const ClassStatistics before = snapshot().statistics(domain, size);
    void *first = form.allocate(size);
    void *second = form.allocate(size);
    QVERIFY(first && second && first != second);
    QVERIFY(isPooled(first) && isPooled(second));
    memset(first, 0x11, size);
    memset(second, 0x22, size);
    QVERIFY(isAligned(first, 64) && isAligned(second, 64)); // by its size alone
    QCOMPARE(snapshot().statistics(domain, size) - before, (ClassStatistics { 2, 0, 0, 2 }));
    form.deallocate(first, size);
    form.deallocate(second, size);
    QCOMPARE(snapshot().statistics(domain, size) - before, (ClassStatistics { 2, 2, 0, 0 }));

    // No class of this size is aligned so; the heap's aligned form must get it back.
    constexpr std::size_t awkward = 72;
    void *third = form.allocate(awkward);
    QVERIFY(third);
    memset(third, 0x33, awkward);
    form.deallocate(third, awkward);

    constexpr std::size_t large = 5000;
    void *fourth = form.allocate(large);
    QVERIFY(fourth && !isPooled(fourth));
    memset(fourth, 0x44, large);
    form.deallocate(fourth, large);
    QCOMPARE(snapshot().total(domain).live, snapshot().total(domain).allocated
                                                    - snapshot().total(domain).freed);
}

void tst_QPoolOperators::deletingNullDoesNothing()
{
    const PoolSnapshot before = snapshot();
    delete static_cast<QEvent *>(nullptr);
    delete static_cast<QObject *>(nullptr);
    QEvent::operator delete(nullptr, sizeof(QEvent));
    QObject::operator delete(nullptr, std::nothrow);
    QCOMPARE(snapshot().total("event"), before.total("event"));
    QCOMPARE(snapshot().total("object"), before.total("object"));
}

void tst_QPoolOperators::throwsOrReturnsNullWithoutMemory()
{
    volatile std::size_t tooMuch = std::numeric_limits<std::size_t>::max() / 4;
    const PoolSnapshot before = snapshot();
    QVERIFY_EXCEPTION_THROWN(QEvent::operator new(tooMuch), std::bad_alloc);
    QVERIFY_EXCEPTION_THROWN(QObject::operator new(tooMuch, Alignment), std::bad_alloc);
    QVERIFY(!QEvent::operator new(tooMuch, std::nothrow));
    QVERIFY(!QObject::operator new(tooMuch, Alignment, std::nothrow));
    QCOMPARE(snapshot().total("event"), before.total("event"));
    QCOMPARE(snapshot().total("object"), before.total("object"));
}

void tst_QPoolOperators::classesKeepTheirSizes()
{
    // As in every distribution's Qt 6. The private class is measured by tst_dropin, which is
    // built against the distribution's headers.
    if (sizeof(void *) != 8)
        QSKIP("The statistics are those of 64-bit systems.");
    QCOMPARE(sizeof(QEvent), std::size_t(16));
    QCOMPARE(sizeof(QObject), std::size_t(16));
    QCOMPARE(alignof(QEvent), alignof(void *));
    QCOMPARE(alignof(QObject), alignof(void *));

    const ClassStatistics before = snapshot().statistics("event", 16);
    std::unique_ptr<QEvent> event(new QEvent(QEvent::User));
    QCOMPARE(snapshot().statistics("event", 16) - before, (ClassStatistics { 1, 0, 0, 1 }));
}

QTEST_GUILESS_MAIN(tst_QPoolOperators)
#include "tst_qpooloperators.moc"
