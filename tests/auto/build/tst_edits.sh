# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The edit engine on a tree of a few files.

source "$(dirname "$0")/check.sh"

# A tree that EditQtSource.cmake accepts as Qt's, with characters that are special in CMake strings.
make_tree()
{
    rm -rf "$work/qt" "$work/copy" "$work/qtbase.patch"
    mkdir -p "$work/qt/src/corelib"
    echo 'set(QT_REPO_MODULE_VERSION "6.4.2")' >"$work/qt/.cmake.conf"
    : >"$work/qt/src/corelib/CMakeLists.txt"
    printf '%s\n' 'class A { int a[2]; };' '#define X "\\\n;]" \' '    [[ ${x}' 'one();' \
        'two(); // @y@ ; [' 'last' >"$work/qt/code.h"
    mkdir -p "$work/new/sub"
    echo 'new; [file' >"$work/new/sub/file.cpp"
}

# Reads the list of edits from standard input; sets `result` and `message`.
apply()
{
    cat >"$work/edits.cmake"
    rm -f "$work/failure"
    cmake "-DSOURCE=$work/qt" "-DDESTINATION=$work/copy" "-DPATCH=$work/qtbase.patch" \
        "-DEDITS=$work/edits.cmake" "-DQPOOL_FAILURE_FILE=$work/failure" \
        -P "$QPOOL_ROOT/cmake/EditQtSource.cmake" >"$work/log" 2>&1
    result=$?
    message=$(cat "$work/failure" 2>/dev/null)
}

good_edits="qpool_edit(code.h AFTER \"one();\n\" [[
inserted(\"a;b\", c[0]); \\
]])
qpool_edit(code.h BEFORE \"last\" \"before; \")
qpool_new_files($work/new src/extra)"

make_tree
apply <<<"$good_edits"
check_equal "edits that fit are applied" "$result" 0
check_equal "inserted where it belongs, and to the letter" "$(cat "$work/copy/code.h")" \
    "$(printf '%s\n' 'class A { int a[2]; };' '#define X "\\\n;]" \' '    [[ ${x}' 'one();' \
        'inserted("a;b", c[0]); \' 'two(); // @y@ ; [' 'before; last')"
check_equal "new files are copied" "$(cat "$work/copy/src/extra/sub/file.cpp")" 'new; [file'
check "the untouched tree stays so" test ! -e "$work/qt/src/extra"
cp -r "$work/qt" "$work/qt-patched"
patch -s -d "$work/qt-patched" -p1 <"$work/qtbase.patch"
check "patch and engine agree" diff -r -x .qpool-files "$work/qt-patched" "$work/copy"

touch -d '2001-01-01' "$work/copy/code.h" "$work/copy/src/extra/sub/file.cpp" "$work/qtbase.patch"
apply <<<"$good_edits"
check_equal "applied again" "$result" 0
check_equal "nothing is written the second time" "$(find "$work/copy" "$work/qtbase.patch" -type f -newermt 2001-01-02 | grep -c -e code.h -e file.cpp -e patch)" 0

printf 'void f()\n{\n    old();\n}\nvoid g()\n{\n}\n' >"$work/qt/function.cpp"
hash=$(printf 'void f()\n{\n    old();' | sha256sum | cut -c1-12)
reliance="qpool_edit(code.h AFTER \"one();\" \" // relies\")
qpool_rely_on(function.cpp \"void f()\" src/short.h 0123456789ab $hash)"
apply <<<"$reliance"
check_equal "a function that was read" "$result" 0
sed -i 's/old/new/' "$work/qt/function.cpp"
rm -rf "$work/copy"
apply <<<"$reliance"
check_equal "a function that has changed since" "$result" 1
check_contains "is named" "$message" 'function.cpp: "void f()" (its hash: '
check_contains "with the file that relies on it" "$message" 'Read it beside src/short.h'
check "and nothing is written" test ! -e "$work/copy/code.h"
echo >"$work/qt/function.cpp"
apply <<<"$reliance"
check_contains "so is one that is gone" "$message" 'it has no such function'

apply <<<'qpool_edit(code.h AFTER "one();" " // changed")'
check_contains "a changed list starts from the untouched text" "$(cat "$work/copy/code.h")" 'one(); // changed'
check_equal "and leaves nothing of the former" "$(grep -c inserted "$work/copy/code.h")" 0
check "a new file that has left the list is removed" test ! -e "$work/copy/src/extra/sub/file.cpp"

before=$(cd "$work/copy" && find . -type f -exec sha256sum {} + | sort)
apply <<<'qpool_edit(code.h AFTER "one();" "X")
qpool_edit(code.h AFTER "absent();" "Y")'
check_equal "a missing anchor stops" "$result" 1
check_contains "and is named" "$message" 'code.h: no "absent();"'
check_contains "with the version" "$message" 'Qt 6.4.2'
check_equal "in one line" "$(wc -l <"$work/failure")" 1
check_equal "nothing is half-applied" "$(cd "$work/copy" && find . -type f -exec sha256sum {} + | sort)" "$before"

apply <<<'qpool_edit(code.h BEFORE "();" "X")'
check_equal "a doubled anchor stops" "$result" 1
check_contains "and says so" "$message" 'more than one "();"'

apply <<<'qpool_edit(absent.h BEFORE "x" "X")'
check_contains "a missing file is named" "$message" 'it has no absent.h'

mkdir -p "$work/clash" && echo mine >"$work/clash/code.h"
apply <<<"qpool_new_files($work/clash .)"
check_equal "a new file that Qt has already stops" "$result" 1

apply <<<'foreach(place IN ITEMS code.h absent.h)
    foreach(text IN ITEMS "int a[2];" "[3]")
        qpool_find_in_source(${place} "${text}" found)
        set(answers "${answers} ${found}")
    endforeach()
endforeach()
qpool_edit(code.h AFTER "one();" "${answers}")'
check_contains "text of the source is found" "$(cat "$work/copy/code.h")" \
    'one(); TRUE FALSE FALSE FALSE'

rm -rf "$work/copy"
apply <<<'qpool_edit(code.h AFTER "absent();" "Y")'
check "a tree that does not fit is not even copied" test ! -e "$work/copy"

finish
