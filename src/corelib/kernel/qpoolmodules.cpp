// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmodules_p.h"

#include "qpooldomains_p.h"
#include "qpoolelfmodule_p.h"
#include "qpoolloadedscope_p.h"
#include "qpooloperators.h"
#include "qpoolplannedload_p.h"
#include "qpoolrefusedmodules_p.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

/*
    Detects code, compiled against headers with the pool's operators, that creates objects of a class
    whose deleting destructor was compiled without them. The object's chunk would come from the pool and
    be given to the heap. qpoolcreations_p.h explains how such code is detected.

    Everything else is safe and accepted: unmarked programs and libraries, whatever they create; marked
    ones that only use an unmarked library's values and functions, or derive from its classes, because
    then the deleting destructor is their own. If the pool is disabled, everything is accepted, and also
    in a whole program: there the heap's operator delete is the malloc front's, which takes chunks of the
    pool.

    QLibrary checks a file before it loads it. All other modules call the check when they are
    initialised.
*/

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)
#  include <dlfcn.h>
#  define QPOOL_HAS_MODULE_CHECK

// Clang before 19 declares these only with -fsized-deallocation.
void operator delete(void *, std::size_t) noexcept;
void operator delete(void *, std::size_t, std::align_val_t) noexcept;
#endif

QT_USE_NAMESPACE

#ifdef QPOOL_HAS_MODULE_CHECK
namespace {

using Module = QPoolElfModule;
using RefusedModules = QPoolRefusedModules;

const char inQtCore = 0;

const void *moduleOf(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

// Whether the module that owns the pool also defines the operators delete that destructors of other
// modules call. That is the malloc front, unless the program replaces them.
bool isHeapOfPool()
{
    if (!QPool::processServesHeap.load(std::memory_order_relaxed))
        return false;
    static const bool isSame = [] {
        const auto plain = static_cast<void (*)(void *) noexcept>(&::operator delete);
        const auto sized = static_cast<void (*)(void *, std::size_t) noexcept>(&::operator delete);
        const auto aligned = static_cast<void (*)(void *, std::size_t, std::align_val_t) noexcept>(
                &::operator delete);
        const void *owner = moduleOf(&QPool::processServesHeap);
        return owner && moduleOf(reinterpret_cast<const void *>(plain)) == owner
                && moduleOf(reinterpret_cast<const void *>(sized)) == owner
                && moduleOf(reinterpret_cast<const void *>(aligned)) == owner;
    }();
    return isSame;
}

bool isCheckNeeded()
{
    return !QPool::isProcessPoolDisabled() && !isHeapOfPool();
}

struct Finding
{
    const Module *module = nullptr;
    std::string reason; // empty: nothing is wrong
};

class Check
{
public:
    // Modules that were \a judged already have their imports bound, and are not checked again.
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
    // Whether there is code compiled without the pool that may use classes of Qt. Most such code is linked
    // to a Qt library; only if none is, the imports of the other modules are searched.
    bool isMixed() const
    {
        const auto usesQt = [](const Module &module) { return module.usesQt && !module.marked; };
        const auto importsQt = [](const Module &module) {
            return !module.marked && qpoolImportsClasses(module.image().boundSymbols());
        };
        return std::any_of(m_modules.begin(), m_modules.end(), usesQt)
                || std::any_of(m_modules.begin(), m_modules.end(), importsQt);
    }

    std::string look(const Module &module) const
    {
        const QPoolElfImage image = module.image();
        const auto bound = image.boundSymbols();
        if (qpoolCreatedBases(bound).empty())
            return {};
        // The program uses the global symbols.
        QPoolLoadedScope::Library library;
        if (!module.name.isEmpty())
            library.reset(dlopen(module.name.constData(), RTLD_LAZY | RTLD_NOLOAD));
        const QPoolLoadedScope scope(m_modules, std::move(library));
        const std::vector<QPoolCreation> creations = qpoolFindCreations(bound, scope, 1);
        return creations.empty() ? std::string() : creations.front().complaint(module.path());
    }

    const std::vector<Module> &m_modules;
    const std::vector<Module> &m_judged;
};

thread_local QPoolModuleLoad *currentLoad = nullptr;

} // namespace

/*!
    Each module compiled against headers with the pool's operators calls this once, when it is loaded. If
    it, or another such module, would make a library compiled without them give chunks of the pool to the
    heap, this prints an error and ends the process before that happens, or lets QLibrary refuse the
    module. At the start of a program the first call, QtCore's own, checks all modules.
*/
extern "C" Q_CORE_EXPORT void qt_needs_QtCore_with_pool_allocator(void)
{
    // Every module that is loaded makes this call, and a module built with link-time optimisation makes it
    // many times. The dynamic linker's lock is held during the call.
    static Module::Counts checked;
    const Module::Counts counts = Module::counts();
    if (counts.loaded == checked.loaded || !isCheckNeeded())
        return;
    // If something is wrong now, modules that passed an earlier check are not the cause.
    static auto *good = new std::vector<Module>;
    std::vector<Module> modules = RefusedModules::allOthers();
    // Another module may have the name and the address of one that was unloaded.
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

bool QPoolModuleLoad::refusesFile(const char *path)
{
    // Code of a loaded module has run already. The dynamic linker searches for a name without a path.
    if (!isCheckNeeded() || !std::strchr(path, '/'))
        return false;
    if (void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD)) {
        dlclose(handle);
        return false;
    }
    m_refusal = qpoolRefusalOf(path);
    return isRefused();
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
bool QPoolModuleLoad::refusesFile(const char *) { return false; }
bool QPoolModuleLoad::refuses(void *) { return false; }
void QPoolModuleLoad::closed() { }

#  if defined(__ELF__) && !defined(QT_STATIC)
extern "C" Q_CORE_EXPORT void qt_needs_QtCore_with_pool_allocator(void) { }
#  endif
#endif
