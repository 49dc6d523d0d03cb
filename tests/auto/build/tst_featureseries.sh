# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool patches --only FEATURE: the series of each feature applies by itself to each Qt whose source is
# available, and needs nothing of the others. tst_otherversions has fetched the sources of other versions;
# tst_features compiles what several features change with each of them alone.

source "$(dirname "$0")/check.sh"
source "$(dirname "$0")/series.sh"

# The features that the tree declares and Qt does not.
features_of()
{
    git -C "$1" diff -U0 untouched HEAD -- src/corelib/configure.cmake |
        sed -n 's/^+qt_feature("\([a-z-]*\)".*/\1/p' | tr '\n' ' '
}

# What the new files of the tree include and it does not have.
missing_includes()
{
    local file name folder
    git -C "$1" diff --name-only --diff-filter=A untouched HEAD -- src | while read -r file; do
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$1/$file" | while read -r name; do
            for folder in "${file%/*}" src/3rdparty/qpool{,/allocator} src/corelib{,/kernel,/thread,/global,/io,/tools}; do
                [[ ! -e $1/$folder/$name ]] || continue 2
            done
            [[ $name == *.moc ]] || printf '%s in %s\n' "$name" "$file"
        done
    done
}

# Sources of tests that the list of tests does not name.
forgotten_tests()
{
    local file name
    git -C "$1" diff --name-only untouched HEAD -- 'tests/auto/corelib/qpool/*.cpp' | while read -r file; do
        name=$(basename "$file" .cpp)
        grep -qw -e "${name#tst_}" -e "$name" "$1/tests/auto/corelib/qpool/CMakeLists.txt" || printf '%s ' "$name"
    done
}

try_feature()
{
    local version=$1 feature=$2 tree=$work/$1 series=$work/$1-$2
    make_series "$tree" "$series" --only "$feature"
    check_equal "Qt $version, $feature: the series is written ($message)" "$result" 0
    git -C "$tree" reset -q --hard untouched
    if ! git -C "$tree" am -q "$series"/*.patch >"$work/log" 2>&1; then
        git -C "$tree" am --abort
        failed "Qt $version, $feature: git am applies it: $(cat "$work/log")"
        return
    fi
    check_equal "Qt $version, $feature: it is the only feature" "$(features_of "$tree")" "$feature "
    check_equal "Qt $version, $feature: it has what its files include" "$(missing_includes "$tree")" ""
    check "Qt $version, $feature: it has tests" \
        test -n "$(git -C "$tree" diff --name-only untouched HEAD -- 'tests/auto/corelib/qpool/*/tst_*.cpp')"
    check_equal "Qt $version, $feature: all of them are built" "$(forgotten_tests "$tree")" ""
    check_equal "Qt $version, $feature: nothing of Qt's is taken away" \
        "$(git -C "$tree" diff --numstat untouched HEAD | awk '{ n += $2 } END { print n + 0 }')" 0
}

command -v git >/dev/null || skip "there is no git"
tree=
for source in $(qt_sources); do
    version=$(version_of "$source")
    [[ ! -e $work/$version ]] || continue
    tree=$work/$version
    take_part "$source" "$tree"
    commit_tree "$tree"
    for feature in economical-wakeup nested-loop-wakeup object-fast-paths event-latency pool-allocator; do
        git -C "$tree" reset -q --hard untouched
        try_feature "$version" "$feature"
    done
done
[[ $tree ]] || skip "no source of Qt's is here"
git -C "$tree" reset -q --hard untouched

# What does not fit another feature does not stop one.
sed -i 's/virtual ~QObject();/virtual ~QObject() = default;/' "$tree/src/corelib/kernel/qobject.h"
make_series "$tree" "$work/pool" --only pool-allocator
check_equal "a tree that a feature does not fit is refused" "$result" 1
check_contains "with the anchor" "$message" "qobject.h: no \"virtual ~QObject();\""
make_series "$tree" "$work/wakeup" --only economical-wakeup
check_equal "another feature fits it ($message)" "$result" 0

make_series "$tree" "$work/unknown" --only economical-wakeups
check_equal "an unknown feature is an error in the arguments" "$result" 2
check_contains "the nearest is named" "$message" "there is no feature economical-wakeups: did you mean economical-wakeup?"
make_series "$tree" "$work/unknown" --only zzz
check_contains "or all of them" "$message" "the features are economical-wakeup, nested-loop-wakeup,"
check "nothing was written" test ! -e "$work/unknown"

# Without a folder, the old series is replaced.
for round in first second; do
    "$qpool" patches --only nested-loop-wakeup --source "$tree" >"$work/log" 2>"$work/error" </dev/null
    check_equal "without a folder, the $round time ($(cat "$work/error"))" "$?" 0
    check_equal "the series is in build/patches" \
        "$(find "$QPOOL_BUILD_DIR/patches/${tree##*/}/nested-loop-wakeup" -name '*.patch' | wc -l)" 3
    touch "$QPOOL_BUILD_DIR/patches/${tree##*/}/nested-loop-wakeup/9999-old.patch"
done

finish
