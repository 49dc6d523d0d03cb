// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaptaker.h"

#include "inspector.h"
#include "stacktree.h"

#include <qpoolheapnames.h>
#include <qpoolheapsamplereader.h>
#include <qpoolheapsites.h>
#include <qpoolstatisticsnumber.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPool::HeapProfile;
using QPool::HeapSampleReader;
using QPool::HeapSite;
using QPool::NamedStack;

namespace {

// What is in use of the blocks of one class only; for samples and what was freed this is not known.
void keepClass(std::vector<NamedStack> *stacks, const QString &type)
{
    for (NamedStack &stack : *stacks) {
        double bytes = 0;
        if (type == Inspector::noClass()) {
            bytes = stack.inUse.bytes;
            for (const auto &entry : stack.classes)
                bytes -= entry.second;
        } else if (const auto found = stack.classes.find(type.toStdString()); found != stack.classes.end()) {
            bytes = found->second;
        }
        stack.allocated = {};
        stack.inUse = {};
        stack.inUse.bytes = bytes;
    }
    const auto isOther = [](const NamedStack &stack) { return stack.inUse.bytes < 1; };
    stacks->erase(std::remove_if(stacks->begin(), stacks->end(), isOther), stacks->end());
}

} // namespace

class HeapTaker::Process
{
public:
    explicit Process(std::unique_ptr<HeapSampleReader> reader)
        : m_reader(std::move(reader))
        , m_names(m_reader->memory())
    {
    }

    const HeapSampleReader *operator->() const { return m_reader.get(); }
    std::vector<NamedStack> named(const HeapProfile &profile) { return m_names.of(profile); }

    // Null with \a problem set if it can't be read.
    static std::unique_ptr<Process> attach(qint64 pid, QString *problem)
    {
        HeapSampleReader::Error error = HeapSampleReader::NoError;
        std::string message;
        auto reader = HeapSampleReader::attach(pid, &error, &message);
        if (reader)
            return std::make_unique<Process>(std::move(reader));
        *problem = QString::fromStdString(message);
        return nullptr;
    }

private:
    std::unique_ptr<HeapSampleReader> m_reader;
    QPool::StackNames m_names; // refers to the reader
};

HeapTaker::HeapTaker(qint64 pid)
    : m_pid(pid)
{
}

HeapTaker::~HeapTaker() = default;

HeapReading HeapTaker::take(const QString &type)
{
    HeapReading result;
    if (!m_process)
        m_process = Process::attach(m_pid, &result.error);
    if (!m_process)
        return result;
    HeapProfile profile;
    HeapSampleReader::Error error = HeapSampleReader::NoError;
    std::string message;
    if (!(*m_process)->read(&profile, &error, &message)) {
        m_process.reset(); // after an exec() it may be another program
        result.error = QString::fromStdString(message);
        return result;
    }
    result.interval = qint64(profile.interval);
    result.samples = qint64(profile.allocated().samples);
    auto stacks = m_process->named(profile);
    if (!type.isEmpty())
        keepClass(&stacks, type);
    for (const NamedStack &stack : stacks) {
        result.inUse += stack.inUse.bytes;
        result.allocated += stack.allocated.bytes;
    }
    for (const HeapSite &site : QPool::HeapSites::of(stacks, false)) {
        result.sites.append({ QString::fromStdString(site.key()), QString::fromStdString(QPool::HeapNames::titleOf(site.function)),
                              site.hasCaller() ? QString::fromStdString(QPool::HeapNames::titleOf(site.caller)) : QString(), site.isDirect,
                              QString::fromStdString(site.type), qint64(site.inUse.samples), site.inUse.bytes,
                              site.allocated.bytes });
    }
    result.stacks = StackTree::of(stacks);
    for (const HeapProfile::Note &note : profile.notes())
        result.notes += QPoolStatistics::count(qint64(note.count)) + u' ' + QLatin1StringView(note.what);
    return result;
}

QString HeapTaker::setSampled(bool sampled)
{
    QString problem;
    if (!m_process)
        m_process = Process::attach(m_pid, &problem);
    HeapSampleReader::Error error = HeapSampleReader::NoError;
    std::string message;
    if (m_process && !(*m_process)->writeInterval(sampled ? HeapSampleReader::DefaultInterval : 0, &error, &message))
        problem = QString::fromStdString(message);
    return problem;
}
