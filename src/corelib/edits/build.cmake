# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The new files, and how they are built into QtCore.

# The libraries go to 3rdparty because syncqt does not look for Qt headers there. Files that only programs
# use are left out.
qpool_concern(allocator)
qpool_new_files(${QPOOL_ROOT}/src/allocator src/3rdparty/qpool/allocator
    EXCLUDE "(^|/)CMakeLists\\.txt$|^malloc/|^qobjectaccess|^os/qpool(failure|futexcall|interruptlock)|^pool/qlistedpoolallocator\\.h$")
# Of the classes for programs, the recording of latency uses the queue.
qpool_concern(queue)
qpool_new_files(${QPOOL_ROOT}/src/pools src/3rdparty/qpool/pools
    EXCLUDE "^[^/]*$|^(huge|objects|std)/|^concurrency/(qauto|qblocking|qpoolfutex|qpoolprocessors)")
qpool_concern("")
qpool_new_files(${QPOOL_ROOT}/src/corelib src/corelib EXCLUDE "^edits/")

# Inserts a part of a concern after the parts inserted before.
function(_qpool_build concern text)
    qpool_concern(${concern})
    qpool_edit(src/corelib/CMakeLists.txt
        BEFORE [[qt_internal_extend_target(Core CONDITION QT_FEATURE_animation
]] "${text}")
endfunction()

# Each line names a concern and its files below kernel. The headers with the operators mark each file
# that includes them with the name of a function, which the module check defines: neither is built
# without the other.
function(_qpool_build_kernel_files)
    foreach(line IN LISTS ARGN)
        string(REGEX MATCHALL "[^ ]+" files "${line}")
        list(POP_FRONT files concern)
        list(TRANSFORM files PREPEND kernel/)
        list(JOIN files " " text)
        string(REPLACE "modules" "operators" builder "${concern}")
        _qpool_build(${builder} "        ${text}\n")
        list(TRANSFORM files PREPEND src/corelib/)
        qpool_concern(${concern} NEW_FILES ${files})
    endforeach()
endfunction()

# QtCore and the malloc front share the pool of the process: the library that the dynamic linker finds
# first owns the state, so the symbols are exported.
#
# The linker keeps the order of the files, and the system reads 64 KiB of a library at a time. So what
# every program runs is in front, and what few programs run is behind it.
_qpool_build(feature [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_pool_allocator
    SOURCES
]])
_qpool_build_kernel_files(
    "operators    qpooldomains_p.h"
    "operators    qpoolfastpaths_p.h"
    "operators    qpoolmark.h"
    "operators    qpooloperators.cpp qpooloperators.h"
    "operators    qpoolslotoperators.h"
    "idle         qpoolidle.cpp qpoolidle_p.h")
_qpool_build(feature [[
        ../3rdparty/qpool/allocator/pages/qpoolgivingback.cpp
        ../3rdparty/qpool/allocator/pages/qpoolsystempages.cpp
        ../3rdparty/qpool/allocator/os/qpoolos_unix.cpp
        ../3rdparty/qpool/allocator/os/qpoolos_win.cpp
        ../3rdparty/qpool/allocator/os/qpoolos.cpp
        ../3rdparty/qpool/allocator/os/qpoolcopies.cpp
        ../3rdparty/qpool/allocator/os/qpoolelf.cpp
        ../3rdparty/qpool/allocator/qpoolglobal.cpp
        ../3rdparty/qpool/allocator/stats/qpoolpublication.cpp
        ../3rdparty/qpool/allocator/samples/qpoolheapsamples.cpp
        ../3rdparty/qpool/allocator/pool/qpoolheapfacts.cpp
        ../3rdparty/qpool/allocator/pool/qprocesspool.cpp
        ../3rdparty/qpool/allocator/pool/qpoolsamebuild.cpp
]])
_qpool_build_kernel_files(
    "statistics   qpoolinspection.cpp qpoolinspection_p.h"
    "modules      qpoolelfmodule.cpp qpoolelfmodule_p.h"
    "modules      qpoolmodules.cpp qpoolmodules_p.h"
    "modules      qpoolplannedload.cpp qpoolplannedload_p.h"
    "modules      qpoolrefusedmodules_p.h"
    "modules      qpoolelffile.cpp qpoolelffile_p.h"
    "modules      qpoolelfimage.cpp qpoolelfimage_p.h"
    "modules      qpoolcreations.cpp qpoolcreations_p.h"
    "modules      qpoolfilescope_p.h"
    "modules      qpoolloadedscope.cpp qpoolloadedscope_p.h"
    "statistics   qpoolcensus.cpp"
    "statistics   qpoolpublishing.cpp"
    "statistics   qpoolsnapshot.cpp"
    "statistics   qpoolsnapshotjson_p.h")
