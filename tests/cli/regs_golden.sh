#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden tests of list, decode, encode and explain.
#   regs_golden.sh PROGRAM            compares every case
#   regs_golden.sh --accept PROGRAM   writes what the program says as the expectation
# A case is regs/NAME.args, one command line (quotes as in a shell, no expansions), and
# regs/NAME.out: standard output, then standard error, then the exit code.
set -eu
accept=no
if [ "${1:-}" = --accept ]; then
    accept=yes
    shift
fi
program=${1:?usage: regs_golden.sh [--accept] PROGRAM}
cases=$(dirname "$0")/regs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=0
bad=0
for args in "$cases"/*.args; do
    name=$(basename "$args" .args)
    line=$(cat "$args")
    set -f
    eval "set -- $line"
    set +f
    code=0
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
    {
        cat "$work/out"
        echo "--- stderr"
        cat "$work/err"
        echo "--- exit $code"
    } >"$work/got"
    run=$((run + 1))
    if [ $accept = yes ]; then
        cp "$work/got" "$cases/$name.out"
    elif ! diff -u "$cases/$name.out" "$work/got"; then
        echo "FAILED: pcounter $line ($name)" >&2
        bad=$((bad + 1))
    fi
done
for out in "$cases"/*.out; do
    if [ ! -e "${out%.out}.args" ]; then
        echo "FAILED: $out belongs to no case" >&2
        bad=$((bad + 1))
    fi
done
echo "$run cases, $bad failed"
[ $bad -eq 0 ]
