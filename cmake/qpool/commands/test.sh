# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_test() { echo "build everything and run the tests"; }
group_test=develop

help_test()
{
    cat <<'HELP'
usage: ./qpool test [--all] [--qt VERSION | --source DIR] [--jobs N] [--] [CTEST ARGUMENTS]
       ./qpool test --conformance [--suites REGEX] [--drop-in] [--whole] [--without-gui]
                    [--variant NAME] [--json FILE] [--doc] [--timeout SECONDS]
                    [--qt VERSION | --source DIR] [--jobs N]
       ./qpool test --sanitize=thread|address|undefined [--] [CTEST ARGUMENTS]
       ./qpool test --cc NAME [--libc++] [--quick] [--qt VERSION | --source DIR] [--jobs N]
                    [--] [CTEST ARGUMENTS]
       ./qpool test --arch NAME|all [--jobs N] [--] [CTEST ARGUMENTS]
       ./qpool test --bare

Builds the pooled QtCore, and runs what a change can break: about a quarter of an hour on two
processors. tests/slow.txt lists the tests that this leaves out. With --all it also builds, to
compare with, what the fork edits, with the flag off and untouched, and runs all tests, including
ten of Qt's own suites: about three quarters of an hour. With a Qt version other than the
distribution's it runs only tests whose result may differ, and none of QtGui. Other options are
passed to ctest: ./qpool test -R NAME runs the tests of that name, slow ones too, and builds other
QtCores only for those that compare with them. The exit code is then ctest's.

With --conformance: runs all of Qt's own suites that test QtCore's events and objects, on the
pooled QtCore and on stock. The exit code is 0 if every function does the same on both.
doc/compatibility.md describes how to read the table.
With --sanitize: runs only the allocator's own tests, which need no Qt, under that sanitizer.
With --cc: checks in twenty minutes what depends on the compiler. Builds and runs the allocator's
own tests and examples, which must compile without a warning, and compiles the files of QtCore
that the fork adds or edits.
With --arch: runs the allocator's tests and examples on another processor or system, emulated.
doc/compatibility.md says what that shows and what it does not.
With --bare: runs the README's first command on a minimal Debian system, and installs the packages on
others.

HELP
    qt_help_options
    compiler_help_options
    arch_help_options
    cat <<'HELP'
  --all          also run the slow tests
  --libc++       with --cc: only the allocator, with Clang's own standard library
  --quick        with --cc: compile the libraries and the examples, but not the tests, without
                 optimisation; takes five minutes
  --conformance  run Qt's own suites, on stock and pooled, and compare
  --suites REGEX run only suites whose name matches: --suites '^q(timer|thread)$'
  --drop-in      run only programs built against stock, which is quicker
  --whole        also run with the malloc front preloaded, as ./qpool run starts programs
  --without-gui  leave out suites that need another QtGui than the distribution's: building one takes a
                 quarter of an hour or more, and for Qt versions other than the distribution's two are
                 needed
  --variant NAME test another build than "on", as drop-in
  --json FILE    also write the result as JSON
  --doc          also write the table into doc/results
  --timeout SECONDS
                 the time that a suite may take, 300 by default; without --conformance ctest's option
HELP
}

