#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD SHARED NAME...: what `make bench` prints: whole processes, then each program of
# BUILD/bench. All figures, printed or not, go to BUILD/bench.json.
set -eu
build=$1
shared=${PC_SHARED:-$2}
shift 2
export PC_BENCH_JSON="$build/bench.lines"
: >"$PC_BENCH_JSON"
status=0
python3 "$(dirname "$0")/jobs.py" "$build" "$shared" || status=$?
python3 "$(dirname "$0")/tap.py" "$build/cli/pcounter" || status=$?
for name in "$@"; do
    "$build/bench/bench_$name" || status=$?
done
{
    echo '['
    sed '$!s/$/,/' "$PC_BENCH_JSON"
    echo ']'
} >"$build/bench.json"
rm "$PC_BENCH_JSON"
printf '\n%s figures, %s with a limit, %s of them missed: %s\n' "$(grep -c '"value"' "$build/bench.json")" \
    "$(grep -c '"met"' "$build/bench.json")" "$(grep -c '"met": false' "$build/bench.json")" "$build/bench.json"
exit "$status"
