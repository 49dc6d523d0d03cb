// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCLASSNAMES_H
#define QPOOLCLASSNAMES_H

#include "qpoolmappings.h"
#include "qpoolvtablesymbols.h"

#include <map>
#include <memory>
#include <string>

namespace QPool {

/*
    Finds the class of an object by its first word, the address in its class's vtable. No function of the
    process is called, so the object may be under construction; then its class is the one whose constructor
    runs.

    The word before a vtable's functions points to the type information of the class, which has the name;
    stripped programs have it, too, because dynamic_cast needs it. A heap block may begin with anything, so
    the type information is accepted only if it is an object of one of the C++ library's own classes for
    type information, whose names are checked in turn. Modules compiled without it (-fno-rtti) may name
    their vtables in their symbol tables. If they do not, the class's name is the module and the vtable's
    address in it: a guess, which is good enough for chunks that are known to be objects.

    Results are remembered: a class whose module was unloaded keeps its name. There is a limit to the number of
    classes, the memory for the symbols of all files, and what is read of files in each series of lookups,
    because the process decides how many there seem to be.
*/
class ClassNames
{
public:
    struct Class
    {
        std::string name;
        std::string module; // the name of its file
        std::string path;
        bool unloaded = false;
        bool guessed = false; // only the word's value suggests that a vtable is there
    };

    explicit ClassNames(const ProcessMemory &memory) : m_memory(memory) { }

    // Call this before a series of lookups: updates the mappings.
    void setMappings(const Mappings *mappings)
    {
        m_mappings = mappings;
        m_fileBytes = MostFileBytes;
    }

    // Null if no vtable is or was there.
    const Class *find(std::uintptr_t word);

    // Whether it was looked up before. Allocates nothing.
    bool isKnown(std::uintptr_t word) const noexcept
    {
        return m_classes.find(word) != m_classes.end();
    }

    // Whether \a word can be an address in a vtable. Fast, and allocates nothing.
    static bool mayBeVtable(std::uintptr_t word, const Mappings &mappings) noexcept
    {
        return word % sizeof(void *) == 0 && mappings.find(word);
    }

private:
    static constexpr std::size_t MostClasses = 100000;
    static constexpr std::uint64_t MostFileBytes = 512 * 1024 * 1024;
    static constexpr std::size_t MostSymbolBytes = 64 * 1024 * 1024;

    bool resolve(std::uintptr_t word, Class *result);
    bool readTypeName(std::uintptr_t information, std::string *name);
    bool isTypeInformation(std::uintptr_t vtable);
    bool readText(std::uintptr_t address, std::string *text) const;
    std::string nameBySymbols(std::uintptr_t vtable, const Mappings::Entry &entry, bool *guessed);
    const VtableSymbols &symbolsOf(const Mappings::Entry &entry);

    const ProcessMemory &m_memory;
    const Mappings *m_mappings = nullptr;
    std::map<std::uintptr_t, Class> m_classes;
    std::map<std::uintptr_t, bool> m_kinds; // whether a vtable is of a class for type information
    // By device and inode.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<VtableSymbols>> m_symbols;
    std::uint64_t m_fileBytes = MostFileBytes;
    std::size_t m_symbolBytes = MostSymbolBytes;
};

} // namespace QPool

#endif // QPOOLCLASSNAMES_H