command_test()
{
    local document='' sanitize='' bare='' conformance='' dropin='' whole='' variant=on suites='' all='' libcxx='' quick='' arch='' timeout=''
    local arguments=() runner=() operands=()
    option_values=([--sanitize]="thread, address or undefined" [--arch]="${arch_names[*]} or all")
    take_options "$qt_options $compiler_options --libc++ --quick --all --sanitize= --arch= --bare --conformance \
--drop-in --whole --without-gui --doc --suites= --json= --variant= --timeout= -- ANY" take_test_option "$@"
    arguments+=("${operands[@]}")

    [[ ! $timeout || ! $conformance ]] || runner+=("--timeout=$timeout")
    [[ ! $timeout || $conformance ]] || arguments+=(--timeout "$timeout")
    if [[ ! $conformance && ($dropin || $whole || ! $suites_gui || ${#runner[@]} -gt 0 || $document || $variant != on) ]]; then
        usage_error "--suites, --drop-in, --whole, --without-gui, --json, --doc and --variant go with --conformance: see ./qpool test --help"
    fi
    if [[ $cc_wanted && ($sanitize || $conformance) ]]; then
        usage_error "--cc goes neither with --sanitize nor with --conformance: see ./qpool test --help"
    elif [[ $libcxx && $cc_wanted != *clang* ]]; then
        usage_error "--libc++ goes with --cc clang: see ./qpool test --help"
    elif [[ $quick && ! $cc_wanted ]]; then
        usage_error "--quick goes with --cc: see ./qpool test --help"
    fi
    [[ ! $all || ! ($arch || $bare || $conformance || $sanitize || $cc_wanted) ]] ||
        usage_error "--all goes with no other kind of test: see ./qpool test --help"
    if [[ $arch ]]; then
        [[ ! $sanitize && ! $conformance && ! $bare && ! $qt_wanted && ! $qt_checkout && ! $cc_wanted ]] ||
            usage_error "--arch goes with no other option but --jobs and ctest's: see ./qpool test --help"
        test_archs "$arch" "${arguments[@]}"
    elif [[ $bare ]]; then
        [[ ! $sanitize && ! $conformance && ! $qt_wanted && ! $qt_checkout && ! $cc_wanted && ${#arguments[@]} -eq 0 ]] ||
            usage_error "--bare goes with no other option: see ./qpool test --help"
        test_bare
    elif [[ $conformance ]]; then
        [[ ! $sanitize && ${#arguments[@]} -eq 0 ]] ||
            usage_error "--conformance takes no ${sanitize:+--sanitize}${arguments[*]}: see ./qpool test --help"
        [[ $variant == on ]] || dropin=yes
        [[ ! $whole || $variant != hardened ]] ||
            usage_error "--whole goes with no --variant hardened: the malloc front, which shares QtCore's pool, is not hardened"
        if [[ $document ]]; then
            [[ ! $suites && $variant == on ]] || usage_error "--doc is for all suites of the usual build: omit --suites and --variant"
            runner+=("--doc=$QPOOL_ROOT/doc/results/$(project_version)" "--command=$(conformance_call "$dropin" "$whole" "$timeout")")
        fi
        test_conformance "$variant" "$dropin" "$whole" "$suites" "${runner[@]}"
    elif [[ $sanitize ]]; then
        [[ $sanitize =~ ^(thread|address|undefined)$ ]] ||
            usage_error "--sanitize=$sanitize is none of thread, address, undefined"
        test_sanitized "$sanitize" "${arguments[@]}"
    elif [[ $cc_wanted ]]; then
        test_compiler "$libcxx" "$quick" "${arguments[@]}"
    else
        test_all "$all" "${arguments[@]}"
    fi
}

# Sets the variables of command_test.
take_test_option()
{
    case $1 in
    --all) all=yes ;;
    --libc++) libcxx=yes ;;
    --quick) quick=yes ;;
    --bare) bare=yes ;;
    --conformance) conformance=yes ;;
    --drop-in) dropin=yes ;;
    --whole) whole=yes ;;
    --without-gui) suites_gui= ;;
    --doc) document=yes ;;
    --sanitize) sanitize=$2 ;;
    --arch)
        check_arch "$2"
        arch=$2
        ;;
    --timeout)
        check_runner_option "$1" "$2"
        timeout=$2
        ;;
    --suites | --json | --variant) take_conformance_option "$1" "$2" ;;
    OPERAND) arguments+=("$2") ;; # ctest's
    esac
}

# Sets the arguments of the runner, $variant and $suites.
take_conformance_option()
{
    check_runner_option "$1" "$2"
    case $1 in
    --variant) variant=$2 ;;
    --suites) suites=$2 ;;&
    *) runner+=("$1=$2") ;;
    esac
}

# The command line that gives a reader of the document the same result.
conformance_call()
{
    local call="./qpool test --conformance --doc"
    [[ ! $1 ]] || call+=" --drop-in"
    [[ ! $2 ]] || call+=" --whole"
    [[ ! $3 ]] || call+=" --timeout $3"
    [[ $suites_gui ]] || call+=" --without-gui"
    [[ ! $qt_wanted ]] || call+=" --qt $qt_wanted"
    printf '%s' "$call"
}

