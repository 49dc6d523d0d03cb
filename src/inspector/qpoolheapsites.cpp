// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolheapsites.h"
#include "qpoolheapnames.h"

#include "census/qpoolclassnames.h"
#include "stats/qpoolprintable.h"

#include <algorithm>
#include <cmath>

namespace QPool {

namespace {

constexpr const char *NoCallerName = "(no caller)";

void removeAllocator(NamedStack *stack)
{
    for (NamedStack::Frame &frame : stack->frames) {
        const auto end = std::find_if_not(frame.places.begin(), frame.places.end(), &HeapNames::isAllocator);
        const bool isLast = end != frame.places.end();
        frame.places.erase(frame.places.begin(), end);
        if (isLast)
            break;
    }
    const auto isEmpty = [](const NamedStack::Frame &frame) { return frame.places.empty(); };
    stack->frames.erase(stack->frames.begin(), std::find_if_not(stack->frames.begin(), stack->frames.end(), isEmpty));
}

// The site's function is the first that is no helper, and its caller the next; a stack of helpers only has the first.
// Of a library without debug information the callers are often its own, too: the reader knows the nearest with a line,
// unless an event lies between, because all that is called by events is below main().
void setPlaces(const NamedStack &stack, HeapSite *site)
{
    site->function.function = NoStackName;
    site->caller.function = NoCallerName;
    std::vector<const CodeSymbols::Place *> places;
    for (const NamedStack::Frame &frame : stack.frames) {
        for (const CodeSymbols::Place &place : frame.places)
            places.push_back(&place);
    }
    if (places.empty())
        return;
    const auto isHelper = [](const CodeSymbols::Place *place) { return HeapNames::isHelper(*place); };
    auto function = std::find_if_not(places.begin(), places.end(), isHelper);
    if (function == places.end())
        function = places.begin();
    site->function = **function;
    const auto next = std::find_if_not(function + 1, places.end(), isHelper);
    auto caller = next;
    if (site->function.file.empty()) {
        const auto isEventLoop = [](const CodeSymbols::Place *place) { return HeapNames::isEventLoop(*place); };
        const auto isSource = [](const CodeSymbols::Place *place) { return HeapNames::isSource(*place); };
        const auto end = std::find_if(next, places.end(), isEventLoop);
        const auto known = std::find_if(next, end, isSource);
        if (known != end)
            caller = known;
    }
    if (caller != places.end())
        site->caller = **caller;
    site->isDirect = caller == next;
}

bool haveSameModules(const Mappings &one, const Mappings &other)
{
    const auto isSame = [](const Mappings::Entry &a, const Mappings::Entry &b) {
        return a.begin == b.begin && a.end == b.end && a.isSameFile(b);
    };
    return std::equal(one.entries().begin(), one.entries().end(), other.entries().begin(), other.entries().end(),
                      isSame);
}

} // namespace

std::string HeapSite::key() const
{
    return function.module + '\n' + function.function + '\n' + caller.module + '\n' + caller.function;
}

void StackNames::readModules()
{
    auto mappings = std::make_unique<Mappings>();
    mappings->read(m_memory); // without them, there are no names
    if (m_mappings && haveSameModules(*m_mappings, *mappings))
        return;
    m_symbols.reset(); // it refers to the mappings
    m_mappings = std::move(mappings);
    m_symbols = std::make_unique<CodeSymbols>(m_memory, *m_mappings);
}

std::vector<NamedStack> StackNames::of(const HeapProfile &profile)
{
    readModules();
    std::vector<NamedStack> result;
    for (const HeapProfile::Stack &stack : profile.stacks) {
        NamedStack one;
        one.allocated = stack.allocated;
        one.inUse = stack.inUse;
        for (const std::uintptr_t address : stack.frames)
            one.frames.push_back({ address, m_symbols->find(address) });
        removeAllocator(&one);
        result.push_back(std::move(one));
    }
    ClassNames names(m_memory);
    names.setMappings(m_mappings.get());
    for (const HeapProfile::Sample &sample : profile.samples) {
        std::uintptr_t word = 0;
        if (!m_memory.read(sample.address, &word) || !ClassNames::mayBeVtable(word, *m_mappings))
            continue;
        const ClassNames::Class *type = names.find(word);
        if (type && !type->guessed)
            result[sample.stack].classes[printable(type->name)] += sample.bytes;
    }
    return result;
}

std::vector<HeapSite> HeapSites::of(const std::vector<NamedStack> &stacks, bool byAllocated,
                                    const std::map<std::string, double> *before)
{
    std::map<std::string, HeapSite> sites;
    std::map<std::string, std::map<std::string, double>> classes;
    for (const NamedStack &stack : stacks) {
        HeapSite site;
        setPlaces(stack, &site);
        const std::string key = site.key();
        HeapSite &sum = sites.emplace(key, site).first->second;
        sum.allocated.add(stack.allocated);
        sum.inUse.add(stack.inUse);
        for (const auto &[name, bytes] : stack.classes)
            classes[key][name] += bytes;
    }
    std::vector<HeapSite> result;
    for (auto &[key, site] : sites) {
        const auto &ofSite = classes[key];
        const auto largest = std::max_element(ofSite.begin(), ofSite.end(), [](const auto &one, const auto &other) {
            return one.second < other.second;
        });
        if (largest != ofSite.end())
            site.type = largest->first;
        if (before) {
            const auto was = before->find(key);
            site.growth = site.inUse.bytes - (was == before->end() ? 0 : was->second);
        }
        result.push_back(std::move(site));
    }
    const auto weight = [&](const HeapSite &site) {
        return byAllocated ? site.allocated.bytes : before ? site.growth : site.inUse.bytes;
    };
    std::sort(result.begin(), result.end(), [&](const HeapSite &one, const HeapSite &other) {
        return weight(one) != weight(other) ? weight(one) > weight(other) : one.key() < other.key();
    });
    return result;
}

std::map<std::string, double> HeapSites::bytesByKey(const std::vector<HeapSite> &sites)
{
    std::map<std::string, double> result;
    for (const HeapSite &site : sites)
        result[site.key()] += site.inUse.bytes;
    return result;
}

} // namespace QPool
