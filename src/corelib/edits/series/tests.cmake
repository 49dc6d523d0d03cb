# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The tests, for the series alone: QPool's own build takes them from where they are, and a new one is no
# reason to configure QtCore again. Below the new folder they are in the same folders as here, for they
# include each other's headers by these.

qpool_concern(tests)

set(_qpool_tests tests/auto/corelib/qpool)
qpool_new_files(${QPOOL_ROOT}/src/corelib/edits/series/tests ${_qpool_tests})
foreach(folder IN ITEMS shared corelib dropin/shared dropin/wakeups)
    # Of programs and of other libraries of QPool's, or for its build alone.
    qpool_new_files(${QPOOL_ROOT}/tests/auto/${folder} ${_qpool_tests}/${folder}
        EXCLUDE "(^|/)(CMakeLists\\.txt|.*\\.cmake)$|^(headers|qpoolmonitor)/|^pool\\.h$|countedevents\\.cpp$|tst_(foreignloops|wakeupcalls|wakeupstress)")
endforeach()

qpool_edit(tests/auto/corelib/CMakeLists.txt AFTER "add_subdirectory(platform)\n"
    "add_subdirectory(qpool)\n")
