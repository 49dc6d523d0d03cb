// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREFUSEDMODULES_P_H
#define QPOOLREFUSEDMODULES_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolelfmodule_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE) && !defined(QT_STATIC)

#include <QtCore/qmutex.h>

#include <algorithm>

QT_BEGIN_NAMESPACE

// Modules that were refused and are still loaded: a loader that asks for a module never to be unloaded, as
// QPluginLoader does, cannot unload it. They are not used, so other modules may be loaded beside them. If
// such a module is loaded again, it does not call QtCore again, and is refused by this list.
class QPoolRefusedModules
{
public:
    static void add(const QPoolElfModule &module, const std::string &reason)
    {
        const QMutexLocker locker(&s_mutex);
        if (!find(module))
            list().push_back({ module, reason });
    }

    // The reason why \a module was refused, or an empty string.
    static std::string reasonFor(const QPoolElfModule &module)
    {
        const QMutexLocker locker(&s_mutex);
        const Entry *entry = find(module);
        return entry ? entry->reason : std::string();
    }

    static std::vector<QPoolElfModule> allOthers()
    {
        std::vector<QPoolElfModule> modules = QPoolElfModule::all();
        const QMutexLocker locker(&s_mutex);
        modules.erase(std::remove_if(modules.begin(), modules.end(), find), modules.end());
        return modules;
    }

    // A module that was unloaded may be loaded again, and is checked anew.
    static void forgetUnloaded()
    {
        const std::vector<QPoolElfModule> modules = QPoolElfModule::all();
        const QMutexLocker locker(&s_mutex);
        const auto isGone = [&](const Entry &entry) {
            return std::find(modules.begin(), modules.end(), entry.module) == modules.end();
        };
        list().erase(std::remove_if(list().begin(), list().end(), isGone), list().end());
    }

private:
    struct Entry
    {
        QPoolElfModule module;
        std::string reason;
    };

    // Never destroyed: libraries may be loaded at exit, too.
    static std::vector<Entry> &list()
    {
        static auto *list = new std::vector<Entry>;
        return *list;
    }

    static const Entry *find(const QPoolElfModule &module)
    {
        const auto entry = std::find_if(list().begin(), list().end(), [&](const Entry &entry) {
            return entry.module == module;
        });
        return entry != list().end() ? &*entry : nullptr;
    }

    static inline QBasicMutex s_mutex;
};

QT_END_NAMESPACE

#endif

#endif // QPOOLREFUSEDMODULES_P_H
