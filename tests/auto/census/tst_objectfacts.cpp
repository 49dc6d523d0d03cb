// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "census/qpoolclassnames.h"
#include "qpoolobjectfacts.h"

#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <cstring>

#include <pthread.h>

using namespace QPool;
using Word = std::uintptr_t;

// The private members of objects: this process's own, whose Qt may be any that is known; and forged ones.
class tst_ObjectFacts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void readsAnObject();
    void findsAnObjectByItsPrivatePart();
    void takesNoPrivatePartForAnObject();
    void findsAnObjectWhoseThreadIsDeleted();
    void readsNames_data();
    void readsNames();
    void countsConnections();
    void forgetsConnectionsThatAreGone();
    void seesDeleteLater();
    void knowsTheThread();
    void readsChildrenInOrder();
    void refusesOtherVersions_data();
    void refusesOtherVersions();
    void leavesListsWithoutAnEnd();
    void survivesAnyPointer();

private:
    ObjectFacts::Object read(QObject *object)
    {
        ObjectFacts::Object result;
        return m_facts.read(Word(object), &result) ? result : ObjectFacts::Object();
    }

    ProcessMemory m_memory { 0 };
    ObjectLayout m_layout;
    ObjectFacts m_facts { m_memory, m_layout };
};

void tst_ObjectFacts::initTestCase()
{
    Mappings mappings;
    std::string message;
    QVERIFY(mappings.read(m_memory));
    QVERIFY2(m_layout.read(m_memory, mappings, &message), message.c_str());
    QVERIFY(QByteArray(qVersion()) == QByteArray::number(m_layout.version >> 16) + '.'
            + QByteArray::number(m_layout.version >> 8 & 0xff) + '.' + QByteArray::number(m_layout.version & 0xff));
}

void tst_ObjectFacts::readsAnObject()
{
    QObject parent;
    auto *timer = new QTimer(&parent);
    const auto object = read(timer);
    QCOMPARE(object.address, Word(timer));
    QCOMPARE(object.parent, Word(&parent));
    QCOMPARE(object.children, std::uint64_t(0));
    QVERIFY(!object.deleteLater);
    QCOMPARE(read(&parent).parent, Word(0));
    QCOMPARE(read(&parent).children, std::uint64_t(1));
}

void tst_ObjectFacts::findsAnObjectByItsPrivatePart()
{
    QTimer timer;
    Word part = 0;
    std::memcpy(&part, reinterpret_cast<const char *>(&timer) + ObjectLayout::Private, sizeof(part));
    QCOMPARE(m_facts.ofPrivate(part, Word(&timer)), Word(&timer));
    QCOMPARE(m_facts.ofPrivate(part + 8, Word(&timer)), Word(0));
    QCOMPARE(m_facts.ofPrivate(part, Word(&timer) + 1), Word(0));
}

void tst_ObjectFacts::takesNoPrivatePartForAnObject()
{
    QTimer timer;
    Word part = 0;
    std::memcpy(&part, reinterpret_cast<const char *>(&timer) + ObjectLayout::Private, sizeof(part));
    ObjectFacts::Object object;
    QVERIFY(!m_facts.read(part, &object));
}

void tst_ObjectFacts::findsAnObjectWhoseThreadIsDeleted()
{
    QObject object;
    {
        QThread thread;
        object.moveToThread(&thread);
    }
    QCOMPARE(read(&object).address, Word(&object));
    QCOMPARE(m_facts.threadOf(read(&object)).object, Word(0));
}

void tst_ObjectFacts::readsNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("none") << QString() << QByteArray();
    QTest::newRow("plain") << QStringLiteral("reply-timeout") << QByteArray("reply-timeout");
    QTest::newRow("umlaut") << QString::fromUtf8("Gr\u00fc\u00dfe \u4e16") << QByteArray("Gr\u00fc\u00dfe \u4e16");
    QTest::newRow("pair") << QString::fromUtf8("\U0001F600") << QByteArray("\U0001F600");
    QTest::newRow("half a pair") << QString(QChar(0xd83d)) << QByteArray("\\xed\\xa0\\xbd");
    QTest::newRow("control") << QStringLiteral("a\n\x1b[0m") << QByteArray("a\\x0a\\x1b[0m");
    QTest::newRow("long") << QString(100000, QLatin1Char('n')) << QByteArray(99, 'n') + "\u2026";
}

void tst_ObjectFacts::readsNames()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, shown);
    QObject object;
    object.setObjectName(name);
    QCOMPARE(QByteArray::fromStdString(m_facts.nameOf(read(&object))), shown);
}

void tst_ObjectFacts::countsConnections()
{
    QTimer sender;
    QObject receiver;
    QCOMPARE(m_facts.outgoing(read(&sender)), size_t(0));
    for (int i = 0; i < 5; ++i)
        connect(&sender, &QTimer::timeout, &receiver, [] { });
    connect(&sender, &QObject::destroyed, &receiver, [] { });
    connect(&receiver, &QObject::objectNameChanged, &sender, &QTimer::stop);
    QCOMPARE(m_facts.outgoing(read(&sender)), size_t(6));
    QCOMPARE(m_facts.incoming(read(&sender)), size_t(1));
    QCOMPARE(m_facts.outgoing(read(&receiver)), size_t(1));
    QCOMPARE(m_facts.incoming(read(&receiver)), size_t(6));
}

