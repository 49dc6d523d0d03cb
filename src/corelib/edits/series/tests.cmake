# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The tests are for the series alone: QPool's own build uses them in place, and a new test is no reason
# to configure QtCore again. They keep their folders below the new one, because they include each
# other's headers by these paths.

qpool_concern(tests)

set(_qpool_tests tests/auto/corelib/qpool)
qpool_new_files(${QPOOL_ROOT}/src/corelib/edits/series/tests ${_qpool_tests})
foreach(folder IN ITEMS shared corelib dropin/shared dropin/wakeups)
    # Leaves out tests of programs and of QPool's other libraries, and files for QPool's build alone.
    qpool_new_files(${QPOOL_ROOT}/tests/auto/${folder} ${_qpool_tests}/${folder}
        EXCLUDE "(^|/)(CMakeLists\\.txt|.*\\.cmake)$|^(headers|qpoolcensus|qpoolmonitor)/|^pool\\.h$|countedevents\\.cpp$|tst_(foreignloops|latencypublication|wakeupcalls|wakeupstress)")
endforeach()

qpool_edit(tests/auto/corelib/CMakeLists.txt AFTER "add_subdirectory(platform)\n"
    "add_subdirectory(qpool)\n")

# The tests of each feature, for ./qpool patches --only. CMakeLists.txt builds what is there.
set(qpool_tests_of_economical-wakeup dropin/wakeups/tst_postedeventlock dropin/wakeups/tst_wakeups)
set(qpool_tests_of_nested-loop-wakeup dropin/wakeups/tst_nestedwakeups)
set(qpool_tests_of_object-fast-paths corelib/qpoolplainobjects)
set(qpool_tests_of_event-latency corelib/eventlatency)
set(qpool_tests_of_pool-allocator "corelib/qpool[a-oq-z]") # without plainobjects
