# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The live view without a terminal: statistics, lists, errors of one line.

source "$(dirname "$0")/topcheck.sh"

field() { python3 -c 'import json, sys; print(eval(sys.argv[1], {"f": json.load(sys.stdin)}))' "$1"; }

start_publisher
privates="next(c['live'] for c in f['domains']['private']['classes'] if c['size'] == $timers)"
json=$("$QPOOL_TOP" --json "$publisher")
check_equal "--json: one line" "$(wc -l <<<"$json")" 1
check_equal "--json: whose it is" "$(field 'f["pid"]' <<<"$json")" "$publisher"
check_equal "--json: the format's version" "$(field 'f["version"]' <<<"$json")" 2
check_equal "--json: the command line" "$(field '[c.split("/")[-1] for c in f["command"]][0]' <<<"$json")" \
    top_publisher
check_equal "--json: a thousand of a class" \
    "$(field 'sum(c["count"] for c in f["classes"] if c["class"] == "QTimerPrivate")' <<<"$json")" 1000
echo "$json" >"$work/before.json"
before=$(field "$privates" <<<"$json")
check "--json: a thousand private parts" test "$before" -ge 1000
publish 234
after=$("$QPOOL_TOP" --json "$publisher" | field "$privates")
check_equal "--json: 234 more" "$((after - before))" 234

"$QPOOL_TOP" --json "$publisher" >"$work/after.json"
growth=$("$QPOOL_TOP" --compare "$work/before.json" "$work/after.json")
check_contains "--compare: which class grew" "$(grep -E ' 1,234 +\+234 .* QTimerPrivate$' <<<"$growth")" "QTimerPrivate"
refused 1 "nowhere cannot be opened" --compare nowhere "$work/after.json"

csv=$("$QPOOL_TOP" --csv "$publisher")
check_equal "--csv: its heading" "$(head -1 <<<"$csv")" "time,pid,domain,size,allocated,freed,remote,live,arena,thread,orphaned,adoptions,pages,backlog,version"
check_contains "--csv: the private parts" "$csv" ",$publisher,private,$timers,"
check_equal "--csv: as many live" "$(awk -F, -v size="$timers" '$3 == "private" && $4 == size { print $8 }' <<<"$csv")" "$after"

page=$("$QPOOL_TOP" "$publisher")
# The uptime may differ by a second.
without_time() { head -4 | sed -E 's/ +up [0-9]+ (s|min).*//'; }
check_equal "a pipe is --once" "$(without_time <<<"$page")" \
    "$("$QPOOL_TOP" --once "$publisher" | without_time)"
check_contains "the page names it" "$page" "top_publisher  process $publisher, Qt "
check "the page fits 80 columns" test "$(wc -L <<<"$page")" -le 80
check_contains "blocks where the locale has them" "$page" "█"
ascii=$(LC_ALL=C "$QPOOL_TOP" "$publisher" 2>"$work/err" | LC_ALL=C grep -c '[^ -~]')
check_equal "none where it has not" "$ascii" 0
check_equal "no word about it" "$(cat "$work/err")" ""

check_contains "the list" "$("$QPOOL_TOP")" "$publisher  top_publisher"
check_equal "the list as JSON" "$("$QPOOL_TOP" --json |
    field "[p['program'] for p in f if p['pid'] == $publisher]")" "['top_publisher']"
check_contains "the list as CSV" "$("$QPOOL_TOP" --csv)" "$publisher,top_publisher,"

# Repeats until the process ends.
mkfifo "$work/stream"
"$QPOOL_TOP" --json --interval 0.1 "$publisher" >"$work/stream" 2>"$work/err" &
follower=$!
exec 6<"$work/stream"
for number in 1 2 3; do
    read -r -t 60 line <&6
    check_equal "--interval: line $number" "$(field 'f["pid"]' <<<"$line")" "$publisher"
done
gone=$publisher
end_program
cat <&6 >/dev/null
exec 6<&-
wait "$follower"
check_equal "--interval: the end is no failure" "$?" 0
check_equal "--interval: it is told" "$(cat "$work/err")" "qpool: process $gone has ended"

refused 1 "there is no process $gone" "$gone"

