# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# No feature needs another: code that several features change compiles with each of them alone, and with
# each left out. Other tests cover the builds with all on and all off.

source "$(dirname "$0")/check.sh"

build=$QPOOL_QT_DIR/on
features=(pool_allocator economical_wakeup object_fast_paths event_latency)

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

# The command that compiles a file of QtCore, changed to write nothing and to read that configuration
# first. Without the pool there is no allocator to include.
command_for()
{
    local pool=$2
    ninja -C "$build" -t compdb | FILE=$1 POOL=$pool FOLDER=$work /usr/bin/python3 -c '
import json, os, shlex, sys
entry = next(entry for entry in json.load(sys.stdin)
             if entry["file"].endswith("/src/corelib/" + os.environ["FILE"])
             # Not compiled as for the tools, which are built without features.
             and "/Core.dir/" in entry["output"])
words, kept = shlex.split(entry["command"]), []
while words:
    word = words.pop(0)
    if word in ("-include", "-o", "-MT", "-MF"):
        words.pop(0)
    elif word in ("-MD", "-c") or word.startswith("-O"):
        pass
    elif not os.environ["POOL"] and ("3rdparty/qpool" in word or "QPOOL_" in word):
        pass
    else:
        kept.append(word)
compiler = next(i for i, word in enumerate(kept) if word.startswith("-"))
kept[compiler:compiler] = ["-I" + os.environ["FOLDER"], "-fsyntax-only"]
print(shlex.join(kept[compiler - 1:]))'
}

for chosen in pool_allocator economical_wakeup object_fast_paths event_latency \
    "pool_allocator economical_wakeup" "pool_allocator object_fast_paths" \
    "economical_wakeup object_fast_paths" "economical_wakeup event_latency" \
    "pool_allocator economical_wakeup object_fast_paths"; do
    configuration $chosen
    pool=
    [[ $chosen != *pool_allocator* ]] || pool=yes
    for file in kernel/qobject.cpp kernel/qproperty.cpp kernel/qcoreapplication.cpp \
        kernel/qeventdispatcher_unix.cpp thread/qthread.cpp thread/qthread_unix.cpp; do
        check "$file with ${chosen/ / and } alone" \
            bash -c "cd '$build' && $(command_for "$file" "$pool")"
    done
    # Checks that the compiler has read that configuration.
    seen=$(bash -c "cd '$build' && $(command_for kernel/qobject.cpp "$pool") -E" |
        grep -c -e QPoolPlainObjects::tryMake -e 'static void \*operator new')
    case $chosen in
    economical_wakeup | event_latency | "economical_wakeup event_latency") check_equal "qobject.cpp with neither is Qt's" "$seen" 0 ;;
    *) check "qobject.cpp with ${chosen/ / and } is not" test "$seen" -gt 0 ;;
    esac
    seen=$(bash -c "cd '$build' && $(command_for kernel/qcoreapplication.cpp "$pool") -E" |
        grep -c 'QEventLatency::')
    case $chosen in
    *event_latency*) check "qcoreapplication.cpp with ${chosen/ / and } records" test "$seen" -gt 0 ;;
    *) check_equal "qcoreapplication.cpp with ${chosen/ / and } records nothing" "$seen" 0 ;;
    esac
done

finish
