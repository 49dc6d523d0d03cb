// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcodesymbols.h"

#include "census/qpooldemangle.h"
#include "census/qpoolsymbolfile.h"
#include "stats/qpoolprintable.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

namespace QPool {

// The modules as libdw knows them.
class CodeSymbols::Files
{
public:
    Files(const ProcessMemory &memory, const Mappings &mappings)
    {
        // No other folders: the process could put a pipe there, for which opening would wait.
        static char debugFolder[] = "/usr/lib/debug";
        static char *debugPath = debugFolder;
        static const Dwfl_Callbacks callbacks = { &noFile, &dwfl_standard_find_debuginfo, nullptr, &debugPath };
        m_dwfl = dwfl_begin(&callbacks);
        if (!m_dwfl)
            return;
        dwfl_report_begin(m_dwfl);
        for (const Mappings::Entry &entry : mappings.entries()) {
            if (entry.begin != entry.base)
                continue;
            const int file = SymbolFile::open(memory, mappings, entry);
            if (file < 0)
                continue;
            const std::string name = mappings.nameOf(entry);
            // Closes the file, unless it can't use it.
            if (!dwfl_report_elf(m_dwfl, name.c_str(), name.c_str(), file, entry.base, false))
                close(file);
        }
        dwfl_report_end(m_dwfl, nullptr, nullptr);
    }
    ~Files() { dwfl_end(m_dwfl); }
    Files(const Files &) = delete;
    Files &operator=(const Files &) = delete;

    // Adds nothing if the address is in no file with a name for it.
    void find(std::uintptr_t address, std::vector<Place> *places) const
    {
        Dwfl_Module *module = m_dwfl ? dwfl_addrmodule(m_dwfl, address) : nullptr;
        if (!module)
            return;
        addByDebugInformation(module, address, places);
        if (!places->empty())
            return;
        GElf_Off offset = 0;
        GElf_Sym symbol;
        const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
        if (!name || !*name)
            return;
        Place place;
        place.function = printable(demangled(name));
        place.isNamed = true;
        setLine(module, address, &place);
        places->push_back(std::move(place));
    }

private:
    // All files were opened before.
    static int noFile(Dwfl_Module *, void **, const char *, Dwarf_Addr, char **, Elf **) { return -1; }

    static void setLine(Dwfl_Module *module, std::uintptr_t address, Place *place)
    {
        int number = 0;
        Dwfl_Line *line = dwfl_module_getsrc(module, address);
        if (const char *file = line ? dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr) {
            place->file = printable(std::string(file));
            place->line = number;
        }
    }

    static bool isFunction(Dwarf_Die *die)
    {
        const int tag = dwarf_tag(die);
        return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
    }

    static std::string nameOf(Dwarf_Die *die)
    {
        std::string linkage;
        for (unsigned kind : { unsigned(DW_AT_linkage_name), unsigned(DW_AT_MIPS_linkage_name) }) {
            Dwarf_Attribute attribute;
            if (dwarf_attr_integrate(die, kind, &attribute)) {
                if (const char *name = dwarf_formstring(&attribute))
                    linkage = demangled(name);
            }
        }
        // Some names of templates with lambdas are not understood, but there is always one without the class.
        if (!linkage.empty() && linkage.compare(0, 2, "_Z") != 0)
            return linkage;
        Dwarf_Attribute attribute;
        const char *name = dwarf_attr_integrate(die, DW_AT_name, &attribute) ? dwarf_formstring(&attribute) : nullptr;
        return name ? name : linkage;
    }

    // Where a function in line was called.
    static void setCaller(Dwarf_Die *unit, Dwarf_Die *die, Place *place)
    {
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        Dwarf_Files *files = nullptr;
        if (dwarf_attr(die, DW_AT_call_file, &attribute) && dwarf_formudata(&attribute, &number) == 0
            && dwarf_getsrcfiles(unit, &files, nullptr) == 0) {
            if (const char *file = dwarf_filesrc(files, number, nullptr, nullptr))
                place->file = printable(std::string(file));
        }
        if (dwarf_attr(die, DW_AT_call_line, &attribute) && dwarf_formudata(&attribute, &number) == 0)
            place->line = int(number);
    }

    // The innermost scope at the address, and those around it as the program was written into the file.
    static void addByDebugInformation(Dwfl_Module *module, std::uintptr_t address, std::vector<Place> *places)
    {
        Dwarf_Addr bias = 0;
        Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
        Dwarf_Die *innermost = nullptr;
        if (!unit || dwarf_getscopes(unit, address - bias, &innermost) <= 0)
            return;
        Dwarf_Die *scopes = nullptr;
        const int count = dwarf_getscopes_die(innermost, &scopes);
        Place next;
        setLine(module, address, &next);
        for (int i = 0; i < count; ++i) {
            if (!isFunction(&scopes[i]))
                continue;
            next.function = printable(nameOf(&scopes[i]));
            next.isNamed = !next.function.empty();
            if (!next.isNamed)
                break;
            places->push_back(next);
            if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
                break;
            next = Place();
            setCaller(unit, &scopes[i], &next);
        }
        std::free(scopes);
        std::free(innermost);
    }

    Dwfl *m_dwfl = nullptr;
};

CodeSymbols::CodeSymbols(const ProcessMemory &memory, const Mappings &mappings)
    : m_mappings(mappings)
    , m_files(std::make_unique<Files>(memory, mappings))
{
}

CodeSymbols::~CodeSymbols() = default;

const std::vector<CodeSymbols::Place> &CodeSymbols::find(std::uintptr_t returnAddress)
{
    const auto known = m_known.find(returnAddress);
    if (known != m_known.end())
        return known->second;
    if (m_known.size() >= MostAddresses) {
        m_unnamed.front().function = "(not looked up)";
        return m_unnamed;
    }
    std::vector<Place> &places = m_known[returnAddress];
    // A call may be the last instruction of its function.
    const std::uintptr_t address = returnAddress - 1;
    m_files->find(address, &places);
    const Mappings::Entry *entry = m_mappings.find(address);
    const std::string module = entry ? printable(m_mappings.nameOf(*entry)) : std::string();
    if (places.empty()) {
        Place place;
        char text[40];
        std::snprintf(text, sizeof(text), "%s0x%llx", entry ? "+" : "",
                      static_cast<unsigned long long>(entry ? address - entry->base : address));
        place.function = module + text;
        places.push_back(std::move(place));
    }
    for (Place &place : places)
        place.module = module;
    return places;
}

} // namespace QPool
