// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLOADEDSCOPE_P_H
#define QPOOLLOADEDSCOPE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolcreations_p.h"
#include "qpoolelfmodule_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE) && !defined(QT_STATIC)

#include <memory>
#include <utility>

#include <dlfcn.h>

// Finds the symbols of a loaded module: first among the global symbols, and then, if the module may have
// been loaded with RTLD_LOCAL, in the module itself and the libraries that it needs.
class QPoolLoadedScope : public QPoolSymbolScope
{
    Q_DISABLE_COPY_MOVE(QPoolLoadedScope)
public:
    struct Closer
    {
        void operator()(void *handle) const { dlclose(handle); }
    };
    using Library = std::unique_ptr<void, Closer>; // a handle of dlopen()

    // \a modules must outlive the scope. Without a \a library, only global symbols are found.
    explicit QPoolLoadedScope(const std::vector<QPoolElfModule> &modules, Library library = {})
        : m_modules(modules), m_library(std::move(library))
    {
    }

    Definition find(const char *symbol) const override;
    bool findBases(const std::string &type, std::vector<std::string> *bases) const override;

private:
    void *address(const char *symbol) const;

    const std::vector<QPoolElfModule> &m_modules;
    Library m_library;
};

#endif

#endif // QPOOLLOADEDSCOPE_P_H
