# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_bench() { echo "measure against the best allocators and stock Qt"; }
group_bench=develop

help_bench()
{
    cat <<'HELP'
usage: ./qpool bench [--quick] [--filter REGEX] [--rounds N] [--count | --compare VERSION]
                     [--list] [--peer NAME=LIBRARY]... [--json FILE] [--csv FILE]
                     [--plot DIR] [--doc] [--qt VERSION | --source DIR] [--jobs N]

Installs missing packages, including mimalloc, jemalloc and tcmalloc, and builds the pooled
QtCore, the same with all features off, and the same with each feature alone. Then measures
these, the allocator alone, and whole programs, against glibc's malloc and the other
allocators, preloaded, all in one run. The processes take turns. doc/internals.md describes
the method and how to read the table.

  --quick        take three and a half minutes, without the build (default: about an hour)
  --filter REGEX measure only rows whose name matches: --filter '^qt/', --filter loop/16x100
  --rounds N     run exactly N rounds, however long they take
  --count        count instructions by callgrind instead of time: independent of other work; all
                 rows take about 25 minutes
  --compare VERSION
                 count the instructions of ours alone, and show them beside those that this version
                 has in doc/results: what a change made slower
  --peer NAME=LIBRARY
                 measure against this allocator too, which is preloaded; can be repeated, and
                 replaces one of the same name: --peer mimalloc3=/opt/lib/libmimalloc.so.3
  --list         print the names of the rows; builds and measures nothing
  --json FILE    also write the result as JSON, with a description of the machine
  --csv FILE     also write the table as CSV
  --plot DIR     also draw bars, a PNG and an SVG for each group of rows, and curves of growth
  --doc          also write the results into doc/results, without worthless rows, and the
                 pictures beside it; with --count the numbers of instructions
HELP
    qt_help_options
}

command_bench()
{
    local arguments=() operands=() whole=1 document= list= compare=
    take_options "$qt_options --quick --list --count --doc --filter= --rounds= --peer= --json= --csv= --plot= --compare=" \
        take_bench_option "$@"

    if [[ $list ]]; then
        # The rows are known without the programs, unlike their times.
        { [[ ! $qt_wanted && ! $qt_checkout ]] || qt_is_distributions; } || arguments+=(--other-qt)
        exec python3 -B "$QPOOL_ROOT/tools/bench/rows.py" "${arguments[@]}"
    fi
    if [[ $document ]]; then
        [[ ! $compare ]] || usage_error "--compare goes with no --doc, which replaces results: omit one of them"
        [[ $whole ]] || usage_error "--doc writes the results of all rows: omit --filter"
        arguments+=("--doc=$document")
    fi

    local stock=$QPOOL_BUILD/bench-stock pooled against=()
    qpool_steps=18
    prepare_source view bench
    pooled=$QPOOL_BUILD/bench-pooled-${qt_dir##*/}
    build_qt on Core Test
    if qt_is_distributions; then
        build_qt off Core
        arguments+=(--distribution)
    else
        stock+=-${qt_dir##*/}
        against_flag_off
        build_qt off Core Test
        say "QtGui, QtQml and QtQuick need a QtCore of their own version: the rows of qml/ and qtkernel/qobject are left out."
    fi
    build_qt pool Core
    build_qt wakeup Core
    build_qt fastpaths Core
    configure_benchmarks "$stock" "${against[@]}"
    build_project "$stock" bench_allocator bench_corelib bench_programs
    # The same program, compiled against the pooled QtCore's headers.
    configure_benchmarks "$pooled" "-DCMAKE_PREFIX_PATH=$qt_dir/on"
    build_project "$pooled" bench_corelib
    step "Measuring"
    # Nothing more is written below build/, but compiling would disturb the measurement, so the lock is
    # kept until the end.
    show_step
    # The distribution's Python, which finds the distribution's matplotlib. PATH may contain another one
    # first. In place of this shell, which would pass a signal on only after the last round.
    exec /usr/bin/python3 -B "$QPOOL_ROOT/tools/bench/qpoolbench.py" --stock "$stock" \
        --pooled "$pooled" --qt-dir "$qt_dir" "${arguments[@]}"
}

# versions_with_counts: those that can be compared with, as a clause.
versions_with_counts()
{
    local file versions=()
    for file in "$QPOOL_ROOT"/doc/results/*/instructions.csv; do
        file=${file%/*}
        [[ $file == *\** ]] || versions+=("${file##*/}")
    done
    ((${#versions[@]})) && printf 'it has those of %s' "${versions[*]}" || printf 'it has none'
}

# Sets the arguments of the runner, $whole, $document and $compare.
take_bench_option()
{
    case $1 in
    --doc)
        document=$QPOOL_ROOT/doc/results/$(project_version)
        return
        ;;
    --compare)
        compare=$QPOOL_ROOT/doc/results/$2
        [[ $2 != */* && -f $compare/instructions.csv ]] ||
            usage_error "doc/results has no counted instructions of a version $2: $(versions_with_counts)"
        arguments+=("--compare=$compare")
        return
        ;;
    --filter) whole= ;;
    --list) list=yes ;;
    esac
    [[ ! ${2-} ]] || check_runner_option "$1" "$2"
    arguments+=("$1${2+=$2}")
}

configure_benchmarks()
{
    local folder=$1
    shift
    configure_project "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DQPOOL_BUILD_TESTS=OFF \
        -DQPOOL_BUILD_EXAMPLES=OFF -DQPOOL_BUILD_BENCHMARKS=ON \
        "-DQPOOL_QT_SOURCE=$qt_untouched" "$@"
}
