# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool: help, and errors of one line.

source "$(dirname "$0")/check.sh"
qpool=$QPOOL_ROOT/qpool
# No error here may change a real build.
export QPOOL_BUILD_DIR=$work/build

# refused CODE MESSAGE-PART ARGUMENTS...
refused()
{
    local code=$1 part=$2 result
    shift 2
    "$qpool" "$@" >"$work/out" 2>"$work/err" </dev/null
    result=$?
    check_equal "qpool $*: exit code" "$result" "$code"
    check_equal "qpool $*: one line" "$(wc -l <"$work/err")" 1
    check_contains "qpool $*: its cause" "$(cat "$work/err")" "$part"
}

help=$("$qpool" --help)
check_equal "qpool --help" "$?" 0
check_equal "no argument is --help" "$("$qpool")" "$help"
for file in "$QPOOL_ROOT"/cmake/qpool/commands/*.sh; do
    command=$(basename "$file" .sh)
    check_contains "--help names $command" "$help" "  $command "
    own_help=$("$qpool" "$command" --help)
    check_equal "$command --help" "$?" 0
    check_contains "$command --help shows its use" "$own_help" "usage: ./qpool $command"
    check_equal "help $command is the same" "$("$qpool" help "$command")" "$own_help"
done
check_equal "and --help behind other arguments" "$("$qpool" census 1 --json --help)" "$("$qpool" help census)"
check_equal "help is --help" "$("$qpool" help)" "$help"
check_equal "--version" "$("$qpool" --version)" \
    "QPool $(sed -nE 's/^project\(QPool VERSION ([0-9.]+) .*/\1/p' "$QPOOL_ROOT/CMakeLists.txt")"

