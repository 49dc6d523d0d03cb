// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmodules_p.h"

#include "qpooldomains_p.h"
#include "qpooloperators.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qobject.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

/*
    What must not meet in one process: code compiled against headers with the pool's operators
    that creates an object of a class whose deleting destructor was compiled without them. The
    chunk would come from the pool and be given to the heap.

    A constructor called from outside of its library, or a vtable needed there, is how such code
    is known: a module that bears our mark (qpoolmark.h), imports one of the two from a module
    that does not, and the class derives from one of the pool's. So is a marked module whose own
    deleting destructor of an inline class gives way to another module's.

    All else is safe and passes: unmarked programs and libraries, whatever they create; marked
    ones that only use an unmarked library's values and functions, or derive from its classes,
    for then the deleting destructor is their own. And with the pool standing aside, everything.
*/

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)
#  include <cxxabi.h>
#  include <dlfcn.h>
#  include <link.h>
#  include <unistd.h>
#  include <typeinfo>
#  define QPOOL_HAS_MODULE_CHECK
#endif

QT_USE_NAMESPACE

#ifdef QPOOL_HAS_MODULE_CHECK
namespace {

struct Module
{
    std::uintptr_t base = 0;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::string name;
    const ElfW(Dyn) *dynamic = nullptr;
    bool marked = false;
    bool usesQt = false;

    bool contains(const void *address) const
    {
        const auto where = reinterpret_cast<std::uintptr_t>(address);
        return where >= begin && where < end;
    }

    // Most C libraries have made the addresses in here absolute, some leave them relative.
    const void *entry(ElfW(Sxword) tag) const
    {
        for (const ElfW(Dyn) *dyn = dynamic; dyn && dyn->d_tag != DT_NULL; ++dyn) {
            if (dyn->d_tag == tag) {
                const std::uintptr_t at = dyn->d_un.d_ptr < base ? base + dyn->d_un.d_ptr
                                                                 : dyn->d_un.d_ptr;
                return reinterpret_cast<const void *>(at);
            }
        }
        return nullptr;
    }

    std::size_t symbolCount() const;
};

std::size_t Module::symbolCount() const
{
    if (auto *hash = static_cast<const std::uint32_t *>(entry(DT_HASH)))
        return hash[1];
    // Not written anywhere: one more than the last symbol of the last chain.
    auto *hash = static_cast<const std::uint32_t *>(entry(DT_GNU_HASH));
    if (!hash)
        return 0;
    const std::uint32_t bucketCount = hash[0];
    const std::uint32_t firstHashed = hash[1];
    const std::uint32_t *buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof(*hash));
    const std::uint32_t *chains = buckets + bucketCount;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < bucketCount; ++i)
        last = std::max(last, buckets[i]);
    if (last < firstHashed)
        return firstHashed;
    while (!(chains[last - firstHashed] & 1))
        ++last;
    return last + 1;
}

bool hasMark(const char *notes, std::size_t size)
{
    constexpr std::size_t header = 3 * sizeof(std::uint32_t);
    const auto padded = [](std::uint32_t length) { return (std::size_t(length) + 3) & ~std::size_t(3); };
    while (size >= header) {
        std::uint32_t lengths[2]; // of the owner's name, and of the content
        std::memcpy(lengths, notes, sizeof(lengths));
        const std::size_t whole = header + padded(lengths[0]) + padded(lengths[1]);
        if (whole > size)
            break;
        if (lengths[0] == sizeof("QPool") && std::memcmp(notes + header, "QPool", 6) == 0)
            return true;
        notes += whole;
        size -= whole;
    }
    return false;
}

std::string programPath()
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
    return length > 0 ? std::string(path, std::size_t(length)) : std::string("this program");
}

int addModule(dl_phdr_info *info, std::size_t, void *list)
{
    Module module;
    module.base = info->dlpi_addr;
    module.begin = std::uintptr_t(-1);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) &header = info->dlpi_phdr[i];
        const std::uintptr_t at = module.base + header.p_vaddr;
        if (header.p_type == PT_LOAD) {
            module.begin = std::min(module.begin, at);
            module.end = std::max(module.end, at + header.p_memsz);
        } else if (header.p_type == PT_DYNAMIC) {
            module.dynamic = reinterpret_cast<const ElfW(Dyn) *>(at);
        } else if (header.p_type == PT_NOTE && !module.marked) {
            module.marked = hasMark(reinterpret_cast<const char *>(at), header.p_memsz);
        }
    }
    if (auto *strings = static_cast<const char *>(module.entry(DT_STRTAB))) {
        for (const ElfW(Dyn) *dyn = module.dynamic; dyn->d_tag != DT_NULL; ++dyn) {
            if (dyn->d_tag == DT_NEEDED)
                module.usesQt |= std::strncmp(strings + dyn->d_un.d_val, "libQt6", 6) == 0;
        }
    }
    if (info->dlpi_name)
        module.name = info->dlpi_name;
    static_cast<std::vector<Module> *>(list)->push_back(std::move(module));
    return 0;
}

bool isPooled(const std::type_info &type)
{
    if (type == typeid(QObject) || type == typeid(QEvent) || type == typeid(QObjectData))
        return true;
    if (auto *single = dynamic_cast<const abi::__si_class_type_info *>(&type))
        return isPooled(*single->__base_type);
    if (auto *multiple = dynamic_cast<const abi::__vmi_class_type_info *>(&type)) {
        for (unsigned i = 0; i < multiple->__base_count; ++i) {
            if (isPooled(*multiple->__base_info[i].__base_type))
                return true;
        }
    }
    return false;
}

