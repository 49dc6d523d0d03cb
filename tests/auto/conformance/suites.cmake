# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# A test for each of the most relevant of Qt's own suites, which ./qpool has built in QPOOL_QT_DIR.
# QPOOL_PYTHON runs them, and CMAKE_CROSSCOMPILING_EMULATOR, if they are for another processor.

set(list "${QPOOL_ROOT}/tests/conformance/suites.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
get_filename_component(version "${QPOOL_QT_DIR}" NAME)
string(REGEX MATCH "^[0-9.]+" version "${version}")
set(emulator "")
if(CMAKE_CROSSCOMPILING_EMULATOR)
    string(REPLACE ";" "\\;" emulator "--emulator=${CMAKE_CROSSCOMPILING_EMULATOR}")
endif()
file(STRINGS "${list}" lines REGEX "^[a-z].* telling")
foreach(line IN LISTS lines)
    string(REGEX MATCH "^[a-z0-9_]+" suite "${line}")
    if(NOT QPOOL_WITH_PROGRAMS AND line MATCHES " ([A-Za-z]+,)*Gui[ ,]")
        continue()
    endif()
    # qthread waits for two minutes and computes little. It is run again if the results differ.
    set(serial "")
    if(line MATCHES "[ ,]serial" AND NOT suite STREQUAL "qthread")
        set(serial RUN_SERIAL)
    endif()
    # Each suite runs twice, and more often if the results differ.
    qpool_add_script_test(NAME conformance_${suite} LABELS conformance TIMEOUT 1800 ${serial}
        COMMAND "${QPOOL_PYTHON}" -B "${QPOOL_ROOT}/tools/conformance/qpoolconformance.py"
            --list "${list}" --qt "${version}" --suites "^${suite}$"
            --stock "${QPOOL_QT_DIR}/stock-runtime/libQt6Core.so.6"
            --pooled "${QPOOL_QT_DIR}/on-runtime/libQt6Core.so.6"
            --programs "${QPOOL_QT_DIR}/suites" ${emulator})
endforeach()
