// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaptaker.h"
#include "inspector.h"

#include <QtCore/qcoreapplication.h>

namespace {

class NoInspector : public Inspector
{
public:
    MemoryReading memory() override
    {
        MemoryReading result;
        result.error = QCoreApplication::translate("Inspector", "Memory can only be divided on Linux");
        return result;
    }
    ObjectReading objects(const QString &) override
    {
        ObjectReading result;
        result.error = QCoreApplication::translate("Inspector", "Objects can only be found on Linux");
        return result;
    }
    HeapReading heap(const QString &type) override { return m_heap.take(type); }
    QString setSampled(bool sampled) override { return m_heap.setSampled(sampled); }

private:
    HeapTaker m_heap { 0 };
};

} // namespace

std::shared_ptr<Inspector> Inspector::of(qint64)
{
    return std::make_shared<NoInspector>();
}
