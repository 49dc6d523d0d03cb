# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The live view on a terminal of 80x24: its contents, and the effect of keys and signals.

source "$(dirname "$0")/topcheck.sh"

command -v tmux >/dev/null || skip "there is no tmux"
export TMUX_TMPDIR=$work
unset TMUX
# A separate server for each terminal: a server that is ending would accept the next call.
server=0
tmux() { command tmux -L "$server" "$@"; }
trap 'tmux kill-server 2>/dev/null; end_program; rm -rf "$work"' EXIT

contents() { tmux capture-pane -p; }
keys() { tmux send-keys "$@"; }

# shows WHAT PATTERN: waits until the screen shows it. The screen is read repeatedly, because it
# sends no notification of a change.
shows()
{
    local what=$1 pattern=$2 end=$((SECONDS + 60))
    until contents | grep -qE -- "$pattern"; do
        if ((SECONDS > end)); then
            failed "$what: '$pattern' is not in"
            contents
            return
        fi
        sleep 0.05
    done
    passed "$what"
}

# terminal COMMAND...: runs it on a new terminal, which shows its exit code when it ends.
terminal()
{
    tmux kill-server 2>/dev/null
    server=$((server + 1))
    tmux -f /dev/null new-session -d -x 80 -y 24 \
        "$* ; printf 'ended with %s\n' \$?; stty -a | grep -o ' .\\?echo '; exec sleep 1000"
}

start_publisher

terminal "$QPOOL_TOP" --interval 0.1
shows "the list" "$publisher  top_publisher"
shows "the list's keys" "Enter follow"
# Other processes may publish on the machine: selects ours.
for _ in $("$QPOOL_TOP" --csv | awk -F, -v pid="$publisher" 'NR > 1 && $1 < pid'); do keys Down; done
keys Enter
shows "the process" "^top_publisher  process $publisher, Qt "
shows "a thousand private parts" " $timers .* 1,[0-9]{3}$"
check_equal "24 lines" "$(contents | wc -l)" 24
check "80 columns" test "$(contents | wc -L)" -le 80
check_contains "the keys" "$(contents | tail -1)" "? help"
check_contains "the bars" "$(contents)" "██"
check_contains "the arenas" "$(contents)" "$publisher"

publish 100000
shows "a hundred thousand more" " $timers .* 101,[0-9]{3}$"
keys p
shows "pause" "Paused\."
publish 100000
keys x
shows "a key that does nothing" "Unknown key"
check_contains "paused statistics stay" "$(contents)" " 101,"
keys p
shows "going on" " $timers .* 201,[0-9]{3}$"
keys c
shows "reset" "since reset"
publish 77
shows "counted from the reset" " $timers .* 77$"
keys c v v
shows "live again" "private parts +live"
keys v v
shows "the rate" "private parts +chunks/s"
keys v /
shows "a prompt" "^Filter: _"
keys -l "private $timers"
keys Enter
shows "a filter" "^Filter: private $timers\."
check_equal "only that class" "$(contents | grep -cE '^ +[0-9]+  ?[█▏▎▍▌▋▊▉]')" 1
keys f BSpace BSpace BSpace
keys -l "what"
keys Enter
shows "a filter that is none" "'what' is no domain, size or range"
keys Tab
shows "arenas" "arena +thread +live"
keys '?'
shows "help" "A remote free is one"
keys Escape

keys o
shows "live objects by class" "private +QTimerPrivate$"
shows "its keys" "m mark  s sort"
keys m
shows "marked" "Growth since the mark"
publish 44
shows "growth" "[+]44 .* private +QTimerPrivate$"
keys s
shows "sorted by bytes" "Sorted by bytes"
keys /
keys -l "nothing of this name"
keys Enter
shows "a search without a result" "No class matches"
keys '?'
shows "its help" "sort by bytes, count or growth"
keys '?' o
shows "back where it was opened" "arena +thread +live"

keys e
shows "no event latency unless requested" "This process does not record how long events wait"
check_contains "what turns it on" "$(contents)" "run --latency -- PROGRAM"
keys e
shows "back from there" "arena +thread +live"

keys h
shows "call sites, of QtCore alone" "No sample yet"
keys h
shows "back from those" "arena +thread +live"

tmux resize-window -x 60 -y 12
shows "smaller" "^top_publisher"
end=$((SECONDS + 60))
until (($(contents | wc -l) == 12)) && contents | tail -1 | grep -q "quit" || ((SECONDS > end)); do sleep 0.05; done
check_equal "smaller: its last line" "$(contents | tail -1 | cut -c 1-6)" "q quit"
tmux resize-window -x 120 -y 40
shows "larger" "[?] help"

gone=$publisher
end_program
shows "it has ended" "The process has ended; these are its last statistics"
keys b
shows "back to the list" "(No process publishes|program +live)"
check_equal "without it" "$(contents | grep -c "$gone ")" 0
keys q
shows "the end" "ended with 0"
shows "as it was" "^ echo"

