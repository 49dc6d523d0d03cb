# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The new files, and how they are built into QtCore.

# The allocator goes to 3rdparty because syncqt does not look for Qt headers there.
# What is for programs alone stays out.
qpool_new_files(${QPOOL_ROOT}/src/allocator src/3rdparty/qpool
    EXCLUDE "(^|/)CMakeLists\\.txt$|^publicheaders\\.cmake$|^adapters/|^os/qpool(futex|huge|processors)")
qpool_new_files(${QPOOL_ROOT}/src/corelib src/corelib EXCLUDE "^edits/")

# The pool is that of the process, for QtCore and the malloc front together: whichever the dynamic
# linker finds first owns the state, so the symbols are exported.
#
# nodelete: chunks, thread-exit handlers and the idle hook outlive a dlclose() of QtCore.
qpool_edit(src/corelib/CMakeLists.txt
    BEFORE [[qt_internal_extend_target(Core CONDITION QT_FEATURE_animation
]] [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_pool_allocator
    SOURCES
        kernel/qpoolcreations.cpp kernel/qpoolcreations_p.h
        kernel/qpooldomains_p.h
        kernel/qpoolelffile.cpp kernel/qpoolelffile_p.h
        kernel/qpoolelfimage.cpp kernel/qpoolelfimage_p.h
        kernel/qpoolelfmodule.cpp kernel/qpoolelfmodule_p.h
        kernel/qpoolfastpaths_p.h
        kernel/qpoolfilescope_p.h
        kernel/qpoolinspection.cpp
        kernel/qpoolloadedscope.cpp kernel/qpoolloadedscope_p.h
        kernel/qpoolmark.h
        kernel/qpoolmodules.cpp kernel/qpoolmodules_p.h
        kernel/qpoolplannedload.cpp kernel/qpoolplannedload_p.h
        kernel/qpoolrefusedmodules_p.h
        kernel/qpooloperators.cpp kernel/qpooloperators.h
        kernel/qpoolfiguresjson_p.h
        kernel/qpoolpublishing.cpp
        kernel/qpoolslotoperators.h
        kernel/qpoolsnapshot.cpp
        ../3rdparty/qpool/os/qpoolcopies.cpp
        ../3rdparty/qpool/os/qpoolos.cpp
        ../3rdparty/qpool/os/qpoolos_unix.cpp
        ../3rdparty/qpool/os/qpoolos_win.cpp
        ../3rdparty/qpool/os/qpoolsharedmemory.cpp
        ../3rdparty/qpool/os/qpoolsystempages.cpp
        ../3rdparty/qpool/os/qpooltrace.cpp
        ../3rdparty/qpool/pool/qprocesspool.cpp
        ../3rdparty/qpool/stats/qpoolpublication.cpp
    DEFINES
        QPOOL_PROCESS_COPY=1
    INCLUDE_DIRECTORIES
        ../3rdparty/qpool
)
qt_internal_extend_target(Core CONDITION QT_FEATURE_economical_wakeup
    SOURCES
        kernel/qpostedeventlock_p.h
        kernel/qwakeupstate_p.h
)
if(LINUX)
    qt_internal_extend_target(Core CONDITION QT_FEATURE_pool_allocator
        LINK_OPTIONS "LINKER:-z,nodelete"
    )
endif()
# The level of the pool's own checks, 0 to 2. Not a feature: no header that others compile knows of it.
qt_internal_extend_target(Core CONDITION QPOOL_HARDENED
    DEFINES
        QPOOL_HARDENED=${QPOOL_HARDENED}
)

]])
