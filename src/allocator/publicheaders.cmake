# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The headers that programs include, as <qpool/NAME.h>, in the build tree and installed; paths are
# relative to this folder. Programs must not include other headers directly.
set(QPOOL_PUBLIC_HEADERS
    adapters/concurrency/qautoresetevent.h
    adapters/concurrency/qblockingspscqueue.h
    adapters/concurrency/qspscqueue.h
    adapters/objects/qobjectaccess.h
    adapters/objects/qobjectcache.h
    adapters/objects/qobjectreset.h
    adapters/objects/qtypedpool.h
    adapters/shared/qpoolsharedallocator.h
    adapters/shared/qpoolsharedsegment.h
    adapters/std/qcachelineallocator.h
    adapters/std/qhugepageallocator.h
    adapters/std/qpoolresource.h
    adapters/std/qpoolstatefulallocator.h
    adapters/std/qpoolstdallocator.h
    os/qpoolhugepages.h
    os/qpoolinterruptlock.h
    os/qpoolstaticpages.h
    os/qpoolsystempages.h
    pool/qlistedpoolallocator.h
    pool/qpoolallocator.h
    pool/qsizedpoolallocator.h
    stats/qpoolstatistics.h
)

# qpool_forward_public_headers(<folder> <to>)
#
# Makes <to>/NAME.h for each public header of <folder>: a line that includes it. <folder> may be
# relative to <to>.
function(qpool_forward_public_headers folder to)
    set(names "")
    set(licence "// Copyright (C) 2026 The QPool authors\n")
    string(APPEND licence
        "// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only\n\n")
    foreach(header IN LISTS QPOOL_PUBLIC_HEADERS)
        if(NOT EXISTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${header}")
            message(FATAL_ERROR "There is no ${header} in ${CMAKE_CURRENT_FUNCTION_LIST_DIR}, "
                "which publicheaders.cmake names as a public header.")
        endif()
        get_filename_component(name "${header}" NAME)
        if(EXISTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}")
            message(FATAL_ERROR "${name} stands in ${CMAKE_CURRENT_FUNCTION_LIST_DIR} itself, where "
                "the one that publicheaders.cmake names is to be installed, too.")
        endif()
        if(name IN_LIST names)
            message(FATAL_ERROR "Two public headers in publicheaders.cmake have the name ${name}.")
        endif()
        list(APPEND names "${name}")
        # Written only if it changes; otherwise everything that includes it would be recompiled.
        file(CONFIGURE OUTPUT "${to}/${name}" CONTENT "${licence}#include \"${folder}/${header}\"\n" @ONLY)
    endforeach()
endfunction()
