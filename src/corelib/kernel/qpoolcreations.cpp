// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcreations_p.h"

#if defined(__ELF__)

#include "census/qpooldemangle.h"

#include <algorithm>
#include <cstring>

namespace {

bool beginsWith(const char *text, const char *beginning)
{
    return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
}

// Parts of the mangled names of a class's constructors and of its deleting destructor.
const char Constructor[] = "C1E";
const char DeletingDestructor[] = "D0Ev";

class Search
{
public:
    Search(const std::vector<QPoolElfImage::Symbol> &bound, const QPoolSymbolScope &scope)
        : m_bound(bound), m_scope(scope), m_created(qpoolCreatedBases(bound))
    {
    }

    std::vector<QPoolCreation> run(std::size_t limit) const
    {
        std::vector<QPoolCreation> result;
        if (m_created.empty())
            return result;
        for (const QPoolElfImage::Symbol &symbol : m_bound) {
            QPoolCreation creation = look(symbol);
            const bool isKnown = std::any_of(result.begin(), result.end(),
                                             [&](const QPoolCreation &other) {
                                                 return other.type == creation.type;
                                             });
            if (creation.type.empty() || isKnown)
                continue;
            result.push_back(std::move(creation));
            if (result.size() == limit)
                break;
        }
        return result;
    }

private:
    QPoolCreation look(const QPoolElfImage::Symbol &symbol) const
    {
        const char *name = symbol.name;
        const bool isVtable = !symbol.isDefined && beginsWith(name, "_ZTV");
        const char *member = symbol.isDefined ? DeletingDestructor : Constructor;
        if (!isVtable && !(beginsWith(name, "_ZN") && std::strstr(name, member)))
            return {};
        const QPoolSymbolScope::Definition definition = m_scope.find(name);
        if (definition.path.empty() || definition.isMarked)
            return {};
        const std::string type = isVtable ? std::string(name + 4) : classOf(name, member);
        if (type.empty() || !derives(type))
            return {};
        return { type, definition.path };
    }

    // The class of the member function \a symbol, a mangled name that contains \a member; empty if it has
    // no type information. The class's own name may contain \a member, too, as ABC1Event does: a name that
    // is cut off there has no type information.
    std::string classOf(const char *symbol, const char *member) const
    {
        const char *begin = symbol + std::strlen("_ZN");
        for (const char *at = std::strstr(begin, member); at; at = std::strstr(at + 1, member)) {
            const std::string inner(begin, at);
            std::vector<std::string> bases;
            if (m_scope.findBases(inner, &bases))
                return inner;
            const std::string nested = 'N' + inner + 'E';
            if (m_scope.findBases(nested, &bases))
                return nested;
        }
        return {};
    }

    bool derives(const std::string &type) const
    {
        std::vector<std::string> types { type };
        for (std::size_t i = 0; i < types.size(); ++i) {
            if (std::find(m_created.begin(), m_created.end(), types[i]) != m_created.end())
                return true;
            std::vector<std::string> bases;
            m_scope.findBases(types[i], &bases);
            for (std::string &base : bases) {
                if (std::find(types.begin(), types.end(), base) == types.end())
                    types.push_back(std::move(base));
            }
        }
        return false;
    }

    const std::vector<QPoolElfImage::Symbol> &m_bound;
    const QPoolSymbolScope &m_scope;
    const std::vector<std::string> m_created;
};

} // namespace

std::vector<QPoolCreation> qpoolFindCreations(const std::vector<QPoolElfImage::Symbol> &bound,
                                              const QPoolSymbolScope &scope, std::size_t limit)
{
    return Search(bound, scope).run(limit);
}

std::vector<std::string> qpoolCreatedBases(const std::vector<QPoolElfImage::Symbol> &bound)
{
    // _ZN6QEventnwEm, or with Qt in a namespace _ZN2ns6QEventnwEm, whose class is N2ns6QEventE.
    constexpr const char *classes[] = { "6QEvent", "7QObject", "11QObjectData" };
    std::vector<std::string> result;
    for (const QPoolElfImage::Symbol &symbol : bound) {
        if (symbol.isDefined || !beginsWith(symbol.name, "_ZN"))
            continue;
        const char *begin = symbol.name + std::strlen("_ZN");
        for (const char *name : classes) {
            const char *at = std::strstr(begin, (std::string(name) + "nwE").c_str());
            if (!at)
                continue;
            const std::string whole(begin, at + std::strlen(name));
            result.push_back(at == begin ? whole : 'N' + whole + 'E');
        }
    }
    return result;
}

bool qpoolImportsClasses(const std::vector<QPoolElfImage::Symbol> &bound)
{
    return std::any_of(bound.begin(), bound.end(), [](const QPoolElfImage::Symbol &symbol) {
        return beginsWith(symbol.name, "_Z")
                && (std::strstr(symbol.name, "7QObject") || std::strstr(symbol.name, "6QEvent"));
    });
}

std::string QPoolCreation::className() const
{
    return QPool::demangled(type);
}

std::string QPoolCreation::complaint(const std::string &creator) const
{
    return creator + " is compiled for a Qt with the pool allocator and creates " + className()
            + ", but found " + found
            + ", which is not: they cannot run together. Let it find the libraries it was built "
              "with, or build it with the headers of these; QT_POOL_ALLOCATOR=0 in the environment "
              "lets it run without the pool.";
}

#endif
