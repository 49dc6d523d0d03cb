# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The feature object-fast-paths: fast paths through QObject's constructor and destructors for plain
# objects. src/corelib/kernel/qpoolplainobjects_p.h defines these, and explains why the paths are
# correct.

qpool_concern(plainobjects)
set(_qpool_qobject src/corelib/kernel/qobject.cpp)
set(_qpool_plain src/corelib/kernel/qpoolplainobjects_p.h)
# The functions for which that file has fast paths.
qpool_rely_on(${_qpool_qobject} "\nQObjectPrivate::QObjectPrivate(" ${_qpool_plain}
    a6a8fd37d3e1 622b56c6d1e5 436f826fbe6a)
qpool_rely_on(${_qpool_qobject} "QObjectPrivate::~QObjectPrivate()\n" ${_qpool_plain}
    03793b9dc60d 021743975065)
qpool_rely_on(${_qpool_qobject} "QObject::QObject(QObjectPrivate &dd, QObject *parent)\n"
    ${_qpool_plain} 2450b17c277e)
qpool_rely_on(${_qpool_qobject} "QObject::~QObject()\n" ${_qpool_plain}
    1e4c66bceb66 7440b94fb3f2)
qpool_rely_on(${_qpool_qobject} "void QObjectPrivate::setParent_helper(QObject *o)\n" ${_qpool_plain}
    a0cdadcfb1f0 a12b174eb170 e72e0bf8582f)
qpool_rely_on(src/corelib/kernel/qproperty.cpp "QBindingStorage::~QBindingStorage()\n"
    ${_qpool_plain} f870ad46ce95)
qpool_rely_on(src/corelib/kernel/qproperty.cpp "void QBindingStorage::clear()\n" ${_qpool_plain}
    243cc916da48)
qpool_edit(${_qpool_qobject} AFTER "#include \"qobject_p_p.h\"\n" [[
#if QT_CONFIG(object_fast_paths)
#  include "qpoolplainobjects_p.h"
#endif
]])

# Qt's code for all other objects moves to separate functions that are not inlined: otherwise the fast
# path would save the registers they need, too. Each begins where the fast path branches off and ends
# where Qt's function does.
qpool_edit(src/corelib/kernel/qobject.h
    AFTER "protected:\n    QObject(QObjectPrivate &dd, QObject *parent = nullptr);\n" [[
#if QT_CONFIG(object_fast_paths)
private:
    Q_DECL_HIDDEN Q_NEVER_INLINE void constructAny(QObject *parent);
    Q_DECL_HIDDEN Q_NEVER_INLINE void destroyAny();

protected:
#endif
]])
qpool_edit(${_qpool_qobject} AFTER "    d_ptr->q_ptr = this;\n" [[
#if QT_CONFIG(object_fast_paths)
    if (!parent && QPoolPlainObjects::tryMake(d)) {
        Q_TRACE(QObject_ctor, this);
    } else {
        constructAny(parent);
    }
}

void QObject::constructAny(QObject *parent)
{
    Q_D(QObject);
#endif
]])
qpool_edit(${_qpool_qobject}
    AFTER "    d->blockSig = 0; // unblock signals so we always emit destroyed()\n" [[
#if QT_CONFIG(object_fast_paths)
    if (QPoolPlainObjects::tryDestroy(d)) {
        Q_TRACE(QObject_dtor, this);
        if (d->parent)
            d->setParent_helper(nullptr);
    } else {
        destroyAny();
    }
}

void QObject::destroyAny()
{
    Q_D(QObject);
#endif
]])
qpool_edit(src/corelib/kernel/qobject_p.h AFTER "    virtual ~QObjectPrivate();\n" [[
#if QT_CONFIG(object_fast_paths)
    Q_DECL_HIDDEN Q_NEVER_INLINE void releaseAny();
#endif
]])
qpool_edit(${_qpool_qobject} AFTER "QObjectPrivate::~QObjectPrivate()\n{\n" [[
#if QT_CONFIG(object_fast_paths)
    if (!QPoolPlainObjects::tryRelease(this))
        releaseAny();
}

void QObjectPrivate::releaseAny()
{
#endif
]])
qpool_edit(src/corelib/kernel/qobject_p.h AFTER "    void clearBindingStorage();\n" [[
#if QT_CONFIG(object_fast_paths)
    // Like clearBindingStorage() with nothing to clear.
    void leaveBindings() { bindingStorage.bindingStatus = nullptr; }
#endif
]])

# The reference count of QThreadData is private, and the functions that change it are not inline in all
# versions.
qpool_edit(src/corelib/thread/qthread_p.h AFTER "    static void clearCurrentThreadData();\n" [[
#if QT_CONFIG(object_fast_paths)
    void takeReference() { _ref.ref(); }
    void dropReference()
    {
        if (!_ref.deref())
            delete this;
    }
#endif
]])

# The calling thread's data, for other files of QtCore. The symbol is not exported.
set(_qpool_thread_data "Q_CONSTINIT static thread_local QThreadData *currentThreadData = nullptr;\n")
qpool_edit(src/corelib/thread/qthread_unix.cpp BEFORE "${_qpool_thread_data}" [[
#if QT_CONFIG(object_fast_paths)
Q_CONSTINIT thread_local QThreadData *currentThreadData = nullptr;
#else
]])
qpool_edit(src/corelib/thread/qthread_unix.cpp AFTER "${_qpool_thread_data}" "#endif\n")

# Clears all flags before Qt sets them one by one.
qpool_edit(${_qpool_qobject} BEFORE "    isWidget = false;      " [[
#if QT_CONFIG(object_fast_paths)
    QPoolPlainObjects::clearFlags(this);
#endif
]])

# Few objects have binding data.
qpool_edit(src/corelib/kernel/qproperty.cpp AFTER "QBindingStorage::~QBindingStorage()\n{\n" [[
#if QT_CONFIG(object_fast_paths)
    if (Q_LIKELY(isEmpty()))
        return;
#endif
]])

# Each constructor of an object needs the calling thread's QThreadData and QBindingStatus: one load
# reads each instead of a call, as for the pool's own thread-local variable.
qpool_edit(src/corelib/CMakeLists.txt
    BEFORE [[qt_internal_extend_target(Core CONDITION QT_FEATURE_animation
]] [[
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h qpool_has_glibc)
if(QT_FEATURE_object_fast_paths AND qpool_has_glibc AND GCC)
    set_source_files_properties(kernel/qproperty.cpp thread/qthread_unix.cpp
        PROPERTIES COMPILE_OPTIONS "-ftls-model=initial-exec")
endif()
]])