refused 2 "unknown command bogus: see" bogus
refused 2 "unknown command tets: did you mean test? see" tets
refused 2 "unknown command runn: did you mean run? see" help runn
refused 2 "did you mean --version? see" --versoin
refused 125 "unknown option --hardned: did you mean --hardened? see" run --hardned true
refused 2 "unknown option --jsno=x: did you mean --json? see" census 1 --jsno=x
refused 2 "unknown command ../build" ../build
refused 2 "unknown option --bogus" --bogus
refused 2 "unknown option --bogus" build --bogus
refused 2 "unknown option --bogus" demo --bogus
refused 125 "unknown option --bogus" run --bogus
refused 2 "unknown option --bogus" attach --bogus
refused 2 "--png needs a value" attach 1 --png
refused 2 "me is not the number of a process" attach me
refused 2 "attach takes one process, not 1 and 2" attach 1 2
refused 2 "there is no process 4194305" attach 4194305
refused 2 "--qt needs a value" build --qt
refused 2 "abc is not a version" build --qt abc
refused 2 "not a number" build --jobs 0
refused 2 "--cc needs a value" build --cc
refused 2 "tcc names no compiler" build --cc tcc
refused 2 "names no compiler" build --cc=../clang/
refused 1 "there is no compiler /nonexistent/clang" build --cc /nonexistent/clang
refused 2 "--cc goes neither with --sanitize" test --cc clang --sanitize=thread
refused 2 "--libc++ goes with --cc clang" test --cc gcc --libc++
refused 2 "none of thread, address, undefined" test --sanitize=memory
refused 2 "--sanitize needs a value: thread, address or undefined" test --sanitize=
refused 2 "--arch needs a value: arm64" test --arch
refused 2 "--suites needs a value" test --conformance --suites
refused 2 "not a regular expression" test --conformance --suites "("
refused 2 "go with --conformance" test --suites qobject
refused 2 "is not a number of seconds" test --conformance --timeout soon
refused 2 "go with --conformance" test --drop-in
refused 2 "go with --conformance" test --without-gui
refused 2 "go with --conformance" test --whole
refused 2 "goes with no --variant hardened" test --conformance --whole --variant hardened
refused 2 "go with --conformance" test --doc
refused 2 "--doc is for all suites" test --conformance --doc --suites qobject
refused 2 "takes no -R" test --conformance -R qobject
refused 2 "goes with no other option" test --bare --sanitize=thread
refused 2 "goes with no other option" test --bare -R qobject
refused 2 "takes no --sanitize" test --conformance --sanitize=thread
refused 2 "is no build's name" test --conformance --variant ../on
refused 1 "there is no folder /nonexistent" test --conformance --json /nonexistent/c.json
refused 1 "none of Qt's suites" test --conformance --suites qnothing
refused 2 "unknown option --bogus" bench --bogus
refused 2 "--json needs a value" bench --json
refused 2 "not a number" bench --rounds 0
refused 2 "not a regular expression" bench --filter "("
refused 1 "there is no folder /nonexistent" bench --json /nonexistent/b.json
refused 125 "run needs a program" run
refused 2 "compare needs a program" compare --rounds 3
refused 2 "compare needs a program" compare --
refused 2 "unknown option --bogus" compare --bogus -- true
refused 2 "--rounds needs a value" compare --rounds
refused 2 "--rounds 0 is not a number of rounds" compare --rounds 0 -- true
refused 2 "--duration 0.0 is not a number of seconds" compare --duration 0.0 -- true
refused 2 "--timeout soon is not a number of seconds" compare --timeout=soon -- true
refused 2 "exclude each other" compare --duration 1 --timeout 2 -- true
refused 1 "there is no folder /nonexistent" compare --json /nonexistent/c.json -- true
refused 1 "there is no program no-such-program" compare -- no-such-program
refused 2 "trace needs a program" trace
refused 2 "trace needs a program" trace -o trace.json --
refused 2 "unknown option --bogus" trace --bogus -- true
refused 2 "-o needs a value" trace -o
refused 2 "--limit none is not a number of events" trace --limit none -- true
refused 2 "--duration 0 is not a number of seconds" trace --duration=0 -- true
refused 125 "there is no folder /nonexistent" trace -o /nonexistent/t.json -- true
refused 125 "cannot be written" trace -o / -- true
refused 127 "there is no program no-such-program" trace -- no-such-program
refused 1 "there is no program ./no-such-program" compare ./no-such-program --version
refused 2 "unknown option --bogus" census --bogus
refused 2 "--watch needs a value" census 1 --watch
refused 2 "which process?" census
refused 2 "designer is not the number of a process" census designer
refused 2 "there is no process 999999999" census 999999999
refused 2 "--sort needs a value" census 1 --sort=
refused 2 "unknown option --json=x" census --json=x 1
refused 2 "unknown option --" census -- 1
refused 2 "--holders needs a value" census 1 --holders
refused 2 "unknown option --jsn: did you mean --json? see" memory --jsn
refused 2 "designer is not the number of a process" memory designer
refused 2 "there is no process 999999999" memory 999999999
refused 2 "--parts needs a process" memory --parts
refused 2 "unknown option --jsn: did you mean --json? see" heap 1 --jsn
refused 2 "which process?" heap --on
refused 2 "64K is not the number of a process" heap --on 64K
refused 2 "there is no process 999999999" heap 999999999 --on 64K
refused 2 "there is no process 999999999" heap --on 999999999
refused 2 "--seconds needs a value" heap 1 --seconds
refused 125 "--heap and --hardened exclude each other" run --heap --hardened true
refused 2 "unknown option --bogus" top --bogus
refused 2 "--interval needs a value" top --interval
refused 2 "designer is not the number of a process" top designer
refused 2 "there is no process 999999999" top 999999999
refused 2 "--compare needs two files" top --compare before.json
refused 2 "install needs --prefix DIR" install --full
refused 2 "--prefix needs a value" install --prefix
refused 2 "exclude each other" build --full --off
refused 2 "patches needs a folder" patches ''
refused 2 "patches takes one folder, not a and b" patches a b
refused 2 "there is no feature none" patches --only none
refused 2 "--only needs a value: the name of a feature" patches --only
refused 2 "unknown option --jobs" patches a --jobs 2
refused 1 "is not empty" patches "$QPOOL_ROOT"
refused 1 "is not a folder" patches "$QPOOL_ROOT/README.md"
refused 1 "there is no folder /nonexistent" patches /nonexistent/series
refused 1 "is not a qtbase checkout" patches "$work/series" --source "$work"
refused 1 "there is no folder /nonexistent" build --source /nonexistent
refused 1 "is not a qtbase checkout" build --source "$work"
refused 127 "there is no program no-such-program" run no-such-program
refused 127 "there is no program" run -- ./no-such-program
refused 126 "cannot be run" run "$QPOOL_ROOT/README.md"
check "nothing was built for any of these" test ! -e "$work/build"

