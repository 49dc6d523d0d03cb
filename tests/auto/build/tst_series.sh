# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool patches: the series applies to each Qt whose source is available, and results in the tree of a
# build. tst_otherversions has fetched the sources of other versions.

source "$(dirname "$0")/check.sh"
source "$(dirname "$0")/series.sh"

# A commit to QPool in the meantime would change the version and date in the patches.
same_series() { diff -r -I '^QPool [0-9a-f]' -I '^Date: ' "$1" "$2"; }

# Describes the changes of a commit, a line for each file: A for a new file, M for one of Qt's.
kinds_of_changes() { git -C "$1" show --name-status --format= "$2" | cut -f1 | sort -u | tr -d '\n'; }

check_messages()
{
    local tree=$1 commit text
    for commit in $(git -C "$tree" rev-list untouched..HEAD); do
        text=$(git -C "$tree" log -1 --format=%B "$commit")
        if [[ ! $(kinds_of_changes "$tree" "$commit") =~ ^[AM]$ ]]; then
            failed "either new files or Qt's own: ${text%%$'\n'*}"
        fi
        # A patch that is not compiled yet counts together with the patch that compiles it.
        [[ $text == *$'\n\n'* && $text == *Tested* && $text =~ [Mm]easure|"othing compiles" ]] ||
            failed "says why, what was measured and how it was tested: $text"
        [[ $text != *$'\n@'* && $text != @* ]] || failed "the numbers are filled in: $text"
        (($(wc -L <<<"$text") <= 80)) || failed "no line is too long: $text"
    done
}

try_version()
{
    local name=$1 version=$2 tree=$work/$2
    take_part "$name" "$tree/qt"
    make_series "$tree/qt" "$tree/series"
    check_equal "Qt $version: the series is written ($message)" "$result" 0
    check "Qt $version: one that has the allocator's licence" \
        grep -q '^+++ b/src/3rdparty/qpool/allocator/qt_attribution.json' "$tree"/series/0001-*

    cp -a "$tree/qt" "$tree/am"
    commit_tree "$tree/am"
    if git -C "$tree/am" am -q "$tree"/series/*.patch >"$work/log" 2>&1; then
        passed "Qt $version: git am applies it"
    else
        failed "Qt $version: git am applies it: $(cat "$work/log")"
        return
    fi
    check_equal "Qt $version: all of it" \
        "$(git -C "$tree/am" rev-list untouched..HEAD | wc -l)" "$(find "$tree/series" -type f | wc -l)"
    check_messages "$tree/am"

    cmake "-DSOURCE=$tree/qt" "-DDESTINATION=$tree/edited" "-DPATCH=$tree/qtbase.patch" \
        -P "$QPOOL_ROOT/cmake/EditQtSource.cmake" >"$work/log" 2>&1
    check "Qt $version: the result is the tree that a build makes" \
        diff -r -x .git -x .qpool-files -x tests "$tree/am" "$tree/edited"
    check_equal "Qt $version: and tests in their place" \
        "$(git -C "$tree/am" diff --name-only untouched HEAD -- . ':!src' |
            sed 's|/qpool/.*|/qpool|' | sort -u | tr '\n' ' ')" \
        "tests/auto/corelib/CMakeLists.txt tests/auto/corelib/qpool "
    check_equal "Qt $version: nothing of Qt's is taken away" \
        "$(git -C "$tree/am" diff --numstat untouched HEAD | awk '{ n += $2 } END { print n + 0 }')" 0

    make_series "$tree/qt" "$tree/again"
    check "Qt $version: written again, it is the same" same_series "$tree/series" "$tree/again"
}

command -v git >/dev/null || skip "there is no git"
tried=0
for source in $(qt_sources); do
    version=$(version_of "$source")
    [[ ! -e $work/$version ]] || continue
    tried=$((tried + 1))
    try_version "$source" "$version"
    # The other checks use the last tree.
    tree=$work/$version
done
((tried)) || skip "no source of Qt's is here"

# No call may leave anything in the folder, whatever fails.
mkdir "$work/out"
refused()
{
    local what=$1 part=$2
    check_equal "$what: refused" "$result" 1
    check_equal "$what: in one line" "$(wc -l <<<"$message")" 1
    check_contains "$what: by name" "$message" "$part"
    check_equal "$what: nothing is left" "$(ls -A "$work/out")" ""
}

cp -a "$tree/qt" "$work/wrong"
sed -i 's/virtual ~QObject();/virtual ~QObject() = default;/' "$work/wrong/src/corelib/kernel/qobject.h"
make_series "$work/wrong" "$work/out/series"
refused "a tree without an anchor" "qobject.h: no \"virtual ~QObject();\""

cp "$tree/edited/src/corelib/kernel/qobject.h" "$work/wrong/src/corelib/kernel/"
mkdir -p "$work/wrong/src/3rdparty/qpool/allocator" && touch "$work/wrong/src/3rdparty/qpool/allocator/qpoolglobal.h"
make_series "$work/wrong" "$work/out/series"
refused "a tree with a file of ours" "src/3rdparty/qpool/allocator/qpoolglobal.h"

cp "$tree/qt/src/corelib/kernel/qobject.h" "$work/wrong/src/corelib/kernel/"
rm -r "$work/wrong/src/3rdparty/qpool" "$work/wrong/tests/auto/corelib/CMakeLists.txt"
make_series "$work/wrong" "$work/out/series"
refused "a tree without tests" "it has no tests/auto/corelib/CMakeLists.txt"

# git fails half-way.
mkdir "$work/bin"
real=$(command -v git)
cat >"$work/bin/git" <<SCRIPT
#!/bin/sh
case \$* in
*commit*) [ "\$(ls "$work"/out/.qpool*/work/repository/src/corelib/kernel/qpooloperators.h 2>/dev/null)" ] && { echo "no room" >&2; exit 1; } ;;
esac
exec "$real" "\$@"
SCRIPT
chmod +x "$work/bin/git"
PATH=$work/bin:$PATH make_series "$tree/qt" "$work/out/series"
refused "git fails half-way" "git commit failed (no room)"

