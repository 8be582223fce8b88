#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden tests of `pcounter idle`.
#   idle_golden.sh PROGRAM            compares every case
#   idle_golden.sh --accept PROGRAM   writes what the program says as the expectation
# A case is idle/NAME.args, the words behind the verb (quotes as in a shell, no expansions;
# @EXAMPLES@ is the folder of examples), and idle/NAME.out: standard output, standard error,
# the exit code. NAME.in is standard input. Runs happen in the folder idle.
set -eu
accept=no
if [ "${1:-}" = --accept ]; then
    accept=yes
    shift
fi
program=$(realpath "${1:?usage: idle_golden.sh [--accept] PROGRAM}")
cd "$(dirname "$0")/idle"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=0
bad=0
for args in *.args; do
    name=${args%.args}
    line=$(sed 's|@EXAMPLES@|../../../examples|g' "$args")
    set -f
    eval "set -- $line"
    set +f
    input=/dev/null
    [ ! -e "$name.in" ] || input=$name.in
    code=0
    "$program" idle "$@" >"$work/out" 2>"$work/err" <"$input" || code=$?
    {
        sed 's/pcounter [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*/pcounter VERSION/' "$work/out"
        echo "--- stderr"
        cat "$work/err"
        echo "--- exit $code"
    } >"$work/got"
    run=$((run + 1))
    if [ $accept = yes ]; then
        cp "$work/got" "$name.out"
    elif ! diff -u "$name.out" "$work/got"; then
        echo "FAILED: pcounter idle $line ($name)" >&2
        bad=$((bad + 1))
    fi
done
for out in *.out; do
    if [ ! -e "${out%.out}.args" ]; then
        echo "FAILED: $out belongs to no case" >&2
        bad=$((bad + 1))
    fi
done
echo "$run cases, $bad failed"
[ $bad -eq 0 ]
