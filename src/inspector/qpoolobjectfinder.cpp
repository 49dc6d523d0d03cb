// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolobjectfinder.h"

#include "stats/qpoolprintable.h"

#include <algorithm>
#include <unordered_map>

namespace QPool {

void ObjectFinder::chunk(const LiveChunk &chunk)
{
    if (chunk.domain == PoolWalk::EventDomain || m_chunks.size() >= MostObjects || chunk.words[1] == 0
        || chunk.words[1] % sizeof(Word) != 0 || !ClassNames::mayBeVtable(chunk.words[0], m_mappings)) {
        return;
    }
    m_chunks.push_back({ chunk.address, chunk.words[0], chunk.words[1] });
}

std::vector<ObjectFinder::Word> ObjectFinder::find(const ObjectFacts &facts, ClassNames &names,
                                                   const std::string &type) const
{
    std::unordered_map<Word, bool> known;
    // The class of which QML makes an object of this class.
    const std::string element = "QQmlPrivate::QQmlElement<" + type + '>';
    const auto isType = [&](Word vtable) {
        const auto found = known.find(vtable);
        if (found != known.end())
            return found->second;
        const ClassNames::Class *one = names.find(vtable);
        const std::string name = one ? printable(one->name) : std::string();
        const bool is = one && (name == type || name == element);
        known.emplace(vtable, is);
        return is;
    };
    std::vector<Word> result;
    ObjectFacts::Object object;
    for (const Chunk &chunk : m_chunks) {
        if (isType(chunk.vtable)) {
            if (facts.read(chunk.address, &object))
                result.push_back(chunk.address);
            else if (facts.ofPrivate(chunk.address, chunk.other) != 0 && facts.read(chunk.other, &object))
                result.push_back(chunk.other);
        } else if (facts.ofPrivate(chunk.address, chunk.other) != 0 && facts.read(chunk.other, &object)
                   && isType(object.vtable)) {
            result.push_back(chunk.other);
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace QPool
