// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QMetaType>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <atomic>
#include <cstdlib>
#include <new>

// A program whose operators count: each block has a header. QtCore finds its objects inside blocks of the pool's heap,
// but must leave them to the program's operator delete.

namespace {

constexpr std::size_t HeaderBytes = 16;
constexpr int Many = 1000;

std::atomic<int> blocks { 0 };

} // namespace

void *operator new(std::size_t size)
{
    auto *block = static_cast<char *>(std::malloc(HeaderBytes + size));
    if (!block)
        throw std::bad_alloc();
    ++blocks;
    return block + HeaderBytes;
}

void operator delete(void *pointer) noexcept
{
    if (!pointer)
        return;
    --blocks;
    std::free(static_cast<char *>(pointer) - HeaderBytes);
}

void operator delete(void *pointer, std::size_t) noexcept { operator delete(pointer); }

class tst_WholeOwnHeap : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void events();
    void objects();
    void deleteLater();
    void metaTypes();
    void heapStaysWhole();

private:
    // The number of the program's blocks that \a work leaves.
    template <class Work>
    static int left(Work work)
    {
        work(); // what is made once
        const int before = blocks;
        for (int i = 0; i < Many; ++i)
            work();
        return blocks - before;
    }
};

void tst_WholeOwnHeap::initTestCase()
{
    if (!qEnvironmentVariableIsSet("LD_PRELOAD"))
        QSKIP("There is no malloc front that goes with this QtCore, or this was not run by ctest.");
    QVERIFY2(Pool::snapshot().total("heap").live > 0, "the malloc front is not in the process");
}

void tst_WholeOwnHeap::events()
{
    QCOMPARE(left([this] {
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
        QCoreApplication::sendPostedEvents(this);
    }), 0);
}

// The destructor that frees a QObject or QTimer is QtCore's.
void tst_WholeOwnHeap::objects()
{
    QCOMPARE(left([] {
        delete new QObject;
        delete static_cast<QObject *>(new QTimer);
    }), 0);
}

void tst_WholeOwnHeap::deleteLater()
{
    QCOMPARE(left([] {
        (new QObject)->deleteLater();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }), 0);
}

void tst_WholeOwnHeap::metaTypes()
{
    const QMetaType type = QMetaType::fromType<QString>();
    void *const text = type.create();
    QVERIFY(!Pool::owns(text));
    type.destroy(text);
    QCOMPARE(left([type] { type.destroy(type.create()); }), 0);
}

// What was freed before is used again, by others.
void tst_WholeOwnHeap::heapStaysWhole()
{
    QObject parent;
    QList<QByteArray> texts;
    for (int i = 0; i < Many; ++i) {
        (new QObject(&parent))->setObjectName(QString::number(i));
        texts.append(QByteArray(i % 100, char('a' + i % 26)));
    }
    for (int i = 0; i < Many; ++i) {
        QCOMPARE(parent.children().at(i)->objectName(), QString::number(i));
        QCOMPARE(texts.at(i), QByteArray(i % 100, char('a' + i % 26)));
    }
}

QTEST_GUILESS_MAIN(tst_WholeOwnHeap)
#include "tst_wholeownheap.moc"
