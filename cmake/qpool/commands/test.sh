# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_test() { echo "build everything and run the tests"; }

help_test()
{
    cat <<'HELP'
usage: ./qpool test [--qt VERSION | --source DIR] [--jobs N] [--] [CTEST ARGUMENTS]
       ./qpool test --conformance [--suites REGEX] [--drop-in] [--whole] [--without-gui]
                    [--variant NAME] [--json FILE] [--doc]
                    [--qt VERSION | --source DIR] [--jobs N]
       ./qpool test --sanitize=thread|address|undefined [--] [CTEST ARGUMENTS]
       ./qpool test --cc NAME [--libc++] [--qt VERSION | --source DIR] [--jobs N]
                    [--] [CTEST ARGUMENTS]
       ./qpool test --arch NAME|all [--jobs N] [--] [CTEST ARGUMENTS]
       ./qpool test --bare

Installs what is missing, builds the pooled QtCore, the same with the flag off and the
untouched one to compare them with, and runs all tests, ten of Qt's own suites among them;
with another Qt than the distribution's only what that may change, and nothing of QtGui.
With --conformance: all of Qt's own suites that concern QtCore's events and objects, on the
pooled QtCore and on stock; the exit code is 0 if every function does the same on both.
doc/conformance.md tells how to read the table. With --sanitize: only the allocator's own
tests, which need no Qt, under that sanitizer. With --cc: what depends on the compiler, in
some minutes: the allocator's own tests and examples, built by that one without a warning, and
the files of QtCore that the fork adds or edits compiled. With --arch: the allocator's tests and
examples on another processor or system, emulated; doc/porting.md says what that shows and what it
does not. What is not an option of these is ctest's:
./qpool test -R NAME runs the tests of that name. The exit code is then ctest's.

HELP
    qt_help_options
    compiler_help_options
    arch_help_options
    cat <<'HELP'
  --libc++       with --cc: the allocator alone, on Clang's own standard library
  --conformance  run Qt's own suites, on stock and pooled, and compare
  --suites REGEX only those whose name matches: --suites '^q(timer|thread)$'
  --drop-in      only as programs built against stock, which is quicker
  --whole        also with the malloc front preloaded, as ./qpool run starts programs
  --without-gui  not those suites as built against the pooled Qt that need QtGui or QtWidgets, for
                 to build these takes a quarter of an hour or more; of Qt versions other than the
                 distribution's they are left out anyway
  --variant NAME judge another build than "on", in that way
  --json FILE    also write the result as JSON
  --doc          also put the table into doc/conformance.md
HELP
}

command_test()
{
    local document='' sanitize='' bare='' conformance='' dropin='' whole='' variant=on suites='' libcxx='' arch=''
    local arguments=() runner=() operands=()
    option_values=([--sanitize]="thread, address or undefined" [--arch]="${arch_names[*]} or all")
    take_options "$qt_options $compiler_options --libc++ --sanitize= --arch= --bare --conformance \
--drop-in --whole --without-gui --doc --suites= --json= --variant= -- ANY" take_test_option "$@"
    arguments+=("${operands[@]}")

    if [[ ! $conformance && ($dropin || $whole || ! $suites_gui || ${#runner[@]} -gt 0 || $document || $variant != on) ]]; then
        usage_error "--suites, --drop-in, --whole, --without-gui, --json, --doc and --variant go with --conformance: see ./qpool test --help"
    fi
    if [[ $cc_wanted && ($sanitize || $conformance) ]]; then
        usage_error "--cc goes neither with --sanitize nor with --conformance: see ./qpool test --help"
    elif [[ $libcxx && $cc_wanted != *clang* ]]; then
        usage_error "--libc++ goes with --cc clang: see ./qpool test --help"
    fi
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
            usage_error "--whole goes with no --variant hardened: the malloc front is not hardened, and one pool with QtCore"
        if [[ $document ]]; then
            [[ ! $suites && $variant == on ]] || usage_error "--doc is for all suites of the usual build: leave --suites and --variant out"
            runner+=("--doc=$QPOOL_ROOT/doc/conformance.md" "--command=$(conformance_call "$dropin" "$whole")")
        fi
        test_conformance "$variant" "$dropin" "$whole" "$suites" "${runner[@]}"
    elif [[ $sanitize ]]; then
        [[ $sanitize =~ ^(thread|address|undefined)$ ]] ||
            usage_error "--sanitize=$sanitize is none of thread, address, undefined"
        test_sanitized "$sanitize" "${arguments[@]}"
    elif [[ $cc_wanted ]]; then
        test_compiler "$libcxx" "${arguments[@]}"
    else
        test_all "${arguments[@]}"
    fi
}

# Into the variables of command_test.
take_test_option()
{
    case $1 in
    --libc++) libcxx=yes ;;
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
    --suites | --json | --variant) take_conformance_option "$1" "$2" ;;
    OPERAND) arguments+=("$2") ;; # ctest's
    esac
}

# Into the arguments of the runner, $variant and $suites.
take_conformance_option()
{
    check_runner_option "$1" "$2"
    case $1 in
    --variant) variant=$2 ;;
    --suites) suites=$2 ;;&
    *) runner+=("$1=$2") ;;
    esac
}

