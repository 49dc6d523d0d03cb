# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_doc() { echo "build the reference as HTML, or check the documents"; }
group_doc=develop

help_doc()
{
    cat <<'HELP'
usage: ./qpool doc [--check]

Builds the reference from the sources: every public class and function, environment variable, CMake
option and field of the JSON formats, as HTML in build/doc/html. A warning of qdoc is an error.

  --check   check the documents instead: that links have a target, that ./qpool has the commands and
            options that are shown, and that the C++ snippets compile
HELP
}

command_doc()
{
    local check='' operands=()
    take_options --check take_doc_option "$@"
    qpool_steps=2
    take_lock
    if [[ $check ]]; then
        install_packages build qt doccheck
        release_lock
        step "Checking the documents"
        check_documents
    else
        install_packages doc
        step "Making the reference"
        make_reference
        say "Written: $QPOOL_BUILD/doc/html/index.html"
    fi
}

# Sets $check.
take_doc_option() { check=yes; }

check_documents()
{
    local flags=() flag
    for flag in "-I$QPOOL_ROOT/src" "-I$QPOOL_ROOT/src/monitor" "-I$QPOOL_ROOT/src/allocator" -fPIC \
        $(pkg-config --cflags Qt6Core); do
        flags+=("--flag=$flag")
    done
    # The headers <qpool/NAME.h>, as in an installed allocator.
    local headers=$QPOOL_BUILD/doc/include log=$QPOOL_BUILD/log/doccheck.log
    mkdir -p "$(dirname "$log")"
    cmake_script "$log" ForwardPublicHeaders.cmake "-DDESTINATION=$headers"
    python3 "$QPOOL_ROOT/tools/doc/qpooldoccheck.py" "$QPOOL_ROOT" "--flag=-I$headers" "${flags[@]}" ||
        fail "the documents have errors: correct the errors reported above"
    step_done
}

# An existing reference stays until the new one is complete.
make_reference()
{
    local stage=$QPOOL_BUILD/doc/new sources=$QPOOL_BUILD/doc/sources log=$QPOOL_BUILD/log/doc.log qdoc
    qdoc=$(find_qdoc) || fail "there is no qdoc: install qt6-documentation-tools"
    rm -rf "$stage" "$sources"
    mkdir -p "$stage" "$sources" "$(dirname "$log")"
    local headers=("$QPOOL_ROOT"/src/allocator/{pool,stats}/*.h "$QPOOL_ROOT"/src/allocator/qobjectaccess.h
        "$QPOOL_ROOT"/src/allocator/pages/{qpoolstaticpages,qpoolsystempages}.h
        "$QPOOL_ROOT"/src/pools/*/*.h "$QPOOL_ROOT"/src/sharedmemory/*.h "$QPOOL_ROOT"/src/monitor/*.h)
    python3 "$QPOOL_ROOT/tools/doc/qdocsources.py" "$sources" "${headers[@]}" ||
        fail "the headers' documentation cannot be read: see above"
    printf '#include "%s"\n' $(public_headers) qpoolmonitoredprocess.h >"$sources/qpoolreference.h"
    if ! (cd "$QPOOL_ROOT/doc/reference" &&
        QPOOL_REFERENCE=$sources "$qdoc" --outputdir "$stage" qpool.qdocconf) >"$log" 2>&1; then
        fail "qdoc failed: $(cause_in_log "$log")"
    fi
    if grep -E 'warning:|error:' "$log" >&2; then
        fail "qdoc warns: see above, and $log"
    fi
    rm -rf "$QPOOL_BUILD/doc/html"
    mv -T "$stage" "$QPOOL_BUILD/doc/html"
    step_done
}

# The headers for an ordinary system, relative to src.
public_headers()
{
    sed -n '/^set(QPOOL_PUBLIC_HEADERS$/,/)/s/^ *\([a-z]*\/.*\.h\).*/\1/p' "$QPOOL_ROOT/src/publicheaders.cmake" |
        grep -v interruptlock
}

find_qdoc()
{
    local path
    for path in "$(command -v qdoc6)" /usr/lib/qt6/bin/qdoc /usr/lib/qt6/libexec/qdoc; do
        if [[ $path && -x $path ]]; then
            printf '%s\n' "$path"
            return 0
        fi
    done
    return 1
}
