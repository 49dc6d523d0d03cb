# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The tests that cannot work on another processor or system, or its emulation, each with the reason.

set(linux_archs "arm64|armhf|i386|riscv64")

qpool_leave_out("all tests below tests/auto but allocator's"
    "they need Qt, the malloc front or other programs of this machine's")

qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it forks, which Windows does not"
    TESTS tst_fork tst_objectcachethreads tst_parking tst_hugepages tst_givingback tst_guards
        tst_reservation tst_largeblockcache tst_threadcontracts_1 tst_threadcontracts_2)
qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it uses limits or mappings of POSIX systems"
    TESTS tst_errno)
qpool_leave_out_tests(windows UNCOMPILABLE
    REASON "it uses keys of POSIX threads, where Windows has FLS"
    TESTS tst_threadkeys tst_lateuse)