# Possible mistakes in a change of QPool, in a copy of it.
mkdir -p "$work/root/tests/auto"
cp -r "$QPOOL_ROOT/qpool" "$QPOOL_ROOT/CMakeLists.txt" "$QPOOL_ROOT/cmake" "$QPOOL_ROOT/src" "$QPOOL_ROOT/doc" "$work/root/"
cp -r "$QPOOL_ROOT"/tests/auto/{shared,corelib,dropin} "$work/root/tests/auto/"
qpool=$work/root/qpool
edits=$work/root/src/corelib/edits

touch "$work/root/src/corelib/kernel/qpoolunknown_p.h"
make_series "$tree/qt" "$work/out/series"
refused "a file of no concern" "No concern is defined for the new file src/corelib/kernel/qpoolunknown_p.h"
rm "$work/root/src/corelib/kernel/qpoolunknown_p.h"

sed -i.former '/idle-edits/d' "$edits/series/series.cmake"
make_series "$tree/qt" "$work/out/series"
refused "a concern without a patch" 'name "idle-edits" in src/corelib/edits/series/series.cmake'
mv "$edits/series/series.cmake.former" "$edits/series/series.cmake"

sed -i 's/of QPool):/of QPool, commit 0123456):/' "$edits/series/messages/wakeups-edits.txt"
make_series "$tree/qt" "$work/out/series"
refused "numbers of a commit" "names a commit 0123456"
sed -i 's/, commit 0123456//; s/@bench .*/@bench qt\/nothing/' "$edits/series/messages/wakeups-edits.txt"
make_series "$tree/qt" "$work/out/series"
refused "numbers that are not there" 'the row "qt/nothing" from doc/results/'
qpool=$QPOOL_ROOT/qpool

mkdir "$work/full" && touch "$work/full/file"
make_series "$tree/qt" "$work/full"
check_contains "a folder that is not empty" "$message" "is not empty"
make_series "$tree/qt" "$work/full/file"
check_contains "a file" "$message" "is not a folder"
make_series "$tree/qt" "$work/absent/series"
check_contains "a folder in none" "$message" "there is no folder $work/absent"
mkdir "$work/empty"
make_series "$tree/qt" "$work/empty"
check "an empty folder will do" same_series "$tree/series" "$work/empty"

finish
