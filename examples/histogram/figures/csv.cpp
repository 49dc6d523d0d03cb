// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "csv.h"

#include "snapshot.h"

#include <initializer_list>
#include <iterator>

namespace {

QByteArray row(std::initializer_list<QByteArray> cells)
{
    QByteArray line;
    for (const QByteArray &cell : cells) {
        if (!line.isEmpty())
            line += ',';
        line += cell;
    }
    return line + "\r\n"; // as RFC 4180 has it
}

QByteArray n(qint64 value)
{
    return QByteArray::number(value);
}

} // namespace

QByteArray toCsv(const Snapshot &snapshot)
{
    QByteArray csv = row({ "kind", "size", "allocated", "freed", "remote", "live", "arena",
                           "thread", "orphaned", "adoptions", "pages", "backlog" });
    static constexpr const char *Names[] = { "event", "object", "private", "heap" };
    static_assert(std::size(Names) == DomainCount);
    for (int d = 0; d < DomainCount; ++d) {
        for (const SizeClassFigures &f : snapshot.domain(Domain(d)))
            csv += row({ Names[d], n(f.size), n(f.allocated), n(f.freed), n(f.remote), n(f.live),
                         "", "", "", "", "", "" });
    }
    for (const ArenaFigures &a : snapshot.arenas)
        csv += row({ "arena", "", "", "", "", n(a.live), n(a.id), n(a.thread),
                     a.orphaned ? "yes" : "no", n(a.adoptions), n(a.pages), n(a.backlog) });
    return csv;
}
