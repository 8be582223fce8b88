#!/bin/sh
# SPDX-License-Identifier: MIT
# Proof that the tests can fail: breaks each rule of src/rules/mutant.h in turn (one build, -DPC_MUTANT=env)
# and runs the tests of the model. Each must turn red; without a broken rule they are green.
#   tools/mutants.sh [K]...     all, or the given ones; JOBS: so many tests beside each other
set -eu
cd "$(dirname "$0")/.."
last=$(sed -n 's/^#define PC_MUTANT_LAST //p' src/rules/mutant.h)
build=build/mutant
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
survivors=
passed=0
[ $# -gt 0 ] || set -- $(seq 1 "$last")

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPC_MUTANT=env >/dev/null
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
    if ! grep -rqE "PC_MUT\($k,|PC_MUTANT [!=]= $k\>" src; then
        echo "mutant $k does not exist"
    elif with_rule "$k"; then
        echo "mutant $k SURVIVES"
        survivors="$survivors $k"
    else
        echo "mutant $k is noticed"
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $(echo "$survivors" | wc -w) failed"
[ -z "$survivors" ]
