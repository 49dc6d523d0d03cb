# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# What somebody without rights does with the installed packages: started by bare_packages.sh on the machine.

set -euo pipefail
export QT_QPA_PLATFORM=offscreen
fail()
{
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

[[ $(id -u) != 0 ]] || fail "this is root"
[[ $(qpool --version) == "QPool "* ]] || fail "qpool --version"
for command in run demo top census trace check attach compare; do
    help=$(qpool help "$command") || fail "qpool help $command"
    # What packages cannot do must not be offered.
    for absent in --qt\  --source --jobs ./qpool --hardened; do
        [[ $help != *"$absent"* ]] || fail "qpool help $command offers $absent"
    done
    man -w "qpool-$command" >/dev/null 2>&1 || [[ -e /usr/share/man/man1/qpool-$command.1.gz ]] ||
        [[ -e /etc/dpkg/dpkg.cfg.d/excludes ]] || fail "there is no man page of $command"
done
for command in test build bench install; do
    status=0
    qpool "$command" >/dev/null 2>&1 || status=$?
    ((status == 2)) || fail "qpool $command is there"
done

qpool run -- true || fail "qpool run -- true"
status=0
qpool run no-such-program 2>/dev/null || status=$?
((status == 127)) || fail "a program that is not there: exit code $status"
status=0
qpool run --hardened true 2>/dev/null || status=$?
((status == 125)) || fail "run --hardened: exit code $status"
best=$(for round in 1 2 3 4 5; do
    begun=${EPOCHREALTIME/./}
    qpool run -- true
    echo $((${EPOCHREALTIME/./} - begun))
done | sort -n | head -n 1)
begun=${EPOCHREALTIME/./}
bash -c true
echo "qpool run -- true: $((best / 1000)) ms, the best of five; bash alone: $(((${EPOCHREALTIME/./} - begun) / 1000)) ms"

qpool run designer >designer.log 2>&1 &
designer=$!
# Until it publishes, or has ended.
until qpool top "$designer" --json >top.json 2>top.err; do
    kill -0 "$designer" 2>/dev/null || { cat designer.log top.err; fail "designer has ended"; }
done
grep -q '/qpool/libQt6Core' "/proc/$designer/maps" || fail "designer is not on the pooled QtCore"
grep -q 'libqpool-malloc' "/proc/$designer/maps" || fail "designer's other blocks are not from the pool"
grep -q '"enabled": *true' top.json || fail "designer's pool is not enabled"
qpool top | grep -q designer || fail "qpool top lists no designer"
qpool census "$designer" >census.txt || fail "qpool census"
grep -q QObject census.txt || fail "the census has no QObject"
qpool attach "$designer" --headless --seconds 2 --png attached.png --json attached.json || fail "qpool attach"
[[ -s attached.png && -s attached.json ]] || fail "qpool attach wrote no picture"
qpool check /usr/lib/qt6/bin/designer || fail "qpool check"
kill "$designer"
wait "$designer" || true

qpool demo --headless --seconds 5 --json snapshot.json --png window.png || fail "qpool demo"
qpool compare --rounds 1 true >compare.txt 2>&1 || { cat compare.txt; fail "qpool compare"; }
grep -q '^ours' compare.txt || { cat compare.txt; fail "qpool compare has no table"; }
# Its exit code is designer's, which is told to end.
qpool trace -o trace.json --duration 1 designer >/dev/null 2>trace.err || true
grep -q traceEvents trace.json || { cat trace.err; fail "the trace has no events"; }