# The maintainer of packages. What a packager has set must not matter to the other checks.
unset DEBFULLNAME DEBEMAIL
# maintainer [NAME=VALUE...]
maintainer()
{
    # shellcheck disable=SC2016 # for the inner shell
    env "$@" "QPOOL_ROOT=$QPOOL_ROOT" "QPOOL_BUILD=$QPOOL_BUILD_DIR" bash -c '
        for part in "$QPOOL_ROOT"/cmake/qpool/*.sh; do source "$part"; done
        choose_maintainer && echo "$maintainer"'
}
check_equal "packages without a maintainer say so" "$(maintainer)" "Local build without a maintainer <nobody@packages.invalid>"
check_equal "DEBFULLNAME and DEBEMAIL name one" \
    "$(maintainer "DEBFULLNAME=A. Packager" DEBEMAIL=a@example.org)" "A. Packager <a@example.org>"
check_equal "DEBEMAIL may have both" "$(maintainer "DEBEMAIL=A. Packager <a@example.org>")" "A. Packager <a@example.org>"
DEBEMAIL=a@example.org refused 2 "is no maintainer" package
DEBFULLNAME="A. Packager" refused 2 "is no maintainer" package
DEBFULLNAME="A. Packager" DEBEMAIL=example.org refused 2 "is no maintainer" package
check "no package was made for these" test ! -e "$work/build"

# Nothing is built for a list.
check_equal "bench --list" "$("$qpool" bench --list --filter '^loop/' | grep -vc '^loop/')" 0
check_contains "bench --list names rows" "$("$qpool" bench --list)" "qt/post"
check "bench --list builds nothing" test ! -e "$QPOOL_BUILD_DIR"

# Packages: a dpkg-query that knows none.
mkdir -p "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho "$@" >>"%s"\n' "$work/installed" >"$work/bin/apt-get"
cp "$work/bin/apt-get" "$work/bin/sudo"
chmod +x "$work"/bin/*
check_equal "--no-install installs nothing" \
    "$(CI='' PATH=$work/bin:$PATH "$qpool" patches --no-install "$work/patches" 2>&1 >/dev/null | cut -c1-36)" \
    "qpool: packages are missing: apt-get"
check_contains "without a terminal it does not install, either" \
    "$(CI='' PATH=$work/bin:$PATH "$qpool" patches "$work/patches" 2>&1 >/dev/null </dev/null)" "call again with --yes"
check "neither calls apt-get" test ! -e "$work/installed"
CI='' PATH=$work/bin:$PATH "$qpool" patches --yes "$work/patches" >/dev/null 2>&1 </dev/null
check_contains "--yes does" "$(cat "$work/installed" 2>/dev/null)" "install"
rm -rf "$QPOOL_BUILD_DIR"

# clean
check_contains "clean without a build" "$("$qpool" clean)" "nothing to remove"
mkdir -p "$QPOOL_BUILD_DIR"/{qt,demo,mine}
touch "$QPOOL_BUILD_DIR/.lock"
check_contains "clean --dry-run names what is there" "$("$qpool" clean --dry-run)" "demo qt"
check "and removes nothing" test -e "$QPOOL_BUILD_DIR/qt"
check "clean" "$qpool" clean
check_equal "removes what was built, and nothing else" "$(ls -A "$QPOOL_BUILD_DIR")" mine
rm -rf "$QPOOL_BUILD_DIR"

# uninstall
refused 2 "needs --prefix" uninstall
refused 1 "holds no installation" uninstall --prefix "$work"
mkdir -p "$work/prefix/share/qpool" "$work/prefix/lib"
touch "$work/prefix/lib/ours" "$work/prefix/theirs" "$work/outside"
printf 'lib/ours\n../outside\nshare/qpool/installed-files\n' >"$work/prefix/share/qpool/installed-files"
refused 1 "names files outside of" uninstall --prefix "$work/prefix"
check "and removes nothing" test -e "$work/prefix/lib/ours"
mkdir "$work/elsewhere"
touch "$work/elsewhere/file"
ln -s "$work/elsewhere" "$work/prefix/link"
printf 'lib/ours\nlink/file\n\nshare/qpool/installed-files\n' >"$work/prefix/share/qpool/installed-files"
check "uninstall" "$qpool" uninstall --prefix "$work/prefix"
check_equal "leaves what others put there" "$(find "$work/prefix" "$work/outside" -type f | sort | xargs -n 1 basename | xargs)" "outside theirs"
check "also behind a link" test -e "$work/elsewhere/file"
mkdir -p "$work/above/between/prefix/share/qpool"
echo share/qpool/installed-files >"$work/above/between/prefix/share/qpool/installed-files"
check "uninstall what is alone in its folder" "$qpool" uninstall --prefix "$work/above/between/prefix"
check_equal "and the folders above it stay" "$(cd "$work" && find above)" $'above\nabove/between'
refused 1 "give --prefix another" install --prefix "$work/a:b"
refused 1 "give --prefix another" install --prefix "$work/[a]"
mkdir -p "$work/a:b/bin"
cp "$QPOOL_ROOT/cmake/qpool-run" "$work/a:b/bin/"
sh "$work/a:b/bin/qpool-run" true 2>"$work/err"
check_equal "qpool-run in a folder that the dynamic linker splits" "$? $(wc -l <"$work/err")" "125 1"

# with_parts PARTS COMMAND...: a function of the command's parts, beside others that stand for the rest.
with_parts()
{
    local part
    (
        set -euo pipefail
        fail() { echo "$*"; exit 1; }
        is_installed() { false; }
        release_lock() { true; }
        prepare_tool() { tool=/bin/echo; }
        for part in $1; do
            # shellcheck source=/dev/null
            source "$QPOOL_ROOT/cmake/qpool/$part.sh"
        done
        shift
        "$@"
    )
}
check_equal "a tool gets its own options alone" "$(with_parts options exec_tool check --yes file --json --no-install)" "file --json"
printf '\177ELF\2\1\1' >"$work/foreign" # not this processor's, and no script
head -c 100 /dev/zero >>"$work/foreign"
chmod +x "$work/foreign"
start_on_stock()
{
    qt_run_stock=yes
    exec_pooled "$@"
}
with_parts start start_on_stock "$work/foreign" 2>"$work/err"
check_equal "a program that cannot be executed" "$?" 126

# What package puts into a folder.
mkdir -p "$work/packages/.unfinished" "$work/made"
touch "$work"/packages/{foreign_1.0_amd64.deb,libqpool1_0.0.9-1_amd64.deb,libqpool1-dev_0.0.9-1_amd64.deb,mine.txt} \
    "$work/packages/.unfinished/left_1_all.deb" "$work/made/libqpool1_0.1.0-1_amd64.deb"
with_parts commands/package deliver "$work/packages" "$work"/made/*.deb
check_equal "package replaces what it made before" "$(cd "$work/packages" && find . -type f | sort | xargs)" \
    "./foreign_1.0_amd64.deb ./libqpool1-dev_0.0.9-1_amd64.deb ./libqpool1_0.1.0-1_amd64.deb ./mine.txt"

check_contains "a relative QPOOL_BUILD_DIR" "$(cd "$work" && QPOOL_BUILD_DIR=none "$qpool" clean)" "has built in $work/none"

finish
