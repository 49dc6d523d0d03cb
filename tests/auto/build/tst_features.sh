# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# No feature needs another: code that several features change compiles with each of them alone, and with
# each left out. Other tests cover the builds with all on and all off.

source "$(dirname "$0")/check.sh"

build=$QPOOL_QT_DIR/on
source=$QPOOL_QT_DIR/source-pool/src/corelib
features=(pool_allocator economical_wakeup nested_loop_wakeup object_fast_paths event_latency)

# Writes Qt's configuration with the named features to a folder that is searched before all others.
configuration()
{
    local feature value expression=()
    for feature in "${features[@]}"; do
        value=-1
        [[ " $* " != *" $feature "* ]] || value=1
        expression+=(-e "s/^(#define QT_FEATURE_$feature) .*/\\1 $value/")
    done
    rm -rf "$work/QtCore"
    mkdir -p "$work/QtCore/private"
    sed -E "${expression[@]}" "$build/src/corelib/qtcore-config.h" > "$work/QtCore/qtcore-config.h"
    sed -E "${expression[@]}" "$build/src/corelib/qtcore-config_p.h" \
        > "$work/QtCore/private/qtcore-config_p.h"
}

# compiler_for POOL: the command that compiles QtCore's files, without a file, changed to read the
# chosen configuration first. Without the pool there is no allocator to include.
compiler_for()
{
    ninja -C "$build" -t compdb | POOL=$1 FOLDER=$work /usr/bin/python3 -c '
import json, os, shlex, sys
entry = next(entry for entry in json.load(sys.stdin)
             if entry["file"].endswith("/src/corelib/kernel/qobject.cpp")
             # Not compiled as for the tools, which are built without features.
             and "/Core.dir/" in entry["output"])
words, kept = shlex.split(entry["command"]), []
while words:
    word = words.pop(0)
    if word in ("-include", "-o", "-MT", "-MF", "-c"):
        words.pop(0)
    elif word == "-MD" or word.startswith("-O"):
        pass
    elif not os.environ["POOL"] and ("3rdparty/qpool" in word or "QPOOL_" in word):
        pass
    else:
        kept.append(word)
compiler = next(i for i, word in enumerate(kept) if word.startswith("-"))
kept.insert(compiler, "-I" + os.environ["FOLDER"])
print(shlex.join(kept[compiler - 1:]))'
}

# Headers that all files include are compiled once for each configuration.
precompile()
{
    rm -f "$work"/headers.h*
    echo '#include "global/qt_pch.h"' > "$work/headers.h"
    eval "$compiler -x c++-header '$work/headers.h' -o '$work/headers.h.gch'"
}

with_pool=$(compiler_for yes)
without_pool=$(compiler_for '')
for chosen in pool_allocator economical_wakeup nested_loop_wakeup object_fast_paths event_latency \
    "pool_allocator economical_wakeup" "pool_allocator object_fast_paths" \
    "economical_wakeup object_fast_paths" "economical_wakeup event_latency" \
    "pool_allocator economical_wakeup object_fast_paths"; do
    configuration $chosen
    compiler=$without_pool
    [[ $chosen != *pool_allocator* ]] || compiler=$with_pool
    check "the headers with ${chosen/ / and } alone" precompile
    for file in kernel/qobject.cpp kernel/qproperty.cpp kernel/qcoreapplication.cpp \
        kernel/qeventdispatcher_unix.cpp thread/qthread.cpp thread/qthread_unix.cpp; do
        check "$file with ${chosen/ / and } alone" \
            eval "$compiler -fsyntax-only -include '$work/headers.h' '$source/$file'"
    done
    # Checks that the compiler has read that configuration.
    seen=$(eval "$compiler -E '$source/kernel/qobject.cpp'" |
        grep -c -e QPoolPlainObjects::tryMake -e 'static void \*operator new')
    case $chosen in
    economical_wakeup | nested_loop_wakeup | event_latency | "economical_wakeup event_latency") check_equal "qobject.cpp with neither is Qt's" "$seen" 0 ;;
    *) check "qobject.cpp with ${chosen/ / and } is not" test "$seen" -gt 0 ;;
    esac
    seen=$(eval "$compiler -E '$source/kernel/qcoreapplication.cpp'" |
        grep -c 'QEventLatency::')
    case $chosen in
    *event_latency*) check "qcoreapplication.cpp with ${chosen/ / and } records" test "$seen" -gt 0 ;;
    *) check_equal "qcoreapplication.cpp with ${chosen/ / and } records nothing" "$seen" 0 ;;
    esac
done

# Qt may be in a namespace.
configuration "${features[@]}"
compiler="$with_pool -DQT_NAMESPACE=Inner"
check "the headers in a namespace" precompile
for file in "$source"/kernel/{qpool,qlatency,qeventlatency}*.cpp "$source"/kernel/q{object,coreapplication,metatype}.cpp; do
    check "${file#"$source"/} in a namespace" \
        eval "$compiler -fsyntax-only -include '$work/headers.h' '$file'"
done

finish