# It may go on as another program.
start_publisher
"$QPOOL_TOP" --json --interval 0.1 "$publisher" >"$work/stream" 2>"$work/err" &
follower=$!
exec 6<"$work/stream"
read -r -t 60 line <&6
echo exec >&7
cat <&6 >/dev/null
exec 6<&-
wait "$follower"
check_equal "--interval: another program is a failure" "$?" 1
check_equal "--interval: it has not ended" "$(cat "$work/err")" "qpool: process $publisher has stopped publishing"
end_program

refused 1 "publishes nothing" $$
refused 2 "unknown option --bogus" --bogus
refused 2 "designer is not a process ID" designer
check_equal "the list without it" "$("$QPOOL_TOP" | grep -c "$gone")" 0

# Object caches of a program that publishes nothing else.
start_caches
json=$("$QPOOL_TOP" --json "$caches")
check_equal "caches as JSON" "$(field '[c["name"] for c in f["caches"]]' <<<"$json")" "['requests']"
check_equal "its categories" "$(field '[c["name"] for c in f["caches"][0]["categories"]]' <<<"$json")" \
    "['', 'files', 'network']"
check_equal "its requests" "$(field '[c["ownHits"] + c["depotHits"] + c["misses"]
    for c in f["caches"][0]["categories"]]' <<<"$json")" "[0, 20000, 20000]"
check_equal "its resets" "$(field 'sum(c["resets"] for c in f["caches"][0]["categories"])' <<<"$json")" 40000
check_equal "no arenas" "$(field 'f["arenas"]' <<<"$json")" "[]"
page=$("$QPOOL_TOP" "$caches")
check_contains "the page names it" "$page" "example_objectcache  process $caches  "
check_contains "a line a cache" "$page" "
requests  "
check_contains "a line a category" "$page" "
  network  "
check_contains "it is listed" "$("$QPOOL_TOP")" "$caches  example_objectcache"
end_caches
refused 1 "there is no process $caches" "$caches"

# How long events wait, of a program that records it. The collector publishes the statistics later than the
# event is delivered, so they are read until they are there.
start_publisher
check_equal "no latency unless requested" \
    "$("$QPOOL_TOP" --json "$publisher" | field '[k for k in f if k.startswith("latency")]')" "[]"
end_program
start_publisher QT_POOL_ALLOCATOR=monitor,latency
publish "post 321"
mailbox='next((e for e in f.get("latency", {"events": []})["events"] if e["class"] == "Mailbox"), {"delivered": 0})'
end=$((SECONDS + 60))
until json=$("$QPOOL_TOP" --json "$publisher"); [[ $(field "$mailbox['delivered']" <<<"$json") == 321 ]] || ((SECONDS > end)); do
    sleep 0.05
done
check_equal "latency: the class" "$(field "$mailbox['delivered']" <<<"$json")" 321
check_equal "latency: its type" "$(field "$mailbox['type']" <<<"$json")" "User+0"
check_equal "latency: its waits" "$(field "$mailbox['wait']['count']" <<<"$json")" 321
check_equal "latency: its histogram" "$(field "sum(n for _, n in $mailbox['run']['histogram'])" <<<"$json")" 321
check_equal "latency: the process" "$(field 'f["latency"]["pid"]' <<<"$json")" "$publisher"
check_equal "latency: one line" "$(wc -l <<<"$json")" 1
end_program

# Data that others publish is not trusted.
start_publisher
for kind in version noise cut foreign unsealed intact; do
    coproc FAKE { exec python3 "$(dirname "$0")/fakesegment.py" "$publisher" "$kind"; }
    fake=$FAKE_PID
    read -r -t 60 line <&"${FAKE[0]}"
    check_equal "fake, $kind" "$line" ready
    list=$("$QPOOL_TOP")
    case $kind in
    version)
        refused 1 "has version 999 of the format" "$fake"
        check_contains "$kind is listed as such" "$list" "publishes in the format of another version"
        ;;
    unsealed)
        refused 1 "not sealed" "$fake"
        check_equal "$kind is not listed" "$(grep -c "$fake" <<<"$list")" 0
        ;;
    intact)
        # It cannot be distinguished from a process that publishes.
        check_contains "a good copy is read" "$("$QPOOL_TOP" "$fake")" "process $fake"
        ;;
    *)
        refused 1 "can't be read" "$fake"
        check_contains "$kind is listed as such" "$list" "publishes invalid data"
        ;;
    esac
    eval "exec ${FAKE[1]}>&-"
    wait "$fake"
done

finish
