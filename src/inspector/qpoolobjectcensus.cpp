// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolobjectcensus.h"

#include "census/qpoolcensusreader.h"
#include "qpoolcommandname.h"
#include "qpoolobjectfinder.h"
#include "qpoolthreadids.h"
#include "stats/qpoolprintable.h"

#include <algorithm>
#include <map>
#include <new>

namespace QPool {

namespace {

using Word = std::uintptr_t;
using Object = ObjectFacts::Object;

std::size_t bucketOf(std::uint64_t connections)
{
    std::size_t bucket = 0;
    for (; connections > 0 && bucket < 5; connections /= 2)
        ++bucket;
    return bucket;
}

// Reads one process's objects of one class.
class Taker
{
public:
    Taker(const ReadableMemory &memory, const ObjectLayout &layout, ClassNames &names, const ProcFolder &process,
          ObjectCensus *census)
        : m_facts(memory, layout), m_names(names), m_process(process), m_ids(process), m_census(*census)
    {
    }

    const ObjectFacts &facts() const { return m_facts; }

    void take(const std::vector<Word> &addresses)
    {
        std::map<Word, std::uint64_t> byParent;
        std::map<Word, std::uint64_t> byThread; // by QThreadData
        for (const Word address : addresses) {
            Object object;
            if (!m_facts.read(address, &object))
                continue; // deleted meanwhile
            ++m_census.objects;
            m_census.deleteLater += object.deleteLater;
            const std::uint64_t in = m_facts.incoming(object);
            const std::uint64_t out = m_facts.outgoing(object);
            m_census.incoming += in;
            m_census.outgoing += out;
            ++m_census.byConnections[bucketOf(in + out)];
            if (object.parent)
                ++byParent[object.parent];
            else
                ++m_census.withoutParent;
            auto &thread = byThread[object.threadData];
            if (thread++ == 0)
                m_threadObjects[object.threadData] = object;
            noteLargest(address, std::min<std::uint64_t>(object.children, ObjectFacts::MostChildren) + in + out);
        }
        for (const auto &entry : byThread) {
            ObjectCensus::Thread thread = threadOf(m_threadObjects[entry.first]);
            thread.objects = entry.second;
            m_census.threads.push_back(std::move(thread));
        }
        std::sort(m_census.threads.begin(), m_census.threads.end(),
                  [](const auto &one, const auto &other) { return one.objects > other.objects; });
        takeParents(byParent);
        for (const auto &entry : m_largest)
            m_census.largest.push_back(show(entry.second));
        takeNewest(byParent, addresses);
    }

private:
    std::string classOf(Word vtable)
    {
        const ClassNames::Class *type = m_names.find(vtable);
        return type ? printable(type->name) : Census::NoClass;
    }

    void noteLargest(Word address, std::uint64_t size)
    {
        m_largest.emplace(~size, address); // the largest first
        if (m_largest.size() > ObjectCensus::MostShown)
            m_largest.erase(std::prev(m_largest.end()));
    }

    ObjectCensus::Thread threadOf(const Object &object)
    {
        ObjectCensus::Thread result;
        const ObjectFacts::Thread thread = m_facts.threadOf(object);
        result.id = m_ids.of(thread.id);
        Object itself;
        if (m_facts.read(thread.object, &itself))
            result.name = m_facts.nameOf(itself);
        if (result.name.empty() && result.id != 0) {
            std::string name = m_process.text("task/" + std::to_string(result.id) + "/comm", 64);
            if (!name.empty() && name.back() == '\n')
                name.pop_back();
            result.name = printable(name);
        }
        return result;
    }

