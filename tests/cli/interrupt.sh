#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal leaves no half-written file behind: interrupt.sh PROGRAM
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'chip G92\nw a7c0 1\nr a7c0\nrepeat 4294967296 w a7c0 1\n' >"$work/long.pcs"
for signal in TERM HUP; do # a shell ignores INT for what runs in the background
    "$1" run -q -o "$work/reads" "$work/long.pcs" &
    pid=$!
    while [ -z "$(find "$work" -name 'reads.*')" ]; do sleep 0.05; done
    kill -s $signal $pid
    code=0
    wait $pid || code=$?
    [ -z "$(find "$work" -name 'reads*')" ] || { echo "SIG$signal left a file behind"; exit 1; }
    [ $code = 130 ] || { echo "SIG$signal: exit code $code, expected 130"; exit 1; }
done
echo '2 passed, 0 failed'
