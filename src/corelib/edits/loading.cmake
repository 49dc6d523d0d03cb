# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A plugin that cannot run beside the loaded libraries is refused like a plugin that does not load, with
# the reason as the error string. qpoolmodules.cpp checks the file before any of its code runs, or the
# loaded plugin if only the dynamic linker knows where the file is.

qpool_concern(loading)
set(_qpool_loader src/corelib/plugin/qlibrary_unix.cpp)

qpool_edit(${_qpool_loader} BEFORE "#include <dlfcn.h>\n" [[
#if QT_CONFIG(pool_allocator)
#  include <private/qpoolmodules_p.h>
#endif
]])
qpool_edit(${_qpool_loader} AFTER "bool QLibraryPrivate::load_sys()\n{\n" [[
#if QT_CONFIG(pool_allocator)
    QPoolModuleLoad moduleLoad;
#endif
]])
qpool_edit(${_qpool_loader} BEFORE
"            hnd = dlopen(QFile::encodeName(attempt), dlFlags);
#ifdef Q_OS_ANDROID
" [[
#if QT_CONFIG(pool_allocator)
            if (moduleLoad.refusesFile(QFile::encodeName(attempt).constData())) {
                retry = false;
                break;
            }
#endif
]])
qpool_edit(${_qpool_loader} AFTER "    locker.relock();\n" [[
#if QT_CONFIG(pool_allocator)
    if (moduleLoad.refuses(hnd)) {
        dlclose(hnd);
        hnd = nullptr;
        moduleLoad.closed();
    }
#endif
]])
qpool_edit(${_qpool_loader} BEFORE "    if (hnd) {\n        qualifiedFileName = attempt;\n" [[
#if QT_CONFIG(pool_allocator)
    if (moduleLoad.isRefused()) {
        errorString = QLibrary::tr("Cannot load library %1: %2")
                              .arg(fileName, QString::fromLocal8Bit(moduleLoad.refusal()));
    }
#endif
]])
