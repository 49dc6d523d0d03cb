// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaptaker.h"
#include "inspector.h"
#include "objecttaker.h"

#include <qpoolresidentmemory.h>

using QPool::MemoryOwner;
using QPool::ResidentMemory;
using QPool::ResidentMemoryReader;

namespace {

class ProcessInspector : public Inspector
{
public:
    explicit ProcessInspector(qint64 pid)
        : m_memory(pid)
        , m_objects(pid)
        , m_heap(pid)
    {
    }

    MemoryReading memory() override;
    ObjectReading objects(const QString &type) override { return m_objects.take(type); }
    HeapReading heap(const QString &type) override { return m_heap.take(type); }
    QString setSampled(bool sampled) override { return m_heap.setSampled(sampled); }

private:
    ResidentMemoryReader m_memory;
    ObjectTaker m_objects;
    HeapTaker m_heap;
};

MemoryReading ProcessInspector::memory()
{
    MemoryReading result;
    ResidentMemory memory;
    ResidentMemoryReader::Error error = ResidentMemoryReader::NoError;
    std::string message;
    if (!m_memory.read(&memory, &error, &message)) {
        result.error = QString::fromStdString(message);
        return result;
    }
    for (std::size_t i = 0; i < QPool::MemoryOwnerCount; ++i) {
        const auto owner = MemoryOwner(i);
        result.owners.append({ QString::fromUtf8(keyOf(owner)), QString::fromUtf8(titleOf(owner)),
                               qint64(memory.of(owner)) });
    }
    for (const ResidentMemory::Beyond::Line &line : memory.beyond.lines()) {
        result.beyond.append({ QString::fromUtf8(line.key), QString::fromUtf8(line.title), qint64(line.bytes),
                               line.known });
    }
    result.hidden = qint64(memory.beyond.hidden());
    result.hiddenKnown = memory.beyond.isHiddenKnown();
    if (!memory.poolProblem.empty()) {
        result.notes += QStringLiteral("The pool's memory is among the anonymous: ")
                + QString::fromStdString(memory.poolProblem);
    }
    if (!memory.liveProblem.empty()) {
        result.notes += QStringLiteral("What is live in the pool is not known: ")
                + QString::fromStdString(memory.liveProblem);
    }
    if (!result.hiddenKnown)
        result.notes += QStringLiteral("The system tells the size of files in memory to the superuser only");
    return result;
}

} // namespace

std::shared_ptr<Inspector> Inspector::of(qint64 pid)
{
    return std::make_shared<ProcessInspector>(pid);
}
