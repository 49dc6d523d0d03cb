# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_test() { echo "build everything and run the tests"; }

help_test()
{
    cat <<'HELP'
usage: ./qpool test [--qt VERSION | --source DIR] [--jobs N] [--] [CTEST ARGUMENTS]
       ./qpool test --sanitize=thread|address|undefined [--] [CTEST ARGUMENTS]

Installs what is missing, builds the pooled QtCore, the same with the flag off and the
untouched one to compare them with, and runs all tests. With --sanitize: only the
allocator's own tests, which need no Qt, under that sanitizer. What is not an option of
these is ctest's: ./qpool test -R NAME runs the tests of that name. The exit code is
ctest's.

HELP
    qt_help_options
}

command_test()
{
    local sanitize='' arguments=()
    while (($#)); do
        take_qt_option "$@"
        if ((qt_taken)); then
            shift "$qt_taken"
            continue
        fi
        case $1 in
        --sanitize)
            [[ ${2-} ]] || usage_error "--sanitize needs a value: thread, address or undefined"
            sanitize=$2
            shift
            ;;
        --sanitize=*) sanitize=${1#*=} ;;
        --)
            shift
            arguments+=("$@")
            break
            ;;
        *) arguments+=("$1") ;;
        esac
        shift
    done

    if [[ $sanitize ]]; then
        [[ $sanitize =~ ^(thread|address|undefined)$ ]] ||
            usage_error "--sanitize=$sanitize is none of thread, address, undefined"
        test_sanitized "$sanitize" "${arguments[@]}"
    else
        test_all "${arguments[@]}"
    fi
}

test_sanitized()
{
    local build=$QPOOL_BUILD/$1 sanitize=$1
    shift
    qpool_steps=4
    take_lock
    install_packages build sanitize
    configure_project "$build" --preset "$sanitize" -B "$build"
    build_project "$build" all
    run_ctest "$build" "$@"
}

test_all()
{
    local build=$QPOOL_BUILD/default
    qpool_steps=12
    prepare_source view top test
    build_qt on Core Test
    build_qt off Core
    build_qt stock Core
    configure_project "$build" --preset default -B "$build" "-DQPOOL_QT_DIR=$qt_dir"
    build_project "$build" all
    run_ctest "$build" "$@"
}

# ctest's summary is to be the last that is printed.
run_ctest()
{
    local build=$1
    shift
    step "Running the tests"
    release_lock
    CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)} exec \
        ctest --test-dir "$build" --output-on-failure "$@"
}
