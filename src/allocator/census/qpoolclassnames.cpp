// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolclassnames.h"

#include "../os/qpoolelfcopies.h"
#include "qpooldemangle.h"
#include "qpoolsymbolfile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace QPool {

const ClassNames::Class *ClassNames::find(std::uintptr_t word)
{
    if (word % sizeof(void *) != 0)
        return nullptr;
    const Mappings::Entry *entry = m_mappings->find(word);
    const auto known = m_classes.find(word);
    if (!entry) {
        if (known == m_classes.end())
            return nullptr;
        known->second.unloaded = true;
        return &known->second;
    }
    if (known != m_classes.end() && known->second.path == m_mappings->pathOf(*entry)) {
        known->second.unloaded = false;
        return &known->second;
    }
    // Not looked up yet, or in another module by now.
    Class result;
    if (m_classes.size() >= MostClasses || !resolve(word, &result))
        return nullptr;
    return &(m_classes[word] = std::move(result));
}

bool ClassNames::resolve(std::uintptr_t word, Class *result)
{
    const Mappings::Entry *entry = m_mappings->find(word);
    std::uintptr_t front[3]; // the offset to the object's start, the type information, a function
    if (word < 2 * sizeof(word) || !m_memory.read(word - 2 * sizeof(word), front, sizeof(front)))
        return false;
    if (front[0] != 0)
        return false; // the vtable of a base class part; a chunk begins with a whole object
    std::string name;
    if (front[1] != 0) {
        if (!readTypeName(front[1], &name))
            return false;
        result->name = demangled(name);
    } else {
        const Mappings::Entry *function = m_mappings->find(front[2]);
        if (!function || !function->executable)
            return false;
        result->name = nameBySymbols(word - 2 * sizeof(word), *entry, &result->guessed);
    }
    result->module = m_mappings->nameOf(*entry);
    result->path = m_mappings->pathOf(*entry);
    return true;
}

bool ClassNames::readTypeName(std::uintptr_t information, std::string *name)
{
    std::uintptr_t words[2]; // its vtable, its name
    return information % sizeof(information) == 0 && m_mappings->find(information)
            && m_memory.read(information, words, sizeof(words)) && isTypeInformation(words[0])
            && readText(words[1], name);
}

bool ClassNames::isTypeInformation(std::uintptr_t vtable)
{
    const auto known = m_kinds.find(vtable);
    if (known != m_kinds.end())
        return known->second;
    std::uintptr_t information = 0;
    std::uintptr_t words[2];
    std::string name;
    const bool is = vtable % sizeof(vtable) == 0 && m_mappings->find(vtable)
            && m_memory.read(vtable - sizeof(vtable), &information)
            && m_mappings->find(information)
            && m_memory.read(information, words, sizeof(words)) && readText(words[1], &name)
            && name.rfind("N10__cxxabiv1", 0) == 0;
    if (m_kinds.size() < MostClasses)
        m_kinds[vtable] = is;
    return is;
}

bool ClassNames::readText(std::uintptr_t address, std::string *text) const
{
    constexpr std::size_t longest = 2048;
    if (!m_mappings->find(address))
        return false;
    char buffer[longest];
    const std::size_t size = m_memory.readSome(address, buffer, sizeof(buffer));
    const auto *end = static_cast<const char *>(std::memchr(buffer, '\0', size));
    if (!end || end == buffer)
        return false;
    text->assign(buffer, std::size_t(end - buffer));
    return std::all_of(text->begin(), text->end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string ClassNames::nameBySymbols(std::uintptr_t vtable, const Mappings::Entry &entry,
                                      bool *guessed)
{
    // A program that is not position-independent is loaded at the address that it was linked for.
    const std::uintptr_t linked = vtable - entry.base;
    const VtableSymbols &symbols = symbolsOf(entry);
    std::string name = symbols.classAt(linked);
    if (name.empty())
        name = symbols.classAt(vtable);
    if (!name.empty())
        return demangled(name);
    *guessed = true;
    char offset[32];
    std::snprintf(offset, sizeof(offset), "+0x%zx", std::size_t(linked));
    return m_mappings->nameOf(entry) + offset;
}

const VtableSymbols &ClassNames::symbolsOf(const Mappings::Entry &entry)
{
    // Zero-initialised variables are in no file; the module's first mapping is.
    const Mappings::Entry *module = entry.inode ? &entry : m_mappings->find(entry.base);
    const Mappings::Entry &mapping = module ? *module : entry;
    std::unique_ptr<VtableSymbols> &symbols = m_symbols[{ mapping.device, mapping.inode }];
    if (!symbols) {
        const int file = SymbolFile::open(m_memory, *m_mappings, mapping);
        struct stat status {};
        const bool isOpen = file >= 0 && fstat(file, &status) == 0;
        const ElfCopies copies(file, isOpen ? std::uintptr_t(status.st_size) : 0, &m_fileBytes);
        symbols = std::make_unique<VtableSymbols>(copies, &m_symbolBytes);
        if (file >= 0)
            close(file);
    }
    return *symbols;
}

} // namespace QPool
