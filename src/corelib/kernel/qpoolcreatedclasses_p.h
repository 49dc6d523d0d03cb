// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCREATEDCLASSES_P_H
#define QPOOLCREATEDCLASSES_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qcoreevent.h>
#include <QtCore/qobject.h>

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)

#include <cstring>
#include <typeinfo>

#include <cxxabi.h>

QT_BEGIN_NAMESPACE

// The pool's classes of which a module calls operator new. What it has of others is on the stack,
// or a part of something else, and never deleted.
class QPoolCreatedClasses
{
public:
    void note(const char *undefinedSymbol)
    {
        m_events |= std::strstr(undefinedSymbol, "6QEventnwE") != nullptr;
        m_objects |= std::strstr(undefinedSymbol, "7QObjectnwE") != nullptr;
        m_privates |= std::strstr(undefinedSymbol, "11QObjectDatanwE") != nullptr;
    }

    bool any() const { return m_events || m_objects || m_privates; }

    bool areBasesOf(const std::type_info &type) const
    {
        if ((m_events && type == typeid(QEvent)) || (m_objects && type == typeid(QObject))
            || (m_privates && type == typeid(QObjectData))) {
            return true;
        }
        if (auto *single = dynamic_cast<const abi::__si_class_type_info *>(&type))
            return areBasesOf(*single->__base_type);
        if (auto *multiple = dynamic_cast<const abi::__vmi_class_type_info *>(&type)) {
            for (unsigned i = 0; i < multiple->__base_count; ++i) {
                if (areBasesOf(*multiple->__base_info[i].__base_type))
                    return true;
            }
        }
        return false;
    }

private:
    bool m_events = false;
    bool m_objects = false;
    bool m_privates = false;
};

QT_END_NAMESPACE

#endif

#endif // QPOOLCREATEDCLASSES_P_H
