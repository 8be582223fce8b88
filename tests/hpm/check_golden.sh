#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden tests of `pcounter check` and of the lists of CVA6.
#   check_golden.sh PROGRAM            compares every case
#   check_golden.sh --accept PROGRAM   writes what the program says as the expectation
# A case is check/NAME.args, one command line for the folder it is in, and check/NAME.out:
# standard output, then standard error, then the exit code.
set -eu
accept=no
if [ "${1:-}" = --accept ]; then
    accept=yes
    shift
fi
program=$(realpath "${1:?usage: check_golden.sh [--accept] PROGRAM}")
cd "$(dirname "$0")/check"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 20000 ../vectors/csr-rv32-imac-msu-small.txt.gz >"$work/cut.txt.gz"
run=0
bad=0
for args in *.args; do
    name=${args%.args}
    line=$(cat "$args")
    set -f
    eval "set -- $line"
    set +f
    code=0
    (cd "$work" && ln -sf "$OLDPWD"/*.txt . && "$program" "$@") >"$work/out" 2>"$work/err" \
        <good.txt || code=$?
    {
        cat "$work/out"
        echo "--- stderr"
        cat "$work/err"
        echo "--- exit $code"
    } >"$work/got"
    run=$((run + 1))
    if [ $accept = yes ]; then
        cp "$work/got" "$name.out"
    elif ! diff -u "$name.out" "$work/got"; then
        echo "FAILED: pcounter $line ($name)" >&2
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