    void takeParents(const std::map<Word, std::uint64_t> &byParent)
    {
        std::map<std::string, ObjectCensus::Parent> byClass;
        for (const auto &entry : byParent) {
            Object parent;
            const bool isObject = m_facts.read(entry.first, &parent);
            const std::string name = isObject ? classOf(parent.vtable) : Census::NoClass;
            ObjectCensus::Parent &sum = byClass[name];
            sum.name = name;
            sum.objects += entry.second;
            ++sum.parents;
            if (entry.second > sum.most) {
                sum.most = entry.second;
                sum.mostAddress = entry.first;
                sum.mostName = isObject ? m_facts.nameOf(parent) : std::string();
            }
        }
        for (auto &entry : byClass)
            m_census.parents.push_back(std::move(entry.second));
        std::sort(m_census.parents.begin(), m_census.parents.end(), [](const auto &one, const auto &other) {
            return one.objects != other.objects ? one.objects > other.objects : one.name < other.name;
        });
    }

    // The pool does not note when a chunk was allocated, but a parent's list has its children in order.
    void takeNewest(const std::map<Word, std::uint64_t> &byParent, const std::vector<Word> &addresses)
    {
        const auto most = std::max_element(byParent.begin(), byParent.end(), [](const auto &one, const auto &other) {
            return one.second < other.second;
        });
        Object parent;
        if (most == byParent.end() || !m_facts.read(most->first, &parent))
            return;
        const std::vector<Word> children = m_facts.childrenOf(parent);
        for (auto it = children.rbegin();
             it != children.rend() && m_census.newest.size() < ObjectCensus::MostShown; ++it) {
            if (std::binary_search(addresses.begin(), addresses.end(), *it))
                m_census.newest.push_back(show(*it));
        }
    }

    ObjectCensus::Link linkOf(const Object &object)
    {
        return { object.address, classOf(object.vtable), m_facts.nameOf(object) };
    }

    ObjectCensus::Shown show(Word address)
    {
        ObjectCensus::Shown shown;
        Object object;
        shown.self.address = address;
        if (!m_facts.read(address, &object))
            return shown;
        shown.self = linkOf(object);
        shown.children = object.children;
        shown.incoming = m_facts.incoming(object);
        shown.outgoing = m_facts.outgoing(object);
        shown.deleteLater = object.deleteLater;
        shown.thread = threadOf(object);
        while (object.parent != 0 && !shown.endless) {
            const Word next = object.parent;
            shown.endless = shown.parents.size() == ObjectCensus::MostParents || !m_facts.read(next, &object);
            if (!shown.endless)
                shown.parents.push_back(linkOf(object));
        }
        return shown;
    }

    const ObjectFacts m_facts;
    ClassNames &m_names;
    const ProcFolder &m_process;
    const ThreadIds m_ids;
    ObjectCensus &m_census;
    std::map<Word, Object> m_threadObjects; // one of each thread
    std::multimap<std::uint64_t, Word> m_largest;
};

} // namespace

bool takeObjectCensus(const CensusReader &reader, std::int64_t pid, const std::string &type, ObjectCensus *census,
                      std::string *message)
{
    const std::string process = "process " + std::to_string(pid);
    try {
        *census = ObjectCensus();
        census->pid = std::uint64_t(pid);
        census->type = printable(type);
        Mappings mappings;
        if (!mappings.read(reader.memory())) {
            *message = process + " has ended";
            return false;
        }
        ObjectLayout layout;
        if (!layout.read(reader.memory(), mappings, message))
            return false;
        PoolWalk walk(reader.memory(), reader.facts(), mappings.bytes());
        ObjectFinder finder(mappings);
        const WalkResult result = walk.run(finder);
        if (result != WalkResult::Complete) {
            *message = "the pool of " + process + " can't be read"
                    + (*problemOf(result) ? std::string(": ") + problemOf(result) : ": it has ended");
            return false;
        }
        ClassNames names(reader.memory());
        names.setMappings(&mappings);
        const ProcFolder folder("/proc/" + std::to_string(pid));
        Taker taker(reader.memory(), layout, names, folder, census);
        taker.take(finder.find(taker.facts(), names, census->type));
    } catch (const std::bad_alloc &) {
        *message = "there is no memory for the objects of " + process;
        return false;
    }
    if (census->objects == 0) {
        *message = "no object of class " + census->type + " has a part in the pool of " + process
                + ": only QObjects are found, by their names in " QPOOL_COMMAND " census " + std::to_string(pid);
        return false;
    }
    return true;
}

} // namespace QPool
