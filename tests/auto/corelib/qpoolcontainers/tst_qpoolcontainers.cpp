// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QHash>
#include <QtCore/QMap>
#include <QtCore/QVarLengthArray>
#include <QtCore/QVariant>

#include <any>
#include <deque>
#include <list>
#include <optional>
#include <variant>
#include <vector>

// Containers construct their elements in their own memory, with the placement form of the element's
// class.
class tst_QPoolContainers : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();

    void qtContainersUseTheirOwnMemory();
    void standardContainersLoseNoMemory();
    void variantsLoseNoMemory();

private:
    void compareLive(const PoolSnapshot &before);
};

namespace {

int instances = 0;

// A value as programs keep them in containers, and an event.
struct ValueEvent : QEvent
{
    explicit ValueEvent(int value = 0) : QEvent(QEvent::User), value(value) { ++instances; }
    ValueEvent(const ValueEvent &other) : QEvent(other), value(other.value) { ++instances; }
    ValueEvent &operator=(const ValueEvent &other) = default;
    ~ValueEvent() override { --instances; }

    int value;
    friend bool operator==(const ValueEvent &a, const ValueEvent &b) { return a.value == b.value; }
};

} // namespace

Q_DECLARE_METATYPE(ValueEvent)

void tst_QPoolContainers::cleanup()
{
    QCOMPARE(instances, 0);
}

void tst_QPoolContainers::compareLive(const PoolSnapshot &before)
{
    const PoolSnapshot after = snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(after.total(domain).live, before.total(domain).live);
}

template <class Container>
int sumOf(const Container &container)
{
    int sum = 0;
    for (const ValueEvent &event : container)
        sum += event.value;
    return sum;
}

void tst_QPoolContainers::qtContainersUseTheirOwnMemory()
{
    const PoolSnapshot before = snapshot();
    {
        QList<ValueEvent> list;
        QVarLengthArray<ValueEvent, 4> array;
        QHash<int, ValueEvent> hash;
        QMap<int, ValueEvent> map;
        for (int i = 0; i < 100; ++i) {
            list.append(ValueEvent(i));
            list.emplaceFront(i);
            array.append(ValueEvent(i));
            hash.insert(i, ValueEvent(i));
            map.insert(i, ValueEvent(i));
        }
        list.removeFirst();
        list.detach();
        QCOMPARE(sumOf(list), 2 * 4950 - 99);
        QCOMPARE(sumOf(array), 4950);
        QCOMPARE(sumOf(hash), 4950);
        QCOMPARE(sumOf(map), 4950);
        QCOMPARE(snapshot().total("event").live, before.total("event").live);
    }
    compareLive(before);
}

void tst_QPoolContainers::standardContainersLoseNoMemory()
{
    const PoolSnapshot before = snapshot();
    {
        std::vector<ValueEvent> vector(50, ValueEvent(1));
        vector.emplace_back(2);
        std::deque<ValueEvent> deque(50, ValueEvent(1));
        std::list<ValueEvent> list(50, ValueEvent(1));
        std::optional<ValueEvent> optional(std::in_place, 3);
        std::variant<int, ValueEvent> variant(std::in_place_type<ValueEvent>, 4);
        std::any any = ValueEvent(5);
        QCOMPARE(sumOf(vector), 52);
        QCOMPARE(sumOf(deque) + sumOf(list), 100);
        QCOMPARE(optional->value, 3);
        QCOMPARE(std::get<ValueEvent>(variant).value, 4);
        QCOMPARE(std::any_cast<ValueEvent>(any).value, 5);
    }
    compareLive(before);
}

void tst_QPoolContainers::variantsLoseNoMemory()
{
    const PoolSnapshot before = snapshot();
    {
        QVariant variant = QVariant::fromValue(ValueEvent(6));
        QVariant copy = variant;
        copy.detach();
        QCOMPARE(copy.value<ValueEvent>().value, 6);
    }
    compareLive(before);
}

QTEST_GUILESS_MAIN(tst_QPoolContainers)
#include "tst_qpoolcontainers.moc"
