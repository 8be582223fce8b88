#!/bin/sh
# SPDX-License-Identifier: MIT
# Proof that the tests can fail: builds the library with rule k broken (-DPC_MUTANT=k), for
# every k of src/rules/mutant.h, and runs the tests of the model. Each must turn red.
#   tools/mutants.sh [K]...     all, or the given ones
set -eu
cd "$(dirname "$0")/.."
last=$(sed -n 's/^#define PC_MUTANT_LAST //p' src/rules/mutant.h)
build=build/mutant
survivors=
passed=0
[ $# -gt 0 ] || set -- $(seq 1 "$last")
for k in "$@"; do
    if ! grep -rqE "PC_MUT\($k,|PC_MUTANT [!=]= $k\>" src; then
        echo "mutant $k does not exist"
        continue
    fi
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DPC_MUTANT="$k" >/dev/null
    cmake --build "$build" >/dev/null 2>&1 || { echo "mutant $k does not build" >&2; exit 1; }
    # the quick tests first; the comparison with the Verilog only for what they overlook
    if (cd "$build" && ctest -L model -E '^rtl_' --stop-on-failure >/dev/null 2>&1 &&
        ctest -R '^rtl_' --stop-on-failure >/dev/null 2>&1); then
        echo "mutant $k SURVIVES"
        survivors="$survivors $k"
    else
        echo "mutant $k is noticed"
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $(echo "$survivors" | wc -w) failed"
[ -z "$survivors" ]
