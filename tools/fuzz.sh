#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz targets one after the other, from the corpus on (docs/FUZZING.md).
#   tools/fuzz.sh [-t SECONDS] [-c HOURS] [-l BYTES] [-m] [TARGET]...
#       all targets, 120 seconds each, inputs of at most 4096 bytes
#   -c  again and again, until they have taken so many hours of CPU; findings do not end it
#   -m  merges what adds coverage into the corpus
#   tools/fuzz.sh -s     adds up build/fuzz/runs.tsv, which has a line for each run of a target
# New inputs and findings stay in build/fuzz.
set -eu
cd "$(dirname "$0")/.."
seconds=120
hours=
bytes=4096
merge=
build=build/fuzz
corpus=tests/fuzz/corpus
runs=$build/runs.tsv

# Adds up the runs: of each target hours, executions, coverage of the first and the last run.
sum() {
    awk -F '\t' '
        NR == 1 { next }
        !($2 in cpu) { order[++targets] = $2; first[$2] = $5 }
        { cpu[$2] += $3; execs[$2] += $4; last[$2] = $6; found[$2] += $7 != 0 }
        END {
            printf "%-12s %7s %12s %7s %7s %s\n", "target", "CPU h", "executions", "start", "end",
                   "found"
            for (i = 1; i <= targets; i++) {
                t = order[i]
                printf "%-12s %7.2f %12d %7d %7d %d\n", t, cpu[t] / 3600, execs[t], first[t],
                       last[t], found[t]
                all += cpu[t]; n += execs[t]
            }
            printf "%-12s %7.2f %12d\n", "all", all / 3600, n
        }' "$runs"
}

# Sets `spent` to the seconds of CPU that the children of this shell have taken so far.
cpu() {
    times >"$build/times"
    spent=$(awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m")
                           printf "%.1f", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$build/times")
}

while getopts t:c:l:ms option; do
    case $option in
    t) seconds=$OPTARG ;;
    c) hours=$OPTARG ;;
    l) bytes=$OPTARG ;;
    m) merge=yes ;;
    s)
        sum
        exit
        ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls "$corpus")

# Runs one target and adds its line to the runs; the status is that of the target.
explore() {
    log=$build/$1.log
    work=$build/work/$1
    status=0
    mkdir -p "$work" "$build/found/$1"
    cpu
    before=$spent
    "$build/tests/fuzz/fuzz_$1_explore" -max_total_time="$seconds" -max_len="$bytes" -timeout=10 \
        -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$build/found/$1/" \
        "$work" "$corpus/$1" >"$log" 2>&1 || status=$?
    cpu
    [ -s "$runs" ] || printf 'when\ttarget\tcpu\texecutions\tstart\tend\tstatus\n' >"$runs"
    awk -v when="$(date -u +%Y-%m-%dT%H:%M)" -v target="$1" -v status="$status" \
        -v cpu="$(echo "$before $spent" | awk '{ printf "%.1f", $2 - $1 }')" '
        match($0, /cov: [0-9]+/) { end = substr($0, RSTART + 5, RLENGTH - 5) }
        /INITED/ { start = end }
        /number_of_executed_units/ { execs = $2 }
        END { printf "%s\t%s\t%s\t%d\t%d\t%d\t%d\n", when, target, cpu, execs, start, end, status }
        ' "$log" >>"$runs"
    tail -n 1 "$runs"
    return "$status"
}

cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DPC_FUZZ=ON >/dev/null
found=0
while :; do
    for target; do
        cmake --build "$build" --target "fuzz_${target}_explore" >/dev/null
        explore "$target" || {
            cp "$build/$target.log" "$build/found/$target/$(date -u +%H%M%S).log"
            echo "$target: FOUND something, see $build/found/$target" >&2
            found=1
        }
        [ -z "$merge" ] || "$build/tests/fuzz/fuzz_${target}_explore" -merge=1 \
            "$corpus/$target" "$build/work/$target" >/dev/null 2>&1
    done
    cpu
    echo "$spent" | awk -v hours="${hours:-0}" '{ exit $1 < 3600 * hours }' && break
done
exit $found
