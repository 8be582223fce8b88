#!/bin/sh
# SPDX-License-Identifier: MIT
# Proof that the tests can fail: breaks each rule of tests/mutants.txt in turn, in a copy of the sources
# (tools/mutate.py; one build, the environment variable PC_MUTANT says which is wrong), and runs the tests
# of the model. Each must turn red; without a broken rule they are green.
#   tools/mutants.sh [-s] [K]...  all, or the given ones; -s: with sanitizers; JOBS: so many tests beside each other
#   tools/mutants.sh -r N [OPTION]...  N single tokens at random, each with the tests that run its line: -s SEED,
#       -a AREA, -b SECONDS of tests for each, --sanitize, --only FILE:LINE (tools/mutate_random.py).  It needs
#       build/coverage/map.json of tools/coverage.sh -m, and says the score of each area and what survives.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
if [ "${1:-}" = -r ]; then
    [ -f build/coverage/map.json ] || { echo "tools/coverage.sh -m says which tests run a line: run it first" >&2; exit 2; }
    n=${2:?how many}
    shift 2
    mkdir -p build/mutants
    exec python3 tools/mutate_random.py build/coverage/map.json build/mutants -n "$n" "$@"
fi
name=mutant
flags=
if [ "${1:-}" = -s ]; then
    shift
    name=mutant-san
    flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
fi
copy=$root/build/$name/tree
build=$root/build/$name/build
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
survivors=
passed=0
# shellcheck disable=SC2046 # a number a word
[ $# -gt 0 ] || set -- $(sed -n 's/^\([0-9][0-9]*\) src.*/\1/p' tests/mutants.txt | sort -nu)

rm -rf "$copy"
mkdir -p "$copy" "$build"
tar --exclude=./build --exclude=./build-bench --exclude=./.git -cf - . | tar xf - -C "$copy"
python3 tools/mutate.py tests/mutants.txt . "$copy"
cmake -S "$copy" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS="$flags" \
    -DPC_SHARED_DIR="$root/../shared" >/dev/null
cmake --build "$build" >"$build/build.log" || { tail -20 "$build/build.log" >&2; exit 1; }

# with_rule K: the tests, with rule K broken; 0: none. Quick ones first, the comparison with the Verilog
# only for what they overlook.
with_rule() {
    (cd "$build" && export PC_MUTANT="$1" &&
        ctest -j "$jobs" -L model -E '^rtl_' --stop-on-failure >"mutant_$1.log" 2>&1 &&
        ctest -j "$jobs" -R '^rtl_' --stop-on-failure >>"mutant_$1.log" 2>&1)
}

with_rule 0 || { echo "the tests fail with no rule broken: $build/mutant_0.log" >&2; exit 1; }
for k in "$@"; do
    if with_rule "$k"; then
        echo "mutant $k SURVIVES"
        survivors="$survivors $k"
    else
        echo "mutant $k is noticed"
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $(echo "$survivors" | wc -w) failed"
[ -z "$survivors" ]
