# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# What the tests of ./qpool patches share. check.sh comes first.

qpool=$QPOOL_ROOT/qpool
export QPOOL_BUILD_DIR=$work/build
export GIT_AUTHOR_NAME="A Tester" GIT_AUTHOR_EMAIL=tester@example.org
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
# Without the machine's hooks and settings.
export HOME=$work XDG_CONFIG_HOME=$work GIT_CONFIG_NOSYSTEM=1

# take_part SOURCE TREE: copies the part of a qtbase tree that the fork uses.
take_part()
{
    mkdir -p "$2/src" "$2/tests/auto/corelib"
    cp -a "$1/.cmake.conf" "$1/LICENSES" "$2/"
    cp -a "$1/src/corelib" "$2/src/"
    cp -a "$1/tests/auto/corelib/CMakeLists.txt" "$2/tests/auto/corelib/"
}

# make_series TREE FOLDER [OPTION...]: sets `result` and `message`.
make_series()
{
    "$qpool" patches "$2" --source "$1" "${@:3}" >"$work/log" 2>"$work/error" </dev/null
    result=$?
    message=$(cat "$work/error")
}

# The sources of Qt that are available: the build's, and those that tst_otherversions fetched.
qt_sources()
{
    local source
    for source in "$QPOOL_QT_DIR/source" "$PWD"/other-versions/*; do
        [[ ! -e $source/src/corelib/CMakeLists.txt || $source == *.unfinished ]] || printf '%s\n' "$source"
    done
}

version_of() { sed -n 's/^ *set(QT_REPO_MODULE_VERSION "\(6\.[0-9.]*\)").*/\1/p' "$1/.cmake.conf"; }

# commit_tree TREE: its files are the commit "untouched".
commit_tree()
{
    git -C "$1" init -q
    git -C "$1" add -A -f
    git -C "$1" commit -q -m "Qt"
    git -C "$1" tag untouched
}