# What a reader of the document would call to see the same.
conformance_call()
{
    local call="./qpool test --conformance --doc"
    [[ ! $1 ]] || call+=" --drop-in"
    [[ ! $2 ]] || call+=" --whole"
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
    # Only where the other two columns have QtGui, too.
    suites_need_gui "$suites" && qt_is_distributions || suites_gui=
    if [[ $dropin ]]; then
        qpool_steps=10
    else
        qpool_steps=14
        [[ $suites_gui ]] && groups+=(full)
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

# On machines of its own, which take nothing from this one but the packages' archive.
test_bare()
{
    local build=$QPOOL_BUILD/bare
    qpool_steps=3
    ((EUID == 0)) || fail "the bare machine needs root, to unpack and mount it: run sudo ./qpool test --bare"
    take_lock
    install_packages build bare
    unshare --mount --pid --fork true 2>/dev/null ||
        fail "this system lets root neither mount nor unshare, as in a container: run ./qpool test --bare on one that does"
    step "Configuring the bare machine's tests"
    configure_once "$build" bare "$QPOOL_BUILD/log/bare-configure.log" "the bare machine's tests" \
        cmake -S "$QPOOL_ROOT/tests/bare" -B "$build" -G Ninja
    run_ctest "$build" --verbose
}

test_compiler()
{
    local libcxx=$1 build=$QPOOL_BUILD/allocator$cc_suffix library=()
    shift
    if [[ $libcxx ]]; then
        qpool_steps=4
        take_lock
        # shellcheck disable=SC2046 # one word a group
        install_packages build sanitize $(compiler_groups)
        choose_compiler
        echo '#include <cstddef>' | "$cc_cxx" -stdlib=libc++ -Werror -x c++ -fsyntax-only - 2>/dev/null ||
            fail "$cc_cxx finds no libc++ of its version: --cc clang-22 installs both, or install the one that goes with it"
        build+=-libcxx
        library=("-DQPOOL_LIBCXX=ON")
    else
        qpool_steps=8
        prepare_source sanitize
        configure_qt on
        compile_fork
    fi
    compiler_flags
    # The compiler's version, for another one is to configure anew.
    configure_project "$build" --preset default -B "$build" "${cc_flags[@]}" "${library[@]}" \
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-Werror" "-DQPOOL_COMPILER:STRING=$cc_version"
    build_project "$build" all
    # The rest is the same with any compiler, or, as the counts of instructions, GCC's.
    run_ctest "$build" -L allocator -LE 'valgrind|counted' -E '^(tst_model|windows_.*|fuzz_.*)$' "$@"
}

# One step: the files of QtCore that the fork adds or edits, with the headers they include. Qt's
# own warnings are Qt's; those in files of ours are errors.
compile_fork()
{
    local sources objects log=$qt_dir/log/${qt_build##*/}-build.log
    step "Compiling the fork's files of QtCore with ${cc_wanted##*/}"
    sources=$(sed -nE 's,^src/(corelib|3rdparty/qpool)(/.*\.cpp)$,\2.o:,p' \
        "$qt_dir/source-pool/.qpool-files")
    mapfile -t objects < <(ninja -C "$qt_build" -t targets all | grep -F "$sources" |
        sed -nE 's,^(src/corelib/CMakeFiles/Core\.dir/.*\.cpp\.o): .*,\1,p')
    ((${#objects[@]})) || fail "no file of the fork is built into QtCore: see $qt_build"
    build_in_qt "compiling the fork's files" "${objects[@]}"
    if [[ -e $log ]] &&
        grep -E '/(3rdparty/qpool/|qpool|qwakeupstate|qpostedeventlock).*: warning: ' "$log" >&2; then
        fail "there are warnings in files of the fork: mend what the lines above say"
    fi
    step_done "${#objects[@]} files"
}

test_all()
{
    local build=$QPOOL_BUILD/default against=()
    qpool_steps=14
    qt_is_distributions || qpool_steps=12
    prepare_source view top test conformance
    build_qt on Core Test
    build_dropin_suites telling_suites
    if qt_is_distributions; then
        build_qt stock Core
    else
        build=$QPOOL_BUILD/default-${qt_dir##*/}
        against_flag_off
        say "The distribution's programs, QtGui and QtQuick need a QtCore of their own version: what tests them is left out, and so is what needs no QtCore."
    fi
    configure_project "$build" --preset default -B "$build" -DQPOOL_ALL_TESTS=ON "-DQPOOL_QT_DIR=$qt_dir" "${against[@]}"
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
        ctest --test-dir "$build" --output-on-failure --no-tests=error "$@"
}
