# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# Builds QtCore from a Qt version or a checkout: the untouched source, whose variant is stock, or a variant
# of the edited one that cmake/QtVariantOptions.cmake names.

# The values of --qt or --source, and of --jobs.
qt_wanted=
qt_checkout=
qt_jobs=

# Set by choose_qt.
qt_version=
qt_package_version=
qt_dir=
qt_untouched=
pooled_runtime= # the folder of the pooled QtCore
pooled_library=

# Set by configure_qt.
qt_build=
qt_what=

# CMake's arguments for another processor than this machine's: see arch-qt.sh.
qt_target=()

# For take_options.
qt_options="--qt= --source= --jobs="

set_qt_option()
{
    case $1 in
    --qt)
        [[ $2 =~ ^6\.[0-9]+\.[0-9]+([+~-][0-9A-Za-z.+~-]*)?$ || $2 =~ ^[0-9]+(\.[0-9]+)*$ ]] ||
            usage_error "--qt $2 is not a version: give one like 6.4.2"
        qt_wanted=$2
        ;;
    --source)
        [[ -d $2 ]] || fail "there is no folder $2: give --source a qtbase checkout"
        [[ -e $2/.cmake.conf && -e $2/src/corelib/CMakeLists.txt ]] ||
            fail "$2 is not a qtbase checkout: give --source the qtbase folder of a Qt 6 source tree"
        qt_checkout=$(cd "$2" && pwd)
        ;;
    --jobs)
        [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "--jobs $2 is not a number of jobs"
        qt_jobs=$2
        ;;
    esac
    if [[ $qt_wanted && $qt_checkout ]]; then
        usage_error "--qt and --source exclude each other: give one of them"
    fi
}

qt_help_options()
{
    cat <<'HELP'
  --qt VERSION   the Qt version to patch, such as 6.4.2 (default: the version of qt6-base-dev);
                 its source is the distribution's source package
  --source DIR   a qtbase checkout to patch; it is copied, never changed
  --jobs N       compile N files at a time (default: the number of processors)
HELP
}

# Changes with every package that is installed, upgraded or removed.
dpkg_status=/var/lib/dpkg/status

# Sets qt_package_version to the version of the distribution's source package of Qt, such as 6.4.2+dfsg-10. dpkg
# takes longer to tell than everything else that starts a program, so its answer is kept.
find_qt_package()
{
    local kept=$QPOOL_BUILD/.qt-package
    if [[ -s $kept && $kept -nt $dpkg_status ]]; then
        read -r qt_package_version <"$kept"
        return
    fi
    # shellcheck disable=SC2016 # dpkg's, not the shell's
    qt_package_version=$(dpkg-query -W -f '${source:Version}' qt6-base-dev) || return
    { mkdir -p "$QPOOL_BUILD" && echo "$qt_package_version" >"$kept"; } 2>/dev/null || true
}

installed_qt_package()
{
    local qt_package_version
    find_qt_package && echo "$qt_package_version"
}

