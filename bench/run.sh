#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD NAME...: runs each benchmark of BUILD/bench, and makes BUILD/bench.json.
set -eu
build=$1
shift
lines=$build/bench.lines
: >"$lines"
status=0
for name in "$@"; do
    PC_BENCH_JSON=$lines "$build/bench/bench_$name" || status=$?
    echo
done
{
    echo '['
    sed '$!s/$/,/' "$lines"
    echo ']'
} >"$build/bench.json"
rm "$lines"
echo "$build/bench.json"
exit "$status"
