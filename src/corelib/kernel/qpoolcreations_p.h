// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCREATIONS_P_H
#define QPOOLCREATIONS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qpoolelfimage_p.h"

#if defined(QPOOL_HAS_ELF_IMAGE)

// Finds the symbols of a module, in the order in which the dynamic linker searches.
class QPoolSymbolScope
{
public:
    virtual ~QPoolSymbolScope() = default;

    struct Definition
    {
        std::string path; // of the module; empty if there is none
        bool isMarked = false;
    };
    virtual Definition find(const char *symbol) const = 0;

    // Whether there is type information of the class with this mangled name, for example 6QEvent. If so,
    // \a bases are the names of its base classes, or of all classes that it derives from.
    virtual bool findBases(const std::string &type, std::vector<std::string> *bases) const = 0;
};

// A class that a module creates with the pool's operator new, and whose deleting destructor is in a
// module that was compiled without the pool.
struct QPoolCreation
{
    std::string type; // its mangled name
    std::string found; // the path of the other module

    // The error message; \a creator is the path of the creating module.
    std::string complaint(const std::string &creator) const;
    // The demangled name.
    std::string className() const;
};

/*
    Finds the classes of this kind that a marked module creates, at most \a limit, by the symbols that are
    \a bound for the module.

    Such code calls a constructor, or needs a vtable, of another library: the module imports one of the
    two from a module without the mark, and the class derives from a class of the pool whose operator new
    the module calls. It also includes modules whose own deleting destructor of an inline class gives way
    to another module's.
*/
std::vector<QPoolCreation> qpoolFindCreations(const std::vector<QPoolElfImage::Symbol> &bound,
                                              const QPoolSymbolScope &scope, std::size_t limit);

// The mangled names of those of the pool's classes, QEvent, QObject and QObjectData, whose operator new
// the module imports. The module's objects of other classes are on the stack, or parts of other objects,
// and never deleted.
std::vector<std::string> qpoolCreatedBases(const std::vector<QPoolElfImage::Symbol> &bound);

// Whether the code with these imports may use classes of Qt, through any library.
bool qpoolImportsClasses(const std::vector<QPoolElfImage::Symbol> &bound);

#endif

#endif // QPOOLCREATIONS_P_H