// Where the symbols of one module that may have been loaded out of everybody's sight are found.
class Scope
{
    Q_DISABLE_COPY_MOVE(Scope)
public:
    explicit Scope(const Module &module)
        : m_handle(dlopen(module.name.empty() ? nullptr : module.name.c_str(),
                          RTLD_LAZY | RTLD_NOLOAD)) { }
    ~Scope()
    {
        if (m_handle)
            dlclose(m_handle);
    }

    // In the order in which the dynamic linker looks.
    void *find(const char *symbol) const
    {
        void *found = dlsym(RTLD_DEFAULT, symbol);
        return found || !m_handle ? found : dlsym(m_handle, symbol);
    }

    // The class whose member \a symbol is, a mangled name with \a member at its end; null when
    // it has no type information.
    const std::type_info *classOf(const char *symbol, const char *member) const
    {
        const std::string inner(symbol + std::strlen("_ZN"), member);
        const void *info = find(("_ZTI" + inner).c_str());
        if (!info)
            info = find(("_ZTIN" + inner + 'E').c_str());
        return static_cast<const std::type_info *>(info);
    }

private:
    void *m_handle;
};

class Check
{
public:
    Check() { dl_iterate_phdr(addModule, &m_modules); }

    // What is wrong, or nothing.
    std::string run() const
    {
        bool mixed = false;
        for (const Module &module : m_modules)
            mixed |= module.usesQt && !module.marked;
        if (mixed) {
            for (const Module &module : m_modules) {
                // QtCore creates only classes of its own.
                if (module.marked && module.usesQt) {
                    std::string wrong = look(module);
                    if (!wrong.empty())
                        return wrong;
                }
            }
        }
        return {};
    }

private:
    const Module *unmarkedAt(const void *address) const
    {
        for (const Module &module : m_modules) {
            if (module.contains(address))
                return module.marked ? nullptr : &module;
        }
        return nullptr;
    }

    std::string look(const Module &module) const
    {
        auto *symbols = static_cast<const ElfW(Sym) *>(module.entry(DT_SYMTAB));
        auto *strings = static_cast<const char *>(module.entry(DT_STRTAB));
        if (!symbols || !strings)
            return {};
        const Scope scope(module);
        const std::size_t count = module.symbolCount();
        for (std::size_t i = 1; i < count; ++i) {
            const char *name = strings + symbols[i].st_name;
            if (std::strncmp(name, "_Z", 2) != 0)
                continue;
            const std::type_info *type = nullptr;
            const Module *other = nullptr;
            if (symbols[i].st_shndx != SHN_UNDEF) {
                if (const char *destructor = member(name, "D0Ev")) {
                    other = unmarkedAt(scope.find(name));
                    type = other ? scope.classOf(name, destructor) : nullptr;
                }
            } else if (const char *constructor = member(name, "C1E")) {
                other = unmarkedAt(scope.find(name));
                type = other ? scope.classOf(name, constructor) : nullptr;
            } else if (std::strncmp(name, "_ZTV", 4) == 0) {
                other = unmarkedAt(scope.find(name));
                const std::string info = std::string("_ZTI") + (name + 4);
                type = static_cast<const std::type_info *>(other ? scope.find(info.c_str()) : nullptr);
            }
            if (type && isPooled(*type))
                return complaint(module, *other, *type);
        }
        return {};
    }

    static const char *member(const char *name, const char *which)
    {
        return std::strncmp(name, "_ZN", 3) == 0 ? std::strstr(name, which) : nullptr;
    }

    static std::string complaint(const Module &module, const Module &other,
                                 const std::type_info &type)
    {
        int status = 0;
        char *readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
        const std::string subject = module.name.empty() ? programPath() : module.name;
        const std::string object = other.name.empty() ? programPath() : other.name;
        const std::string result = subject
                + " is compiled for a Qt with the pool allocator and creates "
                + (readable ? readable : type.name()) + ", but found " + object
                + ", which is not: they cannot run together. Let it find the libraries it was "
                  "built with, or build it with the headers of these; QT_POOL_ALLOCATOR=0 in the "
                  "environment lets it run without the pool.";
        std::free(readable);
        return result;
    }

    std::vector<Module> m_modules;
};

thread_local QPoolModuleLoad *currentLoad = nullptr;

} // namespace

/*!
    Called once by each module compiled against headers with the pool's operators, when it is
    loaded. If it, or another of them, would have a library compiled without give chunks of the
    pool to the heap, says so and ends the process before it comes to that, or lets QLibrary
    refuse the module. At the start of a program the first call, QtCore's own, sees all modules.
*/
extern "C" Q_CORE_EXPORT void qt_needs_QtCore_with_pool_allocator(void)
{
    if (QPoolDomains::standsAside())
        return;
    const std::string wrong = Check().run();
    if (wrong.empty())
        return;
    if (currentLoad) {
        currentLoad->refuse(wrong);
        return;
    }
    std::fprintf(stderr, "qpool: %s\n", wrong.c_str());
    // As the dynamic linker does when a program cannot be started.
    std::_Exit(127);
}

QPoolModuleLoad::QPoolModuleLoad() : m_outer(currentLoad) { currentLoad = this; }
QPoolModuleLoad::~QPoolModuleLoad() { currentLoad = m_outer; }
QPoolModuleLoad *QPoolModuleLoad::current() { return currentLoad; }

#else // no check for this platform

QPoolModuleLoad::QPoolModuleLoad() : m_outer(nullptr) { }
QPoolModuleLoad::~QPoolModuleLoad() = default;
QPoolModuleLoad *QPoolModuleLoad::current() { return nullptr; }

#  if defined(__ELF__) && !defined(QT_STATIC)
extern "C" Q_CORE_EXPORT void qt_needs_QtCore_with_pool_allocator(void) { }
#  endif
#endif
