# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Headers that must compile by themselves, whatever macros the program defines.

include_guard(GLOBAL)

# qpool_check_headers(<target> PRELUDE <file> HEADERS <names as in an #include>... [ALONE <names>...])
# qpool_check_headers(<target> ALONE <names>... [QT])
#
# An object library that compiles each header twice:
#   - first in a file, after the macros that Qt defines for its keywords: the header must include what
#     it needs, and use none of these names;
#   - together with all others, after <file>, which includes foreign headers, and after the macros min
#     and max of <windows.h>. Headers of ALONE are Qt's own, which do not support this, and are compiled
#     only in the first way. So are headers that include Qt's; with QT nothing is defined before them,
#     because Qt defines the keywords itself.
# The objects are nearly empty, but they are files: -fsyntax-only would write none, and the build would
# repeat the checks each time.
function(qpool_check_headers target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "QT" "PRELUDE" "HEADERS;ALONE")
    if(NOT arg_HEADERS AND NOT arg_ALONE)
        message(FATAL_ERROR "${target}: there are no headers to check.")
    endif()
    set(keywords [[
#ifndef QT_NO_KEYWORDS
#  define slots
#  define signals public
#  define emit
#  define foreach(variable, container) for (variable : container)
#  define forever for (;;)
#endif
]])
    set(min_max "#define min(a, b) (((a) < (b)) ? (a) : (b))\n#define max(a, b) (((a) > (b)) ? (a) : (b))\n")
    set(together "#include \"${arg_PRELUDE}\"\n${min_max}")
    set(sources "")
    foreach(header IN LISTS arg_HEADERS arg_ALONE)
        string(MAKE_C_IDENTIFIER "${header}" name)
        # Qt's headers define the keywords themselves.
        set(before "${keywords}")
        if(arg_QT OR header MATCHES "^(QtCore|private)/")
            set(before "")
        endif()
        set(alone "${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}_alone.cpp")
        file(CONFIGURE OUTPUT "${alone}" CONTENT "${before}#include <${header}>\n" @ONLY)
        list(APPEND sources "${alone}")
        if(NOT header IN_LIST arg_ALONE)
            string(APPEND together "#include <${header}>\n")
        endif()
    endforeach()
    if(arg_HEADERS)
        set(all "${CMAKE_CURRENT_BINARY_DIR}/${target}/after_min_and_max.cpp")
        file(CONFIGURE OUTPUT "${all}" CONTENT "${together}" @ONLY)
        list(APPEND sources "${all}")
    endif()
    add_library(${target} OBJECT ${sources})
    target_compile_options(${target} PRIVATE -O0 -g0 -Werror)
endfunction()
