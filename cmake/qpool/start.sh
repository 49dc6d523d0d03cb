# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# How a program is started on the pooled QtCore, as built here or as installed.

# The variant on which programs run.
qt_run_variant=on
# Whether the program allocates everything from the pool: see front.sh.
qt_run_whole=
# Whether the program runs on stock Qt, because the pooled QtCore is not for the Qt that is installed.
qt_run_stock=

# exec_pooled PROGRAM ARGUMENTS...: replaces this process by PROGRAM, on the pooled QtCore. Unless the
# user chose otherwise, the program publishes its statistics for ./qpool top.
exec_pooled()
{
    export QT_POOL_ALLOCATOR=${QT_POOL_ALLOCATOR-monitor}
    export_pooled
    # Otherwise the shell ends with 1 if the system cannot execute the program.
    shopt -s execfail
    set +e
    exec "$@"
    exit 126
}

# Lets programs started from now on find the pooled QtCore, and releases the lock.
export_pooled()
{
    release_lock
    [[ ! $qt_run_stock ]] || return 0
    [[ $pooled_runtime != *[:\;]* ]] ||
        fail "the dynamic linker splits $pooled_runtime at ':' and ';': move the folder, or set QPOOL_BUILD_DIR to another"
    LD_LIBRARY_PATH=$pooled_runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    [[ ! $qt_run_whole ]] || preload_front
}

# The dynamic linker splits LD_PRELOAD at blanks and colons. If the path contains one, the linker finds
# the library by its name instead, like other libraries.
preload_front()
{
    local library=$front_library
    if [[ $library == *[[:space:]:]* ]]; then
        library=$front_name
        LD_LIBRARY_PATH+=:$front_runtime
    fi
    export LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
}
