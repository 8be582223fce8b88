#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz targets one after the other, from the corpus on (docs/FUZZING.md).
#   tools/fuzz.sh [-t SECONDS] [-m] [TARGET]...     all targets, 120 seconds each
# New inputs and findings stay in build/fuzz; -m merges what adds coverage into the corpus.
set -eu
cd "$(dirname "$0")/.."
seconds=120
merge=
while getopts t:m option; do
    case $option in
    t) seconds=$OPTARG ;;
    m) merge=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
build=build/fuzz
corpus=tests/fuzz/corpus
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls "$corpus")

cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DPC_FUZZ=ON >/dev/null
found=0
for target; do
    cmake --build "$build" --target "fuzz_${target}_explore" >/dev/null
    work=$build/work/$target
    mkdir -p "$work" "$build/found/$target"
    echo "$target: $seconds s"
    "$build/tests/fuzz/fuzz_${target}_explore" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=1024 -artifact_prefix="$build/found/$target/" \
        "$work" "$corpus/$target" >"$build/$target.log" 2>&1 || {
        echo "$target: FOUND something, see $build/$target.log and $build/found/$target" >&2
        found=1
    }
    grep -a 'DONE' "$build/$target.log" || true
    [ -z "$merge" ] || "$build/tests/fuzz/fuzz_${target}_explore" -merge=1 "$corpus/$target" "$work" \
        >/dev/null 2>&1
done
exit $found
