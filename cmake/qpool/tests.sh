# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The two tiers of ./qpool test: what a change can break, in a quarter of an hour beside a built QtCore, which CI runs;
# and everything.

# The regular expressions in tests/slow.txt.
slow_tests() { awk '/^[^#]/ { print $1 }' "$QPOOL_ROOT/tests/slow.txt"; }

# selects_tests CTEST_ARGUMENT...: whether they say which tests to run. Who names a test means it.
selects_tests()
{
    local argument
    for argument in "$@"; do
        case $argument in
        -R* | -L* | -I* | -E* | -F* | --tests-regex* | --label-regex* | --tests-information* | --exclude-regex* | --rerun-failed)
            return 0
            ;;
        esac
    done
    return 1
}

# compares_builds CTEST_ARGUMENT...: whether they select a test that needs more builds of QtCore than the pooled one.
compares_builds()
{
    selects_tests "$@" || return 1
    [[ $# -eq 2 && $1 =~ ^(-R|--tests-regex)$ ]] || return 0
    { printf 'tst_%s\n' symbols conformanceverdicts && suite_targets '' | sed 's/^suite_/conformance_/'; } |
        grep -E -e "$2" >/dev/null
}

# test_all ALL CTEST_ARGUMENTS...: if ALL is empty and no tests are selected, leaves out the slow ones.
test_all()
{
    local all=$1 build=$QPOOL_BUILD/default against=() slow=() more=yes groups=(view tools test conformance)
    shift
    qpool_steps=14
    if ! qt_is_distributions; then
        qpool_steps=12
    elif [[ ! $all ]] && ! compares_builds "$@"; then
        qpool_steps=8
        more=
        selects_tests "$@" || slow=(-E "^($(slow_tests | paste -sd'|'))$")
    fi
    [[ ${CI-} != true ]] || groups+=(ci)
    prepare_source "${groups[@]}"
    build_qt on Core Test
    if [[ ! $more ]]; then
        :
    elif qt_is_distributions; then
        build_edited off
        build_edited stock
        build_suites suites "$qt_untouched" '' telling_suites
    else
        suites_gui=
        build_dropin_suites telling_suites
        build=$QPOOL_BUILD/default-${qt_dir##*/}
        against_flag_off
        say "The distribution's programs, QtGui and QtQuick need a QtCore of their own version: tests of these are left out, and so are tests that need no QtCore."
    fi
    offer_stock
    configure_project "$build" --preset default -B "$build" -DQPOOL_ALL_TESTS=ON "-DQPOOL_QT_DIR=$qt_dir" "${against[@]}"
    build_project "$build" all
    if ((${#slow[@]})); then
        say "Without the slow tests, $(slow_tests | wc -l) names of tests/slow.txt: ./qpool test --all has them."
    fi
    run_ctest "$build" "${slow[@]}" "$@"
}

# ctest's summary must be printed last.
run_ctest()
{
    local build=$1
    shift
    step "Running the tests"
    release_lock
    CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)} exec \
        ctest --test-dir "$build" --output-on-failure --no-tests=error "$@"
}
