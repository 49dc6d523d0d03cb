# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The headers that programs include, as <qpool/NAME.h>, in the build tree and installed; paths are
# relative to this folder and begin with the library. Programs must not include other headers directly.
set(QPOOL_PUBLIC_HEADERS
    allocator/os/qpoolinterruptlock.h
    allocator/pages/qpoolstaticpages.h
    allocator/pages/qpoolsystempages.h
    allocator/pool/qlistedpoolallocator.h
    allocator/pool/qpoolallocator.h
    allocator/pool/qsizedpoolallocator.h
    allocator/qobjectaccess.h
    allocator/stats/qpoolstatistics.h
    pools/concurrency/qautoresetevent.h
    pools/concurrency/qblockingspscqueue.h
    pools/concurrency/qspscqueue.h
    pools/huge/qpoolhugepages.h
    pools/objects/qobjectcache.h
    pools/objects/qobjectreset.h
    pools/objects/qtypedpool.h
    pools/std/qcachelineallocator.h
    pools/std/qhugepageallocator.h
    pools/std/qpoolresource.h
    pools/std/qpoolstatefulallocator.h
    pools/std/qpoolstdallocator.h
    sharedmemory/qpoolsharedallocator.h
    sharedmemory/qpoolsharedsegment.h
)

# qpool_forward_public_headers(<folder> <to> [<library>...])
#
# Makes <to>/NAME.h for each public header below <folder>, of the named libraries or of all that are there:
# a line that includes it. <folder> may be relative to <to>. A program that was linked to QPool::Allocator
# and includes a header of another library is told which target to link.
function(qpool_forward_public_headers folder to)
    set(names "")
    # REUSE-IgnoreStart
    set(licence "// Copyright (C) 2026 The QPool authors\n")
    string(APPEND licence
        "// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only\n\n")
    # REUSE-IgnoreEnd
    foreach(header IN LISTS QPOOL_PUBLIC_HEADERS)
        string(REGEX REPLACE "/.*" "" library "${header}")
        if((ARGN AND NOT library IN_LIST ARGN)
                OR NOT IS_DIRECTORY "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${library}")
            continue()
        endif()
        if(NOT EXISTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${header}")
            message(FATAL_ERROR "There is no ${header} in ${CMAKE_CURRENT_FUNCTION_LIST_DIR}, "
                "which publicheaders.cmake names as a public header.")
        endif()
        get_filename_component(name "${header}" NAME)
        if(name IN_LIST names)
            message(FATAL_ERROR "Two public headers in publicheaders.cmake have the name ${name}.")
        endif()
        list(APPEND names "${name}")
        set(check "")
        if(library STREQUAL "pools")
            set(target Pools)
            set(macro QPOOL_LINKS_POOLS)
        else()
            set(target SharedMemory)
            set(macro QPOOL_LINKS_SHARED_MEMORY)
        endif()
        if(NOT library STREQUAL "allocator")
            string(CONCAT check "#if defined(QPOOL_LINKS_ALLOCATOR) && !defined(${macro})\n"
                "#  error \"<qpool/${name}> is of another library: target_link_libraries(... QPool::${target})\"\n"
                "#endif\n")
        endif()
        # Written only if it changes; otherwise everything that includes it would be recompiled.
        file(CONFIGURE OUTPUT "${to}/${name}" @ONLY
            CONTENT "${licence}${check}#include \"${folder}/${header}\"\n")
    endforeach()
endfunction()
