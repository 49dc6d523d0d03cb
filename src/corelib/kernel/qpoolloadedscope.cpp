// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolloadedscope_p.h"

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)

#include <typeinfo>

#include <cxxabi.h>

// In the order in which the dynamic linker searches.
void *QPoolLoadedScope::address(const char *symbol) const
{
    void *found = dlsym(RTLD_DEFAULT, symbol);
    return found || !m_library ? found : dlsym(m_library.get(), symbol);
}

QPoolSymbolScope::Definition QPoolLoadedScope::find(const char *symbol) const
{
    if (const void *found = address(symbol)) {
        for (const QPoolElfModule &module : m_modules) {
            if (module.contains(found))
                return { module.path(), module.marked };
        }
    }
    return {};
}

bool QPoolLoadedScope::findBases(const std::string &type, std::vector<std::string> *bases) const
{
    const auto *information =
            static_cast<const std::type_info *>(address(("_ZTI" + type).c_str()));
    if (!information)
        return false;
    std::vector<const std::type_info *> derived { information };
    const auto add = [&](const std::type_info *base) {
        derived.push_back(base);
        bases->push_back(base->name());
    };
    for (std::size_t i = 0; i < derived.size(); ++i) {
        if (auto *single = dynamic_cast<const abi::__si_class_type_info *>(derived[i])) {
            add(single->__base_type);
        } else if (auto *several = dynamic_cast<const abi::__vmi_class_type_info *>(derived[i])) {
            for (unsigned base = 0; base < several->__base_count; ++base)
                add(several->__base_info[base].__base_type);
        }
    }
    return true;
}

#endif
