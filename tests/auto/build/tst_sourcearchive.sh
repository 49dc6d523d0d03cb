# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool package --source: the archive and its SPDX document are the same, made twice, and every file has a licence.

source "$(dirname "$0")/check.sh"
git -C "$QPOOL_ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no git repository"
# A repository of its own, because a file without a licence is added to it.
git clone -q --no-hardlinks "$QPOOL_ROOT" "$work/clone" || skip "it cannot be cloned"
export QPOOL_BUILD_DIR=$work/build
make_archive() { (cd "$work/clone" && "./qpool" package --source --no-install --output "$1") >"$work/log" 2>&1; }

check "makes an archive" make_archive "$work/first"
tail -n 3 "$work/log"
# Other times of files, and another order of a folder's.
find "$work/clone" -name '*.txt' -exec touch {} +
check "and again" make_archive "$work/second"
check "they are the same" diff -r "$work/first" "$work/second"
check_equal "an archive and its document" "$(cd "$work/first" && ls | sed -E 's/[0-9.]+[0-9]/N/' | xargs)" "qpool-N.spdx qpool-N.tar.gz"
check_contains "the document has files with licences" "$(<"$(echo "$work"/first/*.spdx)")" "LicenseInfoInFile: LGPL-3.0-only"

printf 'int none;\n' >"$work/clone/src/none.cpp"
git -C "$work/clone" add -A
git -C "$work/clone" -c user.name=test -c user.email=test commit -qm "None"
make_archive "$work/third"
check_equal "a file without a licence is refused" "$?" 1
check_contains "and named" "$(tail -n 1 "$work/log")" "src/none.cpp"
check "nothing half-written is left" test ! -e "$work/third"
finish