_qpool_build(feature [[
        ../3rdparty/qpool/allocator/os/qpoolelfcopies.cpp
        ../3rdparty/qpool/allocator/os/qpoolsharedmemory.cpp
        ../3rdparty/qpool/allocator/os/qpooltrace.cpp
    DEFINES
        QPOOL_PROCESS_COPY=1
    INCLUDE_DIRECTORIES
        ../3rdparty/qpool
        ../3rdparty/qpool/allocator
)
]])
# The census reads the process as a debugger does, through interfaces of Linux.
_qpool_build(feature [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_pool_allocator AND LINUX
    SOURCES
        ../3rdparty/qpool/allocator/census/qpoolcensus.cpp
        ../3rdparty/qpool/allocator/census/qpoolcensusjson.cpp
        ../3rdparty/qpool/allocator/census/qpoolcensusreader.cpp
        ../3rdparty/qpool/allocator/census/qpoolcensustally.cpp
        ../3rdparty/qpool/allocator/census/qpoolclassnames.cpp
        ../3rdparty/qpool/allocator/census/qpooleventtypes.cpp
        ../3rdparty/qpool/allocator/census/qpoolfacts.cpp
        ../3rdparty/qpool/allocator/census/qpoolfactsfinder.cpp
        ../3rdparty/qpool/allocator/census/qpoollayoutfacts.cpp
        ../3rdparty/qpool/allocator/census/qpoolmappings.cpp
        ../3rdparty/qpool/allocator/census/qpoolprocessmemory.cpp
        ../3rdparty/qpool/allocator/census/qpoolsymbolfile.cpp
        ../3rdparty/qpool/allocator/census/qpoolvtablesymbols.cpp
        ../3rdparty/qpool/allocator/census/qpoolwalk.cpp
        ../3rdparty/qpool/allocator/census/qpoolwalkmarks.cpp
        ../3rdparty/qpool/allocator/census/qpoolwalkpages.cpp
        ../3rdparty/qpool/allocator/census/qpoolwalkremotes.cpp
)
]])
_qpool_build(plainobjects [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_object_fast_paths
    SOURCES
]])
_qpool_build_kernel_files("plainobjects qpoolplainobjects_p.h")
_qpool_build(plainobjects ")\n")
_qpool_build(wakeups [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_economical_wakeup
    SOURCES
]])
_qpool_build_kernel_files(
    "wakeups qpostedeventlock_p.h"
    "wakeups qwakeupstate_p.h")
_qpool_build(wakeups ")\n")
_qpool_build(latency [[
qt_internal_extend_target(Core CONDITION QT_FEATURE_event_latency
    SOURCES
]])
_qpool_build_kernel_files(
    "latency qeventlatency.cpp qeventlatency_p.h"
    "latency qlatencycalls.cpp qlatencycalls_p.h"
    "latency qlatencycollector.cpp qlatencycollector_p.h"
    "latency qlatencyhistogram_p.h"
    "latency qlatencyjson.cpp"
    "latency qlatencymemory.cpp qlatencymemory_p.h"
    "latency qlatencypairing_p.h qlatencypending_p.h qlatencyrecord_p.h"
    "latency qlatencypublication.cpp qlatencypublication_p.h"
    "latency qlatencyrecorder.cpp qlatencyrecorder_p.h"
    "latency qlatencysegment_p.h"
    "latency qlatencytrace.cpp qlatencytrace_p.h"
    "latency qtickclock_p.h")
# nodelete, as below: the collector's thread and its exit handler outlive a dlclose(), too.
_qpool_build(latency [[
    INCLUDE_DIRECTORIES
        ../3rdparty/qpool
        ../3rdparty/qpool/allocator
)
qt_internal_extend_target(Core CONDITION QT_FEATURE_event_latency AND NOT QT_FEATURE_pool_allocator
    SOURCES
        ../3rdparty/qpool/allocator/os/qpoolsharedmemory.cpp
        ../3rdparty/qpool/allocator/qpoolglobal.cpp
)
if(LINUX)
    qt_internal_extend_target(Core CONDITION QT_FEATURE_event_latency
        LINK_OPTIONS "LINKER:-z,nodelete"
    )
endif()
]])

# nodelete: chunks, thread-exit handlers and the idle hook outlive a dlclose() of QtCore.
_qpool_build(feature [[
if(LINUX)
    qt_internal_extend_target(Core CONDITION QT_FEATURE_pool_allocator
        LINK_OPTIONS "LINKER:-z,nodelete"
    )
endif()
# The level of the pool's checks, 0 to 2. It is not a feature: no header that others compile uses it.
qt_internal_extend_target(Core CONDITION QPOOL_HARDENED
    DEFINES
        QPOOL_HARDENED=${QPOOL_HARDENED}
)

]])
