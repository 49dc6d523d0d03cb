# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_patches() { echo "write the fork as patches for git am on qtbase"; }
group_patches=build

help_patches()
{
    cat <<'HELP'
usage: ./qpool patches [DIR] [--only FEATURE] [--qt VERSION | --source TREE]

Writes the fork as a series of patches into DIR, a new or an empty folder; without DIR, into
build/patches, whose old series it replaces. Each patch has one concern and a message that gives the
reason, the measurements and the tests. On a qtbase tree of that version, git am DIR/*.patch applies
them; the result is what ./qpool build builds, plus the tests. Nothing is built. See
doc/maintainers.md.

  --only FEATURE one feature by itself, with its tests: economical-wakeup, nested-loop-wakeup,
                 object-fast-paths, event-latency or pool-allocator
  --qt VERSION   the Qt version to patch, such as 6.4.2 (default: the version of qt6-base-dev); its
                 source is the distribution's source package
  --source TREE  a qtbase checkout to patch; it is only read

If the fork does not fit a tree, the command names the file and the missing anchor and writes nothing.
With --only it need not fit but for that feature. The author of the patches is that of QPool's last
commit, because nobody else may give them away; GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL change it.
HELP
}

command_patches()
{
    local folder='' only='' operands=()
    # No --jobs, because nothing is compiled.
    take_options "--only= --qt= --source= OPERAND" take_patches_option "$@"
    if [[ $folder ]]; then
        folder=$(realpath -m -- "$folder")
        check_patch_folder "$folder"
    fi

    qpool_steps=3
    take_lock
    # The default is the version of a Qt package.
    local groups=(patch)
    [[ $qt_wanted || $qt_checkout ]] || groups+=(qt)
    install_packages "${groups[@]}"
    choose_qt
    get_qt_source
    step "Patches for Qt $qt_version"
    if [[ ! $folder ]]; then
        folder=$QPOOL_BUILD/patches/$qt_version/${only:-all}
        mkdir -p "${folder%/*}"
        rm -rf "$folder"
    fi
    write_patches "$folder"
    step_done
    say "Written: $(find "$folder" -name '*.patch' | wc -l) patches; in a checkout of Qt $qt_version: git am $folder/*.patch"
}

option_values[--only]="the name of a feature, such as economical-wakeup"

# Sets $folder or $only.
take_patches_option()
{
    local features
    if [[ $1 == --only ]]; then
        features=$(sed -n 's/^set(qpool_features \(.*\))$/\1/p' "$QPOOL_ROOT/src/corelib/edits/series/series.cmake")
        # shellcheck disable=SC2086 # one word a feature
        [[ " $features " == *" $2 "* ]] ||
            usage_error "there is no feature $2: $(meant "$2" $features)the features are ${features// /, }"
        only=$2
        return
    fi
    [[ $2 ]] || usage_error "patches needs a folder for the patches: see ./qpool patches --help"
    [[ ! $folder ]] || usage_error "patches takes one folder, not $folder and $2"
    folder=$2
}

check_patch_folder()
{
    local parent
    if [[ -e $1 && ! -d $1 ]]; then
        fail "$1 is not a folder: give a new or an empty one"
    fi
    if [[ -n $(ls -A "$1" 2>/dev/null) ]]; then
        fail "$1 is not empty: give a new or an empty folder"
    fi
    parent=$(dirname "$1")
    [[ -d $parent ]] || fail "there is no folder $parent: create it, or give another"
    [[ -w $parent ]] || fail "cannot write to $parent: give a folder of your own"
}

# write_patches FOLDER: writes all patches or none.
write_patches()
{
    local name mail
    name=$(author_of_patches name) mail=$(author_of_patches email)

    # Global, for the trap. Beside the folder, so that one rename makes all patches appear at once.
    stage=$(mktemp -d "$(dirname "$1")/.qpool-patches.XXXXXX")
    trap 'rm -rf "$stage"' EXIT
    cmake_script "$qt_dir/log/patches.log" WritePatchSeries.cmake "-DSOURCE=$qt_untouched" \
        "-DDESTINATION=$stage/patches" "-DWORK=$stage/work" "-DONLY=$only" \
        "-DAUTHOR_NAME=$name" "-DAUTHOR_EMAIL=$mail"
    mv -T "$stage/patches" "$1"
    rm -rf "$stage"
    trap - EXIT
}

# author_of_patches name|email. A source archive has no commits.
author_of_patches()
{
    local variable=GIT_AUTHOR_${1^^} format=%an nobody="The QPool authors"
    [[ $1 == name ]] || format=%ae nobody=nobody@patches.invalid
    if [[ ${!variable-} ]]; then
        printf '%s\n' "${!variable}"
    elif [[ ! -e $QPOOL_ROOT/.git ]] || ! git -C "$QPOOL_ROOT" log -1 "--format=$format" 2>/dev/null; then
        printf '%s\n' "$nobody"
    fi
}
