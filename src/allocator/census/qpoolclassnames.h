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
    Which class an object is of, by its first word: the address in its class's vtable. Nothing of the
    process is called, so an object may as well be half built; its class is that whose constructor
    runs, then.

    In front of the functions in a vtable stands the type information of its class, and with it the
    name: in stripped programs, too, for dynamic_cast needs it. It is taken for that only if it is
    an object of one of the C++ library's own classes for type information, whose names are checked
    in turn: a heap block may begin with anything. Modules that are compiled without (-fno-rtti) may
    name their vtables among their symbols; if they do not either, a class is called by the module
    and the vtable's address in it, which is a guess, good enough for what is known to be an object.

    What was seen once is remembered: a class whose module was unloaded is still known by its name.
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
        bool guessed = false; // nothing but the look of it says that a vtable is there
    };

    explicit ClassNames(const ProcessMemory &memory) : m_memory(memory) { }

    // Before a series of calls: what is mapped now.
    void setMappings(const Mappings *mappings) { m_mappings = mappings; }

    // Null: no vtable is there, and none ever was.
    const Class *find(std::uintptr_t word);

    // Whether it was seen before. Allocates nothing.
    bool isKnown(std::uintptr_t word) const noexcept
    {
        return m_classes.find(word) != m_classes.end();
    }

    // Whether \a word may be an address in a vtable at all; quick, and allocates nothing.
    static bool mayBeVtable(std::uintptr_t word, const Mappings &mappings) noexcept
    {
        return word % sizeof(void *) == 0 && mappings.findInModule(word);
    }

    static std::string demangled(const std::string &name);

private:
    bool resolve(std::uintptr_t word, Class *result);
    bool readTypeName(std::uintptr_t information, std::string *name);
    bool isTypeInformation(std::uintptr_t vtable);
    bool readText(std::uintptr_t address, std::string *text) const;
    std::string nameBySymbols(std::uintptr_t vtable, const Mappings::Entry &entry, bool *guessed);

    const ProcessMemory &m_memory;
    const Mappings *m_mappings = nullptr;
    std::map<std::uintptr_t, Class> m_classes;
    std::map<std::uintptr_t, bool> m_kinds; // vtables of classes for type information, or not
    std::map<std::string, std::unique_ptr<VtableSymbols>> m_symbols; // by path
};

} // namespace QPool

#endif // QPOOLCLASSNAMES_H
