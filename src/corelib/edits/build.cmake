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
file(GLOB_RECURSE qpool_sources
    "${CMAKE_CURRENT_SOURCE_DIR}/../3rdparty/qpool/*.cpp")
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
        kernel/qpoolplainobjects_p.h
        kernel/qpoolplannedload.cpp kernel/qpoolplannedload_p.h
        kernel/qpoolrefusedmodules_p.h
        kernel/qpooloperators.cpp kernel/qpooloperators.h
        kernel/qpoolfiguresjson_p.h
        kernel/qpoolpublishing.cpp
        kernel/qpoolslotoperators.h
        kernel/qpoolsnapshot.cpp
        ${qpool_sources}
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
# For the files that include the pool's alone, so that all others are the same objects whatever the
# level, and ccache has them. One that is missed does not link.
if(QPOOL_HARDENED)
    file(GLOB_RECURSE qpool_users "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    foreach(qpool_user IN LISTS qpool_users qpool_sources)
        file(STRINGS "${qpool_user}" qpool_includes
            REGEX "include.*(qpool|qfuture|qtconcurrent|qthread)")
        if(qpool_includes OR qpool_user IN_LIST qpool_sources)
            set_property(SOURCE "${qpool_user}" APPEND PROPERTY
                COMPILE_DEFINITIONS QPOOL_HARDENED=${QPOOL_HARDENED})
        endif()
    endforeach()
endif()

]])
