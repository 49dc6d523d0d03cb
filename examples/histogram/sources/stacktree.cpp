// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "stacktree.h"

#include <qpoolheapnames.h>

#include <algorithm>

using QPool::NamedStack;

namespace {

// A function with less is narrower than a pixel or two.
constexpr double LeastShare = 0.001;

struct Function
{
    double inUse = 0;
    double allocated = 0;
    std::map<std::string, Function> callees;

    void add(const NamedStack &stack)
    {
        inUse += stack.inUse.bytes;
        allocated += stack.allocated.bytes;
    }
};

class Writer
{
public:
    explicit Writer(const Function &all) : m_all(all) { write(all, {}, -1); }

    QList<HeapReading::Node> nodes() const { return m_nodes; }

private:
    // As deep as a stack is, whose frames are limited.
    void write(const Function &function, const std::string &name, int parent)
    {
        const int index = int(m_nodes.size());
        m_nodes.append({ QString::fromStdString(name), parent, function.inUse, function.allocated });
        std::vector<const std::pair<const std::string, Function> *> callees;
        for (const auto &entry : function.callees) {
            if (entry.second.inUse > LeastShare * m_all.inUse || entry.second.allocated > LeastShare * m_all.allocated)
                callees.push_back(&entry);
        }
        std::stable_sort(callees.begin(), callees.end(), [](const auto *one, const auto *other) {
            return one->second.inUse > other->second.inUse;
        });
        for (const auto *entry : callees)
            write(entry->second, entry->first, index);
    }

    const Function &m_all;
    QList<HeapReading::Node> m_nodes;
};

} // namespace

QList<HeapReading::Node> StackTree::of(const std::vector<NamedStack> &stacks)
{
    Function all;
    for (const NamedStack &stack : stacks) {
        Function *function = &all;
        function->add(stack);
        for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
            for (auto place = frame->places.rbegin(); place != frame->places.rend(); ++place) {
                function = &function->callees[QPool::HeapNames::shortName(place->function)];
                function->add(stack);
            }
        }
    }
    return Writer(all).nodes();
}
