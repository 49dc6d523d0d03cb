// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticssnapshot.h"

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

template <typename Counter>
static qint64 sumOf(const QList<SizeClassStatistics> &classes, Counter counter)
{
    qint64 total = 0;
    for (const SizeClassStatistics &statistics : classes)
        total += counter(statistics);
    return total;
}

QString nameOf(Domain domain)
{
    switch (domain) {
    case Domain::Event:
        return u"event"_s;
    case Domain::Object:
        return u"object"_s;
    case Domain::Private:
        return u"private"_s;
    case Domain::Heap:
        return u"heap"_s;
    }
    return {};
}

qint64 Snapshot::allocated(Domain d) const
{
    return sumOf(domain(d),
                 [](const SizeClassStatistics &statistics) { return statistics.allocated; });
}

qint64 Snapshot::live(Domain d) const
{
    return sumOf(domain(d), [](const SizeClassStatistics &statistics) { return statistics.live; });
}

qint64 Snapshot::liveBytesOf(Domain d) const
{
    return sumOf(domain(d), [](const SizeClassStatistics &statistics) {
        return statistics.live * statistics.size;
    });
}

qint64 Snapshot::totalAllocated() const
{
    qint64 total = 0;
    for (int d = 0; d < DomainCount; ++d)
        total += allocated(Domain(d));
    return total;
}

qint64 Snapshot::totalLive() const
{
    qint64 total = 0;
    for (int d = 0; d < DomainCount; ++d)
        total += live(Domain(d));
    return total;
}

} // namespace QPoolStatistics