# qt_number_of VERSION: the version without a package's additions, such as 6.4.2.
qt_number_of()
{
    local number=${1#*:}
    echo "${number%%[^0-9.]*}"
}

choose_qt()
{
    if [[ $qt_checkout ]]; then
        qt_version=$(sed -n 's/^ *set(QT_REPO_MODULE_VERSION "\(6\.[0-9.]*\)").*/\1/p' "$qt_checkout/.cmake.conf")
        [[ $qt_version ]] || fail "$qt_checkout/.cmake.conf names no Qt 6 version: give --source the qtbase folder of a Qt 6 source tree"
        qt_dir=$QPOOL_BUILD/qt/$qt_version-$(printf '%s' "$qt_checkout" | sha256sum | cut -c1-8)
        qt_untouched=$qt_checkout
    else
        qt_version=$qt_wanted
        if [[ ! $qt_version ]]; then
            find_qt_package
            qt_version=$(qt_number_of "$qt_package_version")
        fi
        qt_dir=$QPOOL_BUILD/qt/$qt_version
        qt_untouched=$qt_dir/source
    fi
    pooled_runtime=$qt_dir/$qt_run_variant-runtime
    pooled_library=$pooled_runtime/libQt6Core.so.6
}

# One step: the untouched source.
get_qt_source()
{
    if [[ $qt_checkout ]]; then
        step "Source of Qt $qt_version: $qt_checkout"
        step_done "there"
        return 0
    fi
    step "Source of Qt $qt_version: the distribution's package qt6-base"
    if [[ -d $qt_untouched ]]; then
        step_done "there"
        return 0
    fi
    need_room 2
    note "getting and unpacking about 50 MB"
    cmake_script "$qt_dir/log/source.log" FetchQtSource.cmake \
        "-DVERSION=$qt_version" "-DPACKAGE_VERSION=$qt_package_version" \
        "-DDESTINATION=$qt_untouched" "-DSTATE=$QPOOL_BUILD/apt"
    step_done
}

# One step: the edited copy, and qtbase.patch.
edit_qt_source()
{
    step "Edits"
    cmake_script "$qt_dir/log/edits.log" EditQtSource.cmake "-DSOURCE=$qt_untouched" \
        "-DDESTINATION=$qt_dir/source-pool" "-DPATCH=$qt_dir/qtbase.patch" \
        "-DREFRESH=${qt_checkout:+ON}"
    step_done "see ${qt_dir#"$PWD/"}/qtbase.patch"
}

# build_qt VARIANT TARGET...: two steps.
build_qt()
{
    configure_qt "$1"
    shift
    step "Building the $qt_what"
    build_in_qt "building the $qt_what" "$@"
    offer_library "$(built_library "$qt_build")" "$qt_build-runtime" libQt6Core.so.6
    step_done
}

# build_in_qt SUBJECT TARGET...: builds in the folder that configure_qt set in qt_build.
build_in_qt()
{
    local subject=$1
    shift
    # A second clone, at another path, must find in ccache what the first one compiled.
    export CCACHE_BASEDIR=$qt_dir CCACHE_NOHASHDIR=1
    run_ninja "$qt_dir/log/${qt_build##*/}-build.log" "$subject" "$qt_build" "$@"
}

# edited_objects: the targets of qt_build for the files that the fork adds or edits, of those that it
# compiles.
edited_objects()
{
    local sources
    sources=$(sed -nE 's,^src/(corelib|3rdparty/qpool)(/.*\.cpp)$,\2.o:,p' \
        "$qt_dir/source-pool/.qpool-files")
    ninja -C "$qt_build" -t targets all | grep -F "$sources" |
        sed -nE 's,^(src/corelib/CMakeFiles/Core\.dir/.*\.cpp\.o): .*,\1,p'
}

# compile_edited SUBJECT: compiles these; sets the caller's $objects to them.
compile_edited()
{
    mapfile -t objects < <(edited_objects)
    ((${#objects[@]})) || fail "no file that the fork adds or edits is built into QtCore: see $qt_build"
    build_in_qt "$1" "${objects[@]}"
}

# build_edited VARIANT: of its QtCore only what the fork edits; two steps. To compare the code with the
# flag off with an untouched tree: all other files are the same.
build_edited()
{
    local objects
    configure_qt "$1"
    step "Building what the fork edits in the $qt_what"
    compile_edited "building the $qt_what"
    step_done "${#objects[@]} files"
}

# offer_stock: the QtCore with which tests compare the pooled one, into the folder stock-runtime. It is the
# distribution's if that has this version, else the one with the flag off.
offer_stock()
{
    local library=$qt_dir/off-runtime/libQt6Core.so.6
    ! qt_is_distributions || library=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/libQt6Core.so.6
    offer_library "$library" "$qt_dir/stock-runtime" libQt6Core.so.6
}

# configure_qt VARIANT: one step. Sets qt_build to the folder and qt_what to a description of the build.
configure_qt()
{
    local variant=$1 what flags=() source=$qt_dir/source-pool build=$qt_dir/$1$cc_suffix
    shift
    if [[ $variant == stock ]]; then
        what="untouched QtCore" source=$qt_untouched
    else
        flags=("-DQPOOL_VARIANT=$variant")
        what=$(cmake "${flags[@]}" -P "$QPOOL_ROOT/cmake/QtVariantOptions.cmake" 2>/dev/null) ||
            usage_error "there is no build named $variant: see cmake/QtVariantOptions.cmake"
    fi
    ! qt_is_distributions || flags+=(-DQPOOL_SAME_VERSION=ON)
    flags+=("${qt_target[@]}")

    [[ $cc_wanted ]] && what+=" with ${cc_wanted##*/}"
    compiler_flags

    step "Configuring the $what (Qt $qt_version)"
    local signature
    signature=$( (
        printf '%s\n' "$source" "${flags[@]}"
        # Treats another version of the compiler as another compiler.
        [[ ! $cc_wanted ]] || printf '%s\n' "${cc_flags[@]}" "$cc_version"
        cat "$QPOOL_ROOT"/cmake/Qt*Options.cmake
        # Qt's CMake must find new files of the fork.
        [[ $variant == stock ]] || cat "$source/.qpool-files"
    ) | sha256sum)
    if ! configured_as "$build" "$signature"; then
        need_room 1
        note "takes about half a minute"
    fi
    configure_once "$build" "$signature" "$qt_dir/log/${build##*/}-configure.log" "the $what" \
        cmake "${flags[@]}" "${cc_flags[@]}" -C "$QPOOL_ROOT/cmake/QtOptions.cmake" \
        -S "$source" -B "$build" -G Ninja
    qt_build=$build
    qt_what=$what
}

# offer_library LIBRARY FOLDER NAME: puts only this library into FOLDER, as NAME. A program that
# searches FOLDER first finds all other libraries at their usual places. The file is a hard link: the
# linker writes a new file, so programs can be started while the library is built again.
offer_library()
{
    local library name
    library=$(readlink -f "$1")
    name=$(basename "$library")
    [[ ! $library -ef $2/$name ]] || return 0
    mkdir -p "$2"
    ln -f "$library" "$2/.$name" 2>/dev/null || cp "$library" "$2/.$name"
    mv -f "$2/.$name" "$2/$name"
    [[ $name == "$3" ]] || ln -sfn "$name" "$2/$3"
}

# The folder of libraries depends on the distribution's layout.
built_library()
{
    local library
    for library in "$1"/lib/libQt6Core.so.6 "$1"/lib/*/libQt6Core.so.6; do
        [[ -e $library ]] && break
    done
    echo "$library"
}

# run_ninja LOG SUBJECT FOLDER TARGET...
run_ninja()
{
    local log=$1 subject=$2 build=$3 jobs=() planned
    shift 3
    [[ $qt_jobs ]] && jobs=(-j "$qt_jobs")
    mkdir -p "$(dirname "$log")"
    planned=$(ninja -C "$build" -n "$@" 2>/dev/null | tail -n 1)
    if [[ $planned == *"no work to do"* ]]; then
        return 0
    fi
    show_step
    [[ ! $planned =~ ^\[[0-9]+/([0-9]+)\] ]] || announce_time "${BASH_REMATCH[1]}"
    if on_terminal; then
        NINJA_STATUS='      [%f of %t, %e s] ' ninja -C "$build" "${jobs[@]}" "$@" 9>&- && return 0
        fail "$subject failed: correct the errors reported above, then call ./qpool again"
    fi
    if ! NINJA_STATUS='[%f/%t] ' ninja -C "$build" "${jobs[@]}" "$@" 2>&1 9>&- | tee "$log" | show_ninja_progress; then
        grep -A 30 -m 1 '^FAILED:' "$log" >&2 || tail -n 25 "$log" >&2
        fail "$subject failed: $(cause_in_log "$log")"
    fi
}

# announce_time STEPS: how long a build of so many steps takes, unless it is short. A step, be it of QtCore or of a
# tool, takes a processor about one and a half seconds.
announce_time()
{
    local seconds=$((3 * $1 / (2 * ${qt_jobs:-$(nproc)})))
    if ((seconds > 60)); then
        note "takes about $(((seconds + 59) / 60)) min"
    elif ((seconds > 5)); then
        note "takes about $(((seconds + 9) / 10 * 10)) s"
    fi
}

# Prints a line for every ten per cent, or at least every half minute.
show_ninja_progress()
{
    local line shown=0 told=$SECONDS begun=$SECONDS percent
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        percent=$((BASH_REMATCH[1] * 100 / BASH_REMATCH[2]))
        if ((percent >= shown + 10 || SECONDS >= told + 30)); then
            shown=$((percent - percent % 10))
            told=$SECONDS
            note "$(printf '%3d %%  %s of %s, %d s' "$percent" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - begun)))"
        fi
    done
    return 0
}

# prepare_source GROUP...: packages, source, edits; three steps.
prepare_source()
{
    take_lock
    # shellcheck disable=SC2046 # one word a group
    install_packages build qt "$@" $(compiler_groups)
    choose_compiler
    choose_qt
    get_qt_source
    edit_qt_source
}

# is_current FILE...: whether nothing has changed since a call found that these files are up to date: no
# source, no package. A checkout of Qt's is the user's, and is not looked through.
is_current()
{
    local file stamp is_newer=(-false)
    [[ ! $qt_checkout ]] || return 1
    for file in "$@"; do
        stamp=${file%/*}/.current-${file##*/}
        [[ -e $file && -e $stamp ]] || return 1
        is_newer+=(-o -newer "$stamp")
    done
    [[ ! $(exec find "$QPOOL_ROOT"/{qpool,cmake,src,tools,examples} "$dpkg_status" \( "${is_newer[@]}" \) \
        -print -quit 2>&1) ]]
}

# note_current FILE...: they are, as this call has brought them up to date. Without the note, the next call takes
# longer.
note_current()
{
    local file
    for file in "$@"; do
        touch -d "@$qpool_begun" "${file%/*}/.current-${file##*/}" 2>/dev/null || true
    done
}

# use_built_qt [FILE...]: whether the pooled QtCore of the requested Qt and these files are up to date. If not, this
# call holds the lock afterwards, so that it can bring them up to date. It waits for another ./qpool that is at work:
# what that has built so far may not go together.
use_built_qt()
{
    [[ $qt_wanted || $qt_checkout ]] || find_qt_package 2>/dev/null || return 1
    choose_qt
    ! is_current "$pooled_library" "$@" || return 0
    ! try_lock || return 1
    take_lock
    is_current "$pooled_library" "$@"
}

# prepare_qt GROUP...: prepare_source, and builds the pooled QtCore; five steps.
prepare_qt()
{
    prepare_source "$@"
    build_qt "$qt_run_variant" Core
}
