// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmodules_p.h"

#include "qpoolcreatedclasses_p.h"
#include "qpooldomains_p.h"
#include "qpoolelfmodule_p.h"
#include "qpooloperators.h"
#include "qpoolrefusedmodules_p.h"

#include <algorithm>
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
    that does not, and the class derives from one of the pool's whose operator new it calls. So is
    a marked module whose own deleting destructor of an inline class gives way to another module's.

    All else is safe and passes: unmarked programs and libraries, whatever they create; marked
    ones that only use an unmarked library's values and functions, or derive from its classes,
    for then the deleting destructor is their own. And with the pool standing aside, everything.
*/

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)
#  include <cxxabi.h>
#  include <dlfcn.h>
#  define QPOOL_HAS_MODULE_CHECK
#endif

QT_USE_NAMESPACE

#ifdef QPOOL_HAS_MODULE_CHECK
namespace {

using Module = QPoolElfModule;
using RefusedModules = QPoolRefusedModules;

// Where the symbols of one module that may have been loaded out of everybody's sight are found.
class Scope
{
    Q_DISABLE_COPY_MOVE(Scope)
public:
    explicit Scope(const Module &module)
        : m_handle(dlopen(module.name.isEmpty() ? nullptr : module.name.constData(),
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

    // The class whose member \a symbol is, a mangled name that contains \a member; null when it has no
    // type information. The class's own name may contain that, too, as ABC1Event does: what is cut
    // off there is no class.
    const std::type_info *classOf(const char *symbol, const char *member) const
    {
        const char *begin = symbol + std::strlen("_ZN");
        for (const char *at = std::strstr(begin, member); at; at = std::strstr(at + 1, member)) {
            const std::string inner(begin, at);
            const void *info = find(("_ZTI" + inner).c_str());
            if (!info)
                info = find(("_ZTIN" + inner + 'E').c_str());
            if (info)
                return static_cast<const std::type_info *>(info);
        }
        return nullptr;
    }

private:
    void *m_handle;
};

const char inQtCore = 0;

struct Finding
{
    const Module *module = nullptr;
    std::string reason; // empty: nothing is wrong
};

class Check
{
public:
    // Those that were \a judged already have found what they import, and are not looked at.
    Check(const std::vector<Module> &modules, const std::vector<Module> &judged)
        : m_modules(modules), m_judged(judged)
    {
    }

    Finding run() const
    {
        std::vector<const Module *> toJudge;
        for (const Module &module : m_modules) {
            // QtCore creates only classes of its own.
            if (module.marked && !module.contains(&inQtCore) && !contains(m_judged, module))
                toJudge.push_back(&module);
        }
        if (toJudge.empty() || !isMixed())
            return {};
        for (const Module *module : toJudge) {
            if (std::string wrong = look(*module); !wrong.empty())
                return { module, std::move(wrong) };
        }
        return {};
    }

    static bool contains(const std::vector<Module> &modules, const Module &module)
    {
        return std::find(modules.begin(), modules.end(), module) != modules.end();
    }

private:
    // Whether there is code compiled without the pool that may have classes of Qt's. Most of it names
    // a Qt library; only if none does are the imports of others looked through.
    bool isMixed() const
    {
        const auto usesQt = [](const Module &module) { return module.usesQt && !module.marked; };
        const auto importsQt = [](const Module &module) {
            return !module.marked && importsClasses(module);
        };
        return std::any_of(m_modules.begin(), m_modules.end(), usesQt)
                || std::any_of(m_modules.begin(), m_modules.end(), importsQt);
    }

    static bool importsClasses(const Module &module)
    {
        const std::vector<Module::Symbol> bound = module.boundSymbols();
        return std::any_of(bound.begin(), bound.end(), [](const Module::Symbol &symbol) {
            return std::strncmp(symbol.name, "_Z", 2) == 0
                    && (std::strstr(symbol.name, "7QObject") || std::strstr(symbol.name, "6QEvent"));
        });
    }

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
        const std::vector<Module::Symbol> bound = module.boundSymbols();
        QPoolCreatedClasses created;
        for (const Module::Symbol &symbol : bound) {
            if (!symbol.isDefined)
                created.note(symbol.name);
        }
        if (!created.any())
            return {};
        const Scope scope(module);
        for (const auto &[name, isDefined] : bound) {
            if (std::strncmp(name, "_Z", 2) != 0)
                continue;
            const std::type_info *type = nullptr;
            const Module *other = nullptr;
            if (isDefined) {
                if (isMember(name, "D0Ev")) {
                    other = unmarkedAt(scope.find(name));
                    type = other ? scope.classOf(name, "D0Ev") : nullptr;
                }
            } else if (isMember(name, "C1E")) {
                other = unmarkedAt(scope.find(name));
                type = other ? scope.classOf(name, "C1E") : nullptr;
            } else if (std::strncmp(name, "_ZTV", 4) == 0) {
                other = unmarkedAt(scope.find(name));
                const std::string info = std::string("_ZTI") + (name + 4);
                type = static_cast<const std::type_info *>(other ? scope.find(info.c_str())
                                                                 : nullptr);
            }
            if (type && created.areBasesOf(*type))
                return complaint(module, *other, *type);
        }
        return {};
    }

    static bool isMember(const char *name, const char *which)
    {
        return std::strncmp(name, "_ZN", 3) == 0 && std::strstr(name, which);
    }

    static std::string complaint(const Module &module, const Module &other,
                                 const std::type_info &type)
    {
        int status = 0;
        char *readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
        const std::string result = module.path()
                + " is compiled for a Qt with the pool allocator and creates "
                + (readable ? readable : type.name()) + ", but found " + other.path()
                + ", which is not: they cannot run together. Let it find the libraries it was "
                  "built with, or build it with the headers of these; QT_POOL_ALLOCATOR=0 in the "
                  "environment lets it run without the pool.";
        std::free(readable);
        return result;
    }

    const std::vector<Module> &m_modules;
    const std::vector<Module> &m_judged;
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
    // Each module that is loaded with others asks, and one built with link-time optimisation asks
    // many times. The dynamic linker's lock is held meanwhile.
    static Module::Counts checked;
    const Module::Counts counts = Module::counts();
    if (counts.loaded == checked.loaded || QPool::processStandsAside())
        return;
    // Those that were good then are not at fault if something is wrong now.
    static auto *good = new std::vector<Module>;
    std::vector<Module> modules = RefusedModules::allOthers();
    // By the name and in the place of one that is gone there may be another.
    const bool known = counts.unloaded == checked.unloaded;
    const Finding finding = Check(modules, known ? *good : std::vector<Module>()).run();
    if (!finding.module) {
        checked = counts;
        *good = std::move(modules);
        return;
    }
    if (currentLoad) {
        if (!Check::contains(*good, *finding.module))
            RefusedModules::add(*finding.module, finding.reason);
        currentLoad->refuse(finding.reason);
        return;
    }
    std::fprintf(stderr, "qpool: %s\n", finding.reason.c_str());
    // As the dynamic linker does when a program cannot be started.
    std::_Exit(127);
}

bool QPoolModuleLoad::refuses(void *handle)
{
    link_map *map = nullptr;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return false;
    Module module;
    module.base = map->l_addr;
    module.name = map->l_name;
    if (isRefused())
        RefusedModules::add(module, m_refusal);
    else
        m_refusal = RefusedModules::reasonFor(module);
    return isRefused();
}

void QPoolModuleLoad::closed()
{
    RefusedModules::forgetUnloaded();
}

QPoolModuleLoad::QPoolModuleLoad() : m_outer(currentLoad) { currentLoad = this; }
QPoolModuleLoad::~QPoolModuleLoad() { currentLoad = m_outer; }

#else // no check for this platform

QPoolModuleLoad::QPoolModuleLoad() : m_outer(nullptr) { }
QPoolModuleLoad::~QPoolModuleLoad() = default;
bool QPoolModuleLoad::refuses(void *) { return false; }
void QPoolModuleLoad::closed() { }

#  if defined(__ELF__) && !defined(QT_STATIC)
extern "C" Q_CORE_EXPORT void qt_needs_QtCore_with_pool_allocator(void) { }
#  endif
#endif
