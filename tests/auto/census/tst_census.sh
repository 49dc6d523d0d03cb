# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Another process's objects by class: finds programs that leak, and refuses each process that it cannot
# read, with the reason. The test orders each leak, so nothing depends on time.

source "$(dirname "$0")/../build/check.sh"
export LC_ALL=C.UTF-8 # otherwise the tools warn on later versions of Qt
source "$(dirname "$0")/../shared/orders.sh"
export QT_QPA_PLATFORM=offscreen

# census ARGUMENTS...: sets result, out and err.
census()
{
    "$QPOOL_CENSUS" "$@" >"$work/out" 2>"$work/err" </dev/null
    result=$?
    out=$(cat "$work/out")
    err=$(cat "$work/err")
}

# value EXPRESSION: evaluates it for the census in out, as f.
value() { python3 -c 'import json, sys; print(eval(sys.argv[1], {"f": json.load(sys.stdin)}))' "$1" <<<"$out"; }

count_of() { value "sum(c['count'] for c in f['classes'] if c['class'] == '$1')"; }

refused()
{
    local part=$1
    shift
    census "$@"
    check_equal "census $*: exit code" "$result" 2
    check_equal "census $*: one line" "$(wc -l <"$work/err")" 1
    check_contains "census $*: its cause" "$err" "$part"
    check_equal "census $*: nothing on stdout" "$out" ""
}

# find_leak CLASS: CLASS is the first of the classes that grew.
find_leak()
{
    local class=$1 before
    order 500 # creates the objects that are created only once
    census "$program" --json
    check_equal "$class: a census" "$result" 0
    check_equal "$class: of this process" "$(value "f['pid']")" "$program"
    check_equal "$class: all stood still" "$(value "f['exact']")" True
    check_equal "$class: nothing on stderr" "$err" ""
    before=$(count_of "$class")
    check "$class: as many as were leaked ($before)" test "$before" -ge 500
    cp "$work/out" "$work/mark.json"

    census "$program" --since "$work/mark.json" --fail-if-grows "$class"
    check_equal "$class: nothing grew" "$result" 0
    for turn in 1 2 3; do
        order 10
    done
    census "$program" --since "$work/mark.json" --json
    check_equal "$class: 30 more" "$(count_of "$class")" "$((before + 30))"
    check_contains "$class: grew most" \
        "$(value "[c['class'] for c in f['classes'] if c['countGrowth'] == f['classes'][0]['countGrowth']]")" "'$class'"
    check_equal "$class: by 30" "$(value "f['classes'][0]['countGrowth']")" 30
    census "$program" --since "$work/mark.json" --fail-if-grows "$class"
    check_equal "$class: that it grew is the exit code" "$result" 1
    check_equal "$class: and said" "$err" "qpool: $class grew by 30 to $((before + 30))"
    census "$program" --since "$work/mark.json" --fail-if-grows QThread
    check_equal "$class: another did not" "$result" 0

    # With --watch: the program leaks between the mark and the end.
    coproc WATCH { exec "$QPOOL_CENSUS" "$program" --watch - --fail-if-grows "$class" --filter "$class" 2>&1; }
    watch=$WATCH_PID
    exec 9<&"${WATCH[0]}"
    read -r -t 60 line <&9
    check_contains "$class: the watch has its mark" "$line" "mark set"
    order 7
    echo >&"${WATCH[1]}"
    check_contains "$class: the watch tells" "$(cat <&9)" "$class grew by 7 "
    wait "$watch"
    check_equal "$class: the watch fails" "$?" 1
    exec 9<&-
    census "$program" --watch 0.1 --fail-if-grows "$class"
    check_equal "$class: it does not leak by itself" "$result" 0
}

start_program "$QPOOL_LEAKING_TIMERS"
find_leak QTimerPrivate
refused "--json and --csv exclude each other" "$program" --json --csv
refused "unknown option --bogus" "$program" --bogus
refused "needs something to compare with" "$program" --fail-if-grows QTimer
refused "designer is not a process ID" designer
refused "cannot compare with /nowhere" "$program" --since /nowhere
echo nonsense >"$work/nonsense"
refused "it is not JSON" "$program" --since "$work/nonsense"
census "$program" --since "$work/mark.json" --fail-if-grows Typo
check_equal "a class that never was does not grow" "$result" 0
check_contains "and is reported" "$err" "class Typo has no live objects"
census "$program" --since "$work/mark.json" --fail-if-grows Typo --strict
check_equal "--strict: a class that never was is an error" "$result" 2
census "$program" --watch 0.1 --fail-if-grows QTimerPrivate --strict
check_equal "--strict: one that is does not grow" "$result" 0
refused "--strict needs classes" "$program" --watch 1 --strict
refused "--all is for comparisons" "$program" --all
order 3
census "$program" --since "$work/mark.json"
check_contains "a comparison lists what grew" "$out" " QTimerPrivate"
check_equal "and nothing that did not" "$(grep -c '^ *[0-9,]* *- ' <<<"$out")" 0
check_contains "but says how much that is" "$out" "lines did not change; --all lists them"
census "$program" --since "$work/mark.json" --all
check "--all lists it" test "$(grep -c '^ *[0-9,]* *- ' <<<"$out")" -gt 3

census "$program" --csv --filter QTimerPrivate
check_equal "--csv: its heading" "$(head -1 <<<"$out")" "domain,class,module,event,count,bytes"
check_contains "--csv: a row" "$out" "private,QTimerPrivate,libQt6Core.so.6"
check_equal "--filter: no other" "$(wc -l <<<"$out")" 2
census "$program" --sort count
check_contains "as text" "$out" "QTimerPrivate"
check_contains "as text: the sum" "$out" " live chunks, "

# A process that ends while it is watched, and a process that does not exist.
coproc WATCH { exec "$QPOOL_CENSUS" "$program" --watch - 2>&1; }
watch=$WATCH_PID
exec 9<&"${WATCH[0]}"
read -r -t 60 line <&9
gone=$program
end_program
echo >&"${WATCH[1]}"
check_contains "the end is reported" "$(cat <&9)" "process $gone has ended during the watch"
wait "$watch"
check_equal "the end is no pass" "$?" 2
exec 9<&-
refused "there is no process $gone" "$gone"
refused "has no QtCore with a pool" $$

if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
    chmod 755 "$work"
    sleep 600 &
    other=$!
    setpriv --reuid=65534 --clear-groups "$QPOOL_CENSUS" $other >"$work/out" 2>"$work/err"
    result=$?
    if ! grep -q "cannot\|No such file" "$work/err"; then
        check_equal "another user's: exit code" "$result" 2
        check_contains "another user's: its cause" "$(cat "$work/err")" "may not be read"
    fi
    kill "$other"
fi

# In a whole program the objects are on the heap.
if [[ $QPOOL_FRONT ]]; then
    start_program "$QPOOL_LEAKING_TIMERS" LD_PRELOAD="$QPOOL_FRONT"
    find_leak QTimer
    census "$program" --json
    check_equal "whole: on the heap" "$(value "{c['domain'] for c in f['classes'] if c['class'] == 'QTimer'}")" "{'heap'}"
    check "whole: strings and the like have no class" test "$(count_of '(no class)')" -gt 10
    end_program
    if [[ ${QPOOL_LEAKING_LOADERS-} ]]; then
        start_program "$QPOOL_LEAKING_LOADERS" LD_PRELOAD="$QPOOL_FRONT"
        find_leak "QQmlPrivate::QQmlElement<QQuickLoader>"
        end_program
    fi
fi

finish
