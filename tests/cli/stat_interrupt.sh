#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C while `pcounter stat` waits for more of standard input: what was counted so far is
# printed, marked partial, and the exit code is 130; a file of -o is whole.
#
#   stat_interrupt.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

# More cycles than any buffer holds, then silence that outlasts the interrupt.
slow() {
    awk 'BEGIN {
        print "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end"
        print "$upscope $end\n$enddefinitions $end\n#0\n0!\n0#"
        for (t = 1; t <= 400000; t++)
            printf "#%d\n%d!\n%d#\n", t, t % 2, (t / 2) % 2
    }'
    sleep 3
}

# The exit code of a run that is interrupted after a second.
interrupted() {
    slow | {
        code=0
        timeout --preserve-status -s INT 1 "$program" stat --clock clk -e a "$@" - || code=$?
        echo "$code" >"$work/code"
    }
    [ "$(cat "$work/code")" = 130 ] || fail "exit code $(cat "$work/code"), not 130"
}

interrupted >"$work/out"
grep -q '^partial' "$work/out" || fail 'the report does not say that it is partial'
grep -Eq '^ +[1-9][0-9,]+  cycles' "$work/out" || fail 'nothing was counted'

interrupted -o "$work/report.json"
grep -q '"partial": true' "$work/report.json" || fail 'the file does not say that it is partial'
[ "$(tail -n 1 "$work/report.json")" = '}' ] || fail 'the file is not whole'
[ "$(find "$work" -name 'report*' | wc -l)" = 1 ] || fail 'something was left behind'
echo 'interrupted twice, counted both times'
