// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOBJECTWORDS_H
#define QPOOLOBJECTWORDS_H

#include "qpoolobjectcensus.h"

#include <qpoolstatisticsnumber.h>

// An ObjectCensus in words for people. Users also link to QPool::Statistics.
namespace QPool {
namespace ObjectWords {

using namespace Qt::StringLiterals;

inline QString addressOf(std::uintptr_t address)
{
    return u"0x"_s + QString::number(quint64(address), 16);
}

// An objectName behind what has it, if it has one.
inline QString quoted(const std::string &name)
{
    return name.empty() ? QString() : u" \""_s + QString::fromStdString(name) + u'"';
}

inline QString titleOf(const ObjectCensus::Thread &thread)
{
    return (thread.id ? u"thread %1"_s.arg(thread.id) : u"a thread that does not run"_s) + quoted(thread.name);
}

// Where as many objects as parent.objects are.
inline QString titleOf(const ObjectCensus::Parent &parent)
{
    return u"in %1 of class %2; most, %3, in %4%5"_s.arg(
            QPoolStatistics::count(qint64(parent.parents)), QString::fromStdString(parent.name),
            QPoolStatistics::count(qint64(parent.most)), addressOf(parent.mostAddress), quoted(parent.mostName));
}

} // namespace ObjectWords
} // namespace QPool

#endif // QPOOLOBJECTWORDS_H
