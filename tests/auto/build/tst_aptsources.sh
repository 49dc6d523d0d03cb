# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The private list of source packages made from the machine's apt sources.

source "$(dirname "$0")/check.sh"

list_of()
{
    awk -v codename=bookworm -v more="trixie sid" -f "$QPOOL_ROOT/cmake/AptSources.awk" "$@"
}

cat >"$work/one.list" <<'LIST'
# deb http://commented.invalid/debian bookworm main
deb [arch=amd64 signed-by=/k/a.gpg] http://one.invalid/debian bookworm main contrib # note
deb http://one.invalid/security bookworm-security main
deb http://tools.invalid tools-bookworm main
deb http://other.invalid ./
LIST
check_equal "one-line entries" "$(list_of "$work/one.list")" "Types: deb-src
URIs: http://one.invalid/debian
Suites: bookworm
Components: main
Signed-By: /k/a.gpg

Types: deb-src
URIs: http://one.invalid/debian
Suites: trixie sid
Components: main
Signed-By: /k/a.gpg

Types: deb-src
URIs: http://one.invalid/security
Suites: bookworm-security
Components: main"

cat >"$work/two.sources" <<'LIST'
Types: deb
# a comment within
URIs: http://two.invalid/debian
Suites: bookworm
 bookworm-updates
Components: contrib main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb
URIs: http://off.invalid/debian
Suites: bookworm
Components: main
Enabled: no
LIST
check_equal "deb822 entries" "$(list_of "$work/two.sources" | tr -s ' ')" "Types: deb-src
URIs: http://two.invalid/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb-src
URIs: http://two.invalid/debian
Suites: trixie sid
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----"

check_equal "nothing that is ours, nothing listed" "$(list_of /dev/null)" ""
finish
