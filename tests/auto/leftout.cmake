# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The tests that cannot work on another processor or system, or its emulation, each with the reason.

qpool_leave_out("all tests below tests/auto but allocator's"
    "they need Qt, the malloc front or other programs of this machine's")

qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it forks, which Windows does not"
    TESTS tst_fork tst_objectcachethreads tst_parking tst_hugepages tst_givingback tst_guards
        tst_reservation tst_threadcontracts_1 tst_threadcontracts_2)
qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it uses limits or mappings of POSIX systems"
    TESTS tst_errno)
qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it uses keys of POSIX threads, where Windows has FLS"
    TESTS tst_threadkeys tst_lateuse)
qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it reads the process's size from /proc"
    TESTS tst_residentmemory)

# i386 programs run on the machine itself.
set(emulated_archs "arm64|armhf|riscv64")
qpool_leave_out_tests("${emulated_archs}"
    REASON "its death tests start the program again, which qemu cannot"
    TESTS tst_stdallocator tst_reservedhugepages tst_poolresource_hardened_1 tst_poolresource_hardened_2
        tst_contracts_1 tst_contracts_2
        tst_threadcontracts_1 tst_threadcontracts_2 tst_spoiltmemory tst_objectcontracts_1
        tst_objectcontracts_2)
qpool_leave_out_tests("${emulated_archs}"
    REASON "qemu does not apply limits of address space and data"
    TESTS tst_reservation tst_errno tst_givingback tst_publicationends tst_publicationlimits)
qpool_leave_out_tests("${emulated_archs}"
    REASON "resident pages and page faults are qemu's"
    TESTS tst_hugepages tst_poolresource)
qpool_leave_out_tests("${emulated_archs}"
    REASON "qemu does not tell the kernel which robust mutexes a thread holds"
    TESTS tst_sharedlock tst_sharedkills tst_sharedsteps)
qpool_leave_out_tests("${emulated_archs}"
    REASON "qemu invents when its own process started, so to others a process with the lock seems to have ended"
    TESTS tst_sharedprocesses)
qpool_leave_out_tests(armhf
    REASON "qemu keeps the memory of a 32-bit program elsewhere than /proc/PID/mem says"
    TESTS tst_censuswalk tst_censuswalk_1 tst_censuswalk_2)
qpool_leave_out_tests("${emulated_archs}"
    REASON "the name and the system calls of the process are qemu's"
    TESTS tst_publication tst_queuesystemcalls)
qpool_leave_out_tests("${emulated_archs}"
    REASON "the mappings that the census reads are qemu's, where the program's code is not executable"
    TESTS tst_classnames tst_censushostile)
