# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool doc: the reference has a page for every public class, and qdoc does not warn.

source "$(dirname "$0")/../build/check.sh"
export QPOOL_BUILD_DIR=$work/build

"$QPOOL_ROOT/qpool" doc >"$work/out" 2>&1
result=$?
cat "$work/out"
check_equal "the reference is made" "$result" 0

pages=$work/build/doc/html
for page in index environment functions cmakeoptions json; do
    check "there is $page.html" test -s "$pages/$page.html"
done
# Each documented class of a public header.
mapfile -t classes < <(sed -n 's/^    \\class QPool::\([A-Za-z]*\)$/\1/p' \
    "$QPOOL_ROOT"/src/allocator/{pool,stats}/*.h "$QPOOL_ROOT"/src/{pools/*,sharedmemory,monitor}/*.h)
check "there are classes" test "${#classes[@]}" -gt 15
for class in "${classes[@]}"; do
    name=${class,,}
    check "there is a page of $class" test -s "$pages/qpool-$name.html"
done
check_contains "functions are there" "$(cat "$pages/qpool-qpoolallocator.html" 2>/dev/null)" 'id="allocate"'

# A failure leaves the old reference in place.
before=$(cd "$pages" && ls)
mkdir "$work/bin"
printf '#!/bin/sh\necho "warning: no such thing"\n' >"$work/bin/qdoc6"
chmod +x "$work/bin/qdoc6"
PATH=$work/bin:$PATH "$QPOOL_ROOT/qpool" doc >"$work/out" 2>&1
check_equal "a warning is an error" "$?" 1
check_contains "it is shown" "$(cat "$work/out")" "no such thing"
check_equal "the reference is still there" "$(cd "$pages" && ls)" "$before"
finish
