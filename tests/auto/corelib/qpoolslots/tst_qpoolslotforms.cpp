// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "slots.h"

// Which memory the slot objects of functors of all kinds get, and that none of it is lost.
class tst_QPoolSlotForms : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(snapshot().isEnabled()); }
    void cleanup() { forgetCalls(); }

    void poolsFunctorsUpToTheLargestClass_data();
    void poolsFunctorsUpToTheLargestClass();
    void alignsOverAlignedFunctors_data();
    void alignsOverAlignedFunctors();
    void throwingFunctorsLoseNothing_data();
    void throwingFunctorsLoseNothing();
    void nothrowAndPlacementFormsWork();
};

template <std::size_t Size>
bool connectsSized(bool pooled)
{
    const PoolSnapshot before = snapshot();
    using Sized = Kept<Size, 1>;
    Sender sender;
    QObject::connect(&sender, &Sender::sent, Sized());
    emit sender.sent();
    return isPooled(Functor::place) == pooled
           && snapshot().total("private").live == before.total("private").live + 2 + pooled;
}

void tst_QPoolSlotForms::poolsFunctorsUpToTheLargestClass_data()
{
    QTest::addColumn<bool (*)(bool)>("connects");
    QTest::addColumn<bool>("pooled");
    QTest::newRow("1") << &connectsSized<1> << true;
    QTest::newRow("100") << &connectsSized<100> << true;
    constexpr std::size_t largest = 1024 - sizeof(QtPrivate::QSlotObjectBase);
    QTest::newRow("the largest") << &connectsSized<largest> << true;
    QTest::newRow("larger") << &connectsSized<largest + 1> << false;
    QTest::newRow("much larger") << &connectsSized<100000> << false;
}

void tst_QPoolSlotForms::poolsFunctorsUpToTheLargestClass()
{
    using Function = bool (*)(bool);
    QFETCH(Function, connects);
    QFETCH(bool, pooled);
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 100; ++i)
        QVERIFY(connects(pooled));
    QCOMPARE(Sender::called, 100);
    QCOMPARE(snapshot().total("private").live, before.total("private").live);
}

template <std::size_t Alignment>
bool connectsAligned()
{
    Sender sender;
    bool ok = true;
    for (int i = 0; i < 20; ++i) {
        const auto connection = QObject::connect(&sender, &Sender::sent, Kept<40, Alignment>());
        emit sender.sent();
        ok = ok && reinterpret_cast<quintptr>(Functor::place) % Alignment == 0;
        if (i % 2)
            QObject::disconnect(connection);
    }
    return ok;
}

void tst_QPoolSlotForms::alignsOverAlignedFunctors_data()
{
    QTest::addColumn<bool (*)()>("connects");
    QTest::newRow("16") << &connectsAligned<16>;
    QTest::newRow("32") << &connectsAligned<32>;
    QTest::newRow("64") << &connectsAligned<64>;
}

void tst_QPoolSlotForms::alignsOverAlignedFunctors()
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
    Refusing(const Refusing &)
        : Functor()
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
    Sender sender;
    try {
        QObject::connect(&sender, &Sender::sent, Refusing<Alignment>());
    } catch (Refusal) {
        emit sender.sent();
        return false;
    }
    emit sender.sent();
    return true;
}

} // namespace

void tst_QPoolSlotForms::throwingFunctorsLoseNothing_data()
{
    QTest::addColumn<bool (*)(int)>("connects");
    QTest::newRow("plain") << &connectsRefusing<8>;
    QTest::newRow("aligned to 64") << &connectsRefusing<64>;
}

// Wherever on its way into the slot object it throws, no memory is lost.
void tst_QPoolSlotForms::throwingFunctorsLoseNothing()
{
    using Function = bool (*)(int);
    QFETCH(Function, connects);
    const ClassStatistics before = privates();
    int refused = 0;
    while (!connects(refused)) {
        QCOMPARE(privates().live, before.live);
        QCOMPARE(Refusing<8>::instances + Refusing<64>::instances, 0);
        ++refused;
    }
    // The last of them is the one that is constructed inside of the slot object.
    QCOMPARE_GE(refused, 1);
    QCOMPARE(Sender::called, 1);
    QCOMPARE(privates().live, before.live);
    QCOMPARE(Refusing<8>::instances + Refusing<64>::instances, 0);
}

#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
template <class Type>
using SlotObject = QtPrivate::QCallableObject<Type, QtPrivate::List<>, void>;
#else
template <class Type>
using SlotObject = QtPrivate::QFunctorSlotObject<Type, 0, QtPrivate::List<>, void>;
#endif

// A form that no template of Qt uses, but that a class-level operator new would hide.
void tst_QPoolSlotForms::nothrowAndPlacementFormsWork()
{
    const ClassStatistics before = privates();
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

QTEST_GUILESS_MAIN(tst_QPoolSlotForms)
#include "tst_qpoolslotforms.moc"