test_conformance()
{
    local variant=$1 dropin=$2 whole=$3 suites=$4 targets groups=(conformance)
    shift 4
    mapfile -t targets < <(suite_targets "$suites")
    ((${#targets[@]})) || fail "none of Qt's suites has a name that matches: see tests/conformance/suites.txt"
    suites_need_gui "$suites" || suites_gui=
    qpool_steps=$([[ $dropin ]] && echo 10 || echo 14)
    if [[ $suites_gui ]] && ! { [[ $dropin ]] && qt_is_distributions; }; then
        groups+=(full)
    fi
    [[ ! $whole ]] || qpool_steps=$((qpool_steps + 2))
    prepare_source "${groups[@]}"
    build_qt "$variant" Core
    if [[ $whole ]]; then
        build_front
        set -- "--front=$front_library" "$@"
    fi
    [[ $dropin ]] || build_full_suites "${targets[@]}"
    build_dropin_suites "${targets[@]}"
    step "Running Qt's own suites, on stock and pooled"
    show_step
    run_suites "$variant" "$dropin" "$@"
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

# Runs on minimal systems that take nothing from this machine except the package archive.
test_bare()
{
    local build=$QPOOL_BUILD/bare
    qpool_steps=3
    ((EUID == 0)) || fail "--bare needs root, to unpack and mount the bare system: run sudo ./qpool test --bare"
    take_lock
    # Also what ./qpool package needs, which a test calls: nobody can answer it.
    install_packages build bare qt view tools package
    unshare --mount --pid --fork true 2>/dev/null ||
        fail "this system does not allow root to mount or unshare, as in a container: run ./qpool test --bare on a system that does"
    step "Configuring the bare machine's tests"
    configure_once "$build" bare "$QPOOL_BUILD/log/bare-configure.log" "the bare machine's tests" \
        cmake -S "$QPOOL_ROOT/tests/bare" -B "$build" -G Ninja
    run_ctest "$build" --verbose
}

test_compiler()
{
    local libcxx=$1 quick=$2 build=$QPOOL_BUILD/allocator$cc_suffix library=() optimised=-O3 targets=(all)
    shift 2
    if [[ $quick ]]; then
        build+=-quick
        optimised=-O0
        set -- -R '^example_' "$@"
    fi
    if [[ $libcxx ]]; then
        qpool_steps=4
        take_lock
        # shellcheck disable=SC2046 # one word a group
        install_packages build sanitize $(compiler_groups)
        choose_compiler
        echo '#include <cstddef>' | "$cc_cxx" -stdlib=libc++ -Werror -x c++ -fsyntax-only - 2>/dev/null ||
            fail "$cc_cxx finds no libc++ of its version: use --cc clang-22, which installs both, or install the matching libc++"
        build+=-libcxx
        library=("-DQPOOL_LIBCXX=ON")
    else
        qpool_steps=8
        prepare_source sanitize
        configure_qt on
        compile_fork
    fi
    compiler_flags
    # Includes the compiler's version, because another version needs a new configuration.
    configure_project "$build" --preset default -B "$build" "${cc_flags[@]}" "${library[@]}" \
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=$optimised -DNDEBUG" \
        "-DCMAKE_CXX_FLAGS=-Werror" "-DQPOOL_COMPILER:STRING=$cc_version"
    [[ ! $quick ]] || mapfile -t targets < <(ninja -C "$build" -t targets all |
        sed -nE 's/^((QPool|example_|qpool_hardened_)[A-Za-z0-9_]*): phony$/\1/p')
    build_project "$build" "${targets[@]}"
    # All other tests are independent of the compiler or, like the counts of instructions, need GCC.
    run_ctest "$build" -L allocator -LE 'valgrind|counted' -E '^(tst_model|windows_.*|fuzz_.*)$' "$@"
}

# One step: compiles the files of QtCore that the fork adds or edits, with the headers they include.
# Warnings in Qt's own files are ignored; those in files of the fork are errors.
compile_fork()
{
    local objects log=$qt_dir/log/${qt_build##*/}-build.log
    step "Compiling the fork's files of QtCore with ${cc_wanted##*/}"
    compile_edited "compiling the fork's files"
    if [[ -e $log ]] &&
        grep -E '/(3rdparty/qpool/|qpool|qwakeupstate|qpostedeventlock).*: warning: ' "$log" >&2; then
        fail "there are warnings in files of the fork: correct the warnings reported above"
    fi
    step_done "${#objects[@]} files"
}