void tst_ObjectFacts::forgetsConnectionsThatAreGone()
{
    QTimer sender;
    {
        QObject receiver;
        connect(&sender, &QTimer::timeout, &receiver, [] { });
        QObject::disconnect(connect(&sender, &QTimer::timeout, this, [] { }));
        QCOMPARE(m_facts.outgoing(read(&sender)), size_t(1));
    }
    QCOMPARE(m_facts.outgoing(read(&sender)), size_t(0));
}

void tst_ObjectFacts::seesDeleteLater()
{
    auto *object = new QObject;
    QVERIFY(!read(object).deleteLater);
    object->deleteLater();
    QVERIFY(read(object).deleteLater);
    QCoreApplication::sendPostedEvents(object, QEvent::DeferredDelete);
}

void tst_ObjectFacts::knowsTheThread()
{
    QObject object;
    const auto thread = m_facts.threadOf(read(&object));
    QCOMPARE(thread.object, Word(QThread::currentThread()));
    QCOMPARE(thread.id, Word(pthread_self()));
    QThread other;
    object.moveToThread(&other);
    QCOMPARE(m_facts.threadOf(read(&object)).object, Word(&other));
    QCOMPARE(m_facts.threadOf(read(&object)).id, Word(0));
}

void tst_ObjectFacts::readsChildrenInOrder()
{
    QObject parent;
    std::vector<Word> children;
    for (int i = 0; i < 100; ++i)
        children.push_back(Word(new QObject(&parent)));
    QVERIFY(m_facts.childrenOf(read(&parent)) == children);
    delete reinterpret_cast<QObject *>(children.front());
    children.erase(children.begin());
    QVERIFY(m_facts.childrenOf(read(&parent)) == children);
}

void tst_ObjectFacts::refusesOtherVersions_data()
{
    QTest::addColumn<quint32>("hooks");
    QTest::addColumn<quint32>("version");
    QTest::addColumn<quint32>("types");
    QTest::newRow("older") << 3u << 0x060400u << 22u;
    QTest::newRow("newer") << 3u << 0x060c00u << 22u;
    QTest::newRow("between") << 3u << 0x060801u << 22u;
    QTest::newRow("other types") << 3u << 0x060402u << 23u;
    QTest::newRow("other table") << 4u << 0x060402u << 22u;
}

void tst_ObjectFacts::refusesOtherVersions()
{
    QFETCH(quint32, hooks);
    QFETCH(quint32, version);
    QFETCH(quint32, types);
    ObjectLayout layout;
    std::string message;
    QVERIFY(!layout.setVersion(hooks, version, types, &message));
    QVERIFY2(message.find("known of Qt 6.4.2, 6.8.2, 6.11.2") != std::string::npos, message.c_str());
    QCOMPARE(layout.version, 0u);
    for (quint32 known : { 0x060402u, 0x060802u, 0x060b02u })
        QVERIFY(layout.setVersion(3, known, 22, &message));
}

namespace {

// Memory in which each word has the same value, wherever it is.
struct Uniform final : ReadableMemory
{
    Word word = 0;
    std::size_t readSome(Word, void *to, std::size_t bytes) const noexcept override
    {
        for (std::size_t i = 0; i < bytes; ++i)
            static_cast<char *>(to)[i] = reinterpret_cast<const char *>(&word)[i % sizeof(word)];
        return bytes;
    }
};

} // namespace

void tst_ObjectFacts::leavesListsWithoutAnEnd()
{
    // All words lead to the same object, which is its own parent, child, sender and receiver.
    Uniform memory;
    memory.word = 0x1000;
    const ObjectFacts facts(memory, m_layout);
    ObjectFacts::Object object;
    QVERIFY(facts.read(0x1000, &object));
    QCOMPARE(object.parent, Word(0x1000));
    QCOMPARE(facts.incoming(object), ObjectFacts::MostConnections);
    QCOMPARE(facts.outgoing(object), ObjectFacts::MostConnections);
    QCOMPARE(facts.childrenOf(object).size(), size_t(0x1000));
    QVERIFY(facts.nameOf(object).size() < 1000);
}

void tst_ObjectFacts::survivesAnyPointer()
{
    for (Word word : { Word(0), Word(1), Word(8), ~Word(0), ~Word(7), Word(1) << 63, Word(1) << 47 }) {
        Uniform memory;
        memory.word = word;
        const ObjectFacts facts(memory, m_layout);
        ObjectFacts::Object object;
        if (facts.read(word, &object)) {
            QVERIFY(facts.childrenOf(object).size() <= ObjectFacts::MostChildren);
            QVERIFY(facts.nameOf(object).size() < 1000);
            QVERIFY(facts.incoming(object) + facts.outgoing(object) <= 2 * ObjectFacts::MostConnections);
            facts.threadOf(object);
        }
        // The process's own memory refuses what is not mapped.
        if (word != 0)
            QVERIFY(!m_facts.read(word, &object));
    }
}

QTEST_GUILESS_MAIN(tst_ObjectFacts)
#include "tst_objectfacts.moc"
