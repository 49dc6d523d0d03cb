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

#if defined(__ELF__)

// Where the symbols of a module are found, in the order in which the dynamic linker looks.
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

    // Whether there is type information of the class of this mangled name, as 6QEvent, and then the
    // names of its base classes, or of all that it derives from.
    virtual bool findBases(const std::string &type, std::vector<std::string> *bases) const = 0;
};

// A class that a module creates with the pool's operator new, and whose deleting destructor is in one
// that was compiled without.
struct QPoolCreation
{
    std::string type; // its mangled name
    std::string found; // the path of the other module

    // What to tell of the \a creator, a path.
    std::string complaint(const std::string &creator) const;
    // As a programmer writes it.
    std::string className() const;
};

/*
    All of those classes that a module creates which bears the mark, found by the symbols that are
    \a bound for it: no more than \a limit.

    A constructor called from outside of its library, or a vtable needed there, is how such code is
    known: the module imports one of the two from a module that bears no mark, and the class derives
    from one of the pool's whose operator new it calls. So is one whose own deleting destructor of an
    inline class gives way to another module's.
*/
std::vector<QPoolCreation> qpoolFindCreations(const std::vector<QPoolElfImage::Symbol> &bound,
                                              const QPoolSymbolScope &scope, std::size_t limit);

// The mangled names of the pool's classes, QEvent, QObject and QObjectData, of which the pool's operator
// new is among those imported. What a module has of others is on the stack, or a part of something
// else, and never deleted.
std::vector<std::string> qpoolCreatedBases(const std::vector<QPoolElfImage::Symbol> &bound);

// Whether these are of code that may have classes of Qt's, by whatever library it came to them.
bool qpoolImportsClasses(const std::vector<QPoolElfImage::Symbol> &bound);

#endif

#endif // QPOOLCREATIONS_P_H