start_publisher
terminal "$QPOOL_TOP" "$publisher"
shows "by number" "^top_publisher  process $publisher"
top=$(pgrep -P "$(tmux display-message -p '#{pane_pid}')" -x "$(basename "$QPOOL_TOP" | cut -c 1-15)")
kill -TERM "$top"
shows "told to end" "ended with 143"
shows "as it was, too" "^ echo"

terminal env TERM=dumb "$QPOOL_TOP" "$publisher"
shows "a terminal that can't place text" "ended with 0"
check_contains "it is printed once" "$(contents)" "process $publisher, Qt"

terminal "LC_ALL=C $QPOOL_TOP" "$publisher"
shows "without blocks" " $timers .*#### +1,[0-9]{3}$"
keys q
shows "and its end" "ended with 0"

end_program
start_publisher QT_POOL_ALLOCATOR=monitor,latency
publish "post 777"
terminal "$QPOOL_TOP" --interval 0.1 "$publisher"
shows "the way to event latency" "e latency"
keys e
shows "event latency" "777  Mailbox: User\+0"
check_contains "its keys" "$(contents | tail -1)" "Enter histogram"
check_equal "latency: 24 lines" "$(contents | wc -l)" 24
publish "post 223"
shows "event latency, later" "1,000  Mailbox: User\+0"
keys s
shows "sorted by the worst" "Sorted by worst wait"
keys w
shows "sorted by runs" "Sorted by worst run"
keys /
keys -l "mailbox"
keys Enter
shows "filtered" "^Filter: mailbox\."
keys Enter
shows "a histogram" "delivered 1,000, removed 0"
check_contains "its bars" "$(contents)" "█"
keys Escape
shows "the list of classes again" "wait p99 +worst"
keys '?'
shows "help on latency" "p99 is a time that 99 of 100"
keys '?'
end_program
shows "the end of the process" "The process has ended\."
check_contains "its last events" "$(contents)" "1,000  Mailbox"
keys q
shows "the end of that" "ended with 0"

if [[ ${QPOOL_FRONT:-} ]]; then
    start_program "$QPOOL_HEAP_SITES" LD_PRELOAD="$QPOOL_FRONT" QT_POOL_ALLOCATOR=monitor
    sampling() { "$QPOOL_HEAP" | grep "^ *$program "; }
    terminal "$QPOOL_TOP" --interval 0.1 "$program"
    shows "the way to call sites" "h heap"
    keys h
    shows "sampling began" "No sample yet"
    check_contains "it is on" "$(sampling)" "a sample every 512"
    order "widgets 40000"
    shows "a call site" "keepWidgets \(heapsites.cpp:[0-9]+\)  \{Widget\}$"
    shows "its caller" "^ +< main \(heapsites.cpp:[0-9]+\)$"
    check_contains "its keys" "$(contents | tail -1)" "h size classes"
    check_equal "call sites: 24 lines" "$(contents | wc -l)" 24
    keys m
    shows "growth since a mark" "Growth since the mark"
    order "large 100"
    shows "what grew first" "[+][0-9.]+ MiB .* keepLarge"
    check "within 80 columns" test "$(contents | wc -L)" -le 80
    keys /
    keys -l "widget"
    keys Enter
    shows "only what matches" "^Filter: widget\."
    check_equal "and nothing else" "$(contents | grep -c keepLarge)" 0
    keys '?'
    shows "help on call sites" "this screen switches it on"
    keys Escape Escape
    shows "back from call sites" "up [0-9]+ s$"
    check_contains "it is off again" "$(sampling)" "sampling is off"
    "$QPOOL_HEAP" --on 64K "$program" &>/dev/null
    keys h
    shows "someone else's interval" "one in 64.0 KiB"
    keys q
    shows "the end of call sites" "ended with 0"
    check_contains "it stays as it was" "$(sampling)" "a sample every 64"
    end_program
fi

start_caches
terminal "$QPOOL_TOP" --interval 0.1 "$caches"
shows "object caches, of a program without a pool" "^  network +0 "
keys Tab
shows "the way on to them" "Tab caches"
keys Tab
shows "by themselves" "Tab classes"
check_equal "right below the head" "$(contents | sed -n 6p | cut -c 1-12)" "object cache"
# A program that ends normally destroys its caches first, and they disappear; those of a killed one
# stay.
kill -KILL "$caches"
wait "$caches"
exec 5>&- 4<&-
shows "they stay" "The process has ended; these are its last statistics"
check_contains "with their values" "$(contents)" "requests"
keys q
shows "and theirs" "ended with 0"

# A terminal disappears, and a parent had the program ignore the signal of that.
check_equal "it ends with its terminal" "$(python3 - "$QPOOL_TOP" <<'PROGRAM'
import os, pty, signal, sys
child, terminal = pty.fork()
if child == 0:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.execve(sys.argv[1], sys.argv[1:], {**os.environ, "TERM": "xterm"})
os.read(terminal, 1)  # it draws
os.close(terminal)
signal.alarm(60)
print(os.waitpid(child, 0)[1])
PROGRAM
)" 0

finish
