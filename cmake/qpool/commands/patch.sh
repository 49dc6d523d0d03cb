# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_patch() { echo "write the fork as patches for git am on qtbase"; }
group_patch=build

help_patch()
{
    cat <<'HELP'
usage: ./qpool patch DIR [--qt VERSION | --source TREE]

Writes the fork as a series of patches into DIR, a new or an empty folder. Each patch has one concern
and a message that gives the reason, the measurements and the tests. On a qtbase tree of that version,
git am DIR/*.patch applies them; the result is what ./qpool build builds, plus the tests. Nothing is
built. See doc/patches.md.

  --qt VERSION   the Qt version to patch, such as 6.4.2 (default: the version of qt6-base-dev); its
                 source is the distribution's source package
  --source TREE  a qtbase checkout to patch; it is only read

If the fork does not fit a tree, the command names the file and the missing anchor and writes nothing.
The author of the patches is git's user.name and user.email, or else the author of QPool's last commit.
HELP
}

command_patch()
{
    local folder='' operands=()
    # No --jobs, because nothing is compiled.
    take_options "--qt= --source= OPERAND" take_patch_folder "$@"
    [[ $folder ]] || usage_error "patch needs a folder for the patches: see ./qpool patch --help"
    folder=$(realpath -m -- "$folder")
    check_patch_folder "$folder"

    qpool_steps=3
    take_lock
    # The default is the version of a Qt package.
    local groups=(patch)
    [[ $qt_wanted || $qt_checkout ]] || groups+=(qt)
    install_packages "${groups[@]}"
    choose_qt
    get_qt_source
    step "Patches for Qt $qt_version"
    write_patches "$folder"
    step_done
    say "Written: $(find "$folder" -name '*.patch' | wc -l) patches; in a checkout of Qt $qt_version: git am $folder/*.patch"
}

# Sets $folder.
take_patch_folder()
{
    [[ $2 ]] || usage_error "patch needs a folder for the patches: see ./qpool patch --help"
    [[ ! $folder ]] || usage_error "patch takes one folder, not $folder and $2"
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
    [[ $name && $mail ]] ||
        fail "git has no author for the patches: git config --global user.name NAME, and user.email ADDRESS"

    # Global, for the trap. Beside the folder, so that one rename makes all patches appear at once.
    stage=$(mktemp -d "$(dirname "$1")/.qpool-patches.XXXXXX")
    trap 'rm -rf "$stage"' EXIT
    cmake_script "$qt_dir/log/patches.log" WritePatchSeries.cmake "-DSOURCE=$qt_untouched" \
        "-DDESTINATION=$stage/patches" "-DWORK=$stage/work" \
        "-DAUTHOR_NAME=$name" "-DAUTHOR_EMAIL=$mail"
    mv -T "$stage/patches" "$1"
    rm -rf "$stage"
    trap - EXIT
}

# author_of_patches name|email
author_of_patches()
{
    local variable=GIT_AUTHOR_${1^^} format=%an
    [[ $1 == name ]] || format=%ae
    if [[ ${!variable-} ]]; then
        printf '%s\n' "${!variable}"
    else
        git config "user.$1" || git -C "$QPOOL_ROOT" log -1 "--format=$format" 2>/dev/null || true
    fi
}
