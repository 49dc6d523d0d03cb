# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# Functions for all subcommands: messages, numbered steps, errors of one line, logs.

# When this call began: what changes later is not in what it builds.
qpool_begun=$EPOCHREALTIME

# The number of steps of a subcommand, which adds up the steps of the parts that it uses.
qpool_steps=0
qpool_step=0

# Whether this is the command of the packages, which has nothing to build: see cmake/packaging.
is_installed() { [[ -e $QPOOL_ROOT/installation ]]; }

say() { printf '%s\n' "$*"; }

# The exit codes of what goes wrong here. A command that runs a program has others, because these may be the
# program's: see programs_exit_code().
qpool_failure=1
qpool_cannot_run=1
qpool_no_program=1
qpool_usage_error=2

fail()
{
    printf 'qpool: %s\n' "$*" >&2
    exit "$qpool_failure"
}

usage_error()
{
    printf 'qpool: %s\n' "$*" >&2
    exit "$qpool_usage_error"
}

# From now on the exit code is a program's, and otherwise as env's.
programs_exit_code() { qpool_failure=125 qpool_cannot_run=126 qpool_no_program=127 qpool_usage_error=125; }

# With qpool_quiet set, a step is shown only when it has something to do.
qpool_quiet=
qpool_unshown=

step()
{
    qpool_step=$((qpool_step + 1))
    qpool_step_start=$SECONDS
    qpool_unshown=$(printf '[%d/%d] %s' "$qpool_step" "$qpool_steps" "$*")
    [[ $qpool_quiet ]] || show_step
}

show_step()
{
    [[ $qpool_unshown ]] && say "$qpool_unshown"
    qpool_unshown=
}

# note TEXT...: shows the progress of a step below its title.
note()
{
    show_step
    say "      $*"
}

step_done()
{
    [[ $qpool_unshown ]] && return 0
    note "${*:-done} ($((SECONDS - qpool_step_start)) s)"
}

on_terminal() { [[ -t 1 && ${CI-} != true ]]; }

# Only one ./qpool at a time may write below build/. The script must close the descriptor before it
# starts a program that may outlive it.
take_lock()
{
    try_lock && return 0
    say "Waiting for another ./qpool that is at work in $QPOOL_BUILD ..."
    flock 9
    qpool_locked=yes
}

# Whether the lock is held or can be taken without waiting.
qpool_locked=
try_lock()
{
    [[ ! $qpool_locked ]] || return 0
    if ! { mkdir -p "$QPOOL_BUILD" && true >>"$QPOOL_BUILD/.lock"; } 2>/dev/null; then
        fail "cannot write to $QPOOL_BUILD: make the folder writable, or set QPOOL_BUILD_DIR to another"
    fi
    exec 9>"$QPOOL_BUILD/.lock"
    flock -n 9 && qpool_locked=yes
}

release_lock()
{
    exec 9>&-
    qpool_locked=
}

# A build that runs out of disk space fails late, with an unclear message.
need_room()
{
    local gigabytes=$1 free
    free=$(df -Pk "$QPOOL_BUILD" | awk 'NR == 2 { print $4 }')
    if ((free < gigabytes * 1024 * 1024)); then
        fail "the disk of $QPOOL_BUILD has $((free / 1024)) MB left and $gigabytes GB are needed: free some, or set QPOOL_BUILD_DIR to a folder on another disk"
    fi
}

# The cause of a failure according to a log, in one line.
cause_in_log()
{
    if grep -q 'No space left on device' "$1"; then
        echo "the disk is full: free some room, then call ./qpool again"
    elif grep -qE 'Killed signal terminated program|Cannot allocate memory|out of memory' "$1"; then
        echo "the memory is full: call ./qpool again with --jobs 1"
    elif grep -qE 'Temporary failure resolving|Could not resolve|Could not connect|Network is unreachable|Connection timed out|Unable to connect' "$1"; then
        echo "the package archive cannot be reached: check the network, then call ./qpool again"
    else
        echo "see $1"
    fi
}

# logged LOG SUBJECT COMMAND...: runs COMMAND with its output in LOG. If it fails, prints the end of the
# log and stops.
logged()
{
    local log=$1 subject=$2
    shift 2
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 9>&- && return 0
    tail -n 25 "$log" >&2
    fail "$subject failed: $(cause_in_log "$log")"
}

# cmake_script LOG SCRIPT.cmake -Dx=y...: runs a script of the repository, which writes its message for
# the user to a file, as one line.
cmake_script()
{
    local log=$1 script=$2 failure=$1.failure
    shift 2
    mkdir -p "$(dirname "$log")"
    rm -f "$failure"
    cmake "$@" "-DQPOOL_FAILURE_FILE=$failure" -P "$QPOOL_ROOT/cmake/$script" >"$log" 2>&1 9>&- && return 0
    [[ -s $failure ]] && fail "$(<"$failure")"
    tail -n 25 "$log" >&2
    fail "cmake/$script failed: $(cause_in_log "$log")"
}

# configured_as FOLDER SIGNATURE: whether FOLDER was configured with the settings of SIGNATURE.
configured_as()
{
    local stamp=$1/.qpool-configured
    [[ -e $1/build.ninja && -e $stamp && $(<"$stamp") == "$2" ]]
}

# configure_once FOLDER SIGNATURE LOG SUBJECT COMMAND...: the rest of a step. Runs COMMAND, which
# configures FOLDER, unless an earlier call did.
configure_once()
{
    local build=$1 signature=$2 log=$3 subject=$4
    shift 4
    if configured_as "$build" "$signature"; then
        step_done "done before"
        return 0
    fi
    rm -rf "$build/CMakeCache.txt" "$build/.qpool-configured"
    logged "$log" "configuring $subject" "$@"
    printf '%s\n' "$signature" >"$build/.qpool-configured"
    step_done
}

# check_written_file OPTION FILE: that FILE can be written, before anything is built.
check_written_file()
{
    local folder
    folder=$(dirname -- "$2")
    [[ -d $folder ]] || fail "there is no folder $folder: create it, or give $1 another file"
    [[ (-w $folder || -w $2) && ! -d $2 ]] ||
        fail "$2 cannot be written: give $1 a file in a folder that you may write to"
}

# check_runner_option NAME VALUE: checks an option that bench, compare or the conformance tests pass on,
# so that an error is reported before an hour of building.
check_runner_option()
{
    case $1 in
    --variant) [[ $2 =~ ^[a-z-]+$ ]] || usage_error "--variant $2 is no build's name" ;;
    --duration | --timeout)
        [[ $2 =~ ^[0-9]+(\.[0-9]+)?$ && $2 =~ [1-9] ]] || usage_error "$1 $2 is not a number of seconds"
        ;;
    --peer)
        [[ $2 =~ ^[A-Za-z0-9._-]+=. ]] ||
            usage_error "--peer $2 is not NAME=LIBRARY: give one like mimalloc3=/opt/lib/libmimalloc.so.3"
        [[ -f ${2#*=} ]] || fail "there is no file ${2#*=}: give --peer an allocator's shared library"
        ;;
    --rounds) [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "--rounds $2 is not a number of rounds" ;;
    --json | --csv) check_written_file "$1" "$2" ;;
    --filter | --suites)
        local status=0
        grep -qE -e "$2" <<<'' 2>/dev/null || status=$?
        ((status < 2)) || usage_error "$1 $2 is not a regular expression"
        ;;
    esac
}
