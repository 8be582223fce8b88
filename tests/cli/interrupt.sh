#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal leaves no half-written file behind; Ctrl-C ends a script at once, in a repeat, says where, and what was read before is printed whole: interrupt.sh PROGRAM
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'chip G92\nw a7c0 1\nr a7c0\nrepeat 4294967296 w a7c0 1\n' >"$work/long.pcs"
# until the process has its output, which may have no name, open
wait_for_output() {
    # shellcheck disable=SC2010,SC2012 # where the links of /proc point
    until ls -l "/proc/$pid/fd" 2>/dev/null | grep -q " -> $work/[^l]"; do sleep 0.05; done # not long.pcs
}
for signal in TERM HUP ALRM XCPU PROF VTALRM USR1 USR2; do # a shell ignores INT and QUIT for what runs in the background
    "$1" run -q -o "$work/reads" "$work/long.pcs" &
    pid=$!
    wait_for_output
    kill -s $signal $pid
    code=0
    wait $pid || code=$?
    [ -z "$(find "$work" -name 'reads*')" ] || { echo "SIG$signal left a file behind"; exit 1; }
    [ "$code" = 130 ] || { echo "SIG$signal: exit code $code, expected 130"; exit 1; }
done
# Nothing can be done in a process that is killed: where files without names can be had, nothing is left.
"$1" run -q -o "$work/reads" "$work/long.pcs" &
pid=$!
wait_for_output
# shellcheck disable=SC2010,SC2012 # where the links of /proc point
if ls -l "/proc/$pid/fd" | grep -q " -> $work/.*(deleted)"; then
    kill -s KILL $pid
    wait $pid || true
    [ -z "$(find "$work" -name 'reads*')" ] || { echo 'SIGKILL left a file'; exit 1; }
else
    echo "SKIP: $work has no files without names: what SIGKILL leaves is not looked at."
    kill $pid
    wait $pid || true
fi
code=0
# shellcheck disable=SC3045 # dash has both
(ulimit -St 1 && ulimit -c 0 && exec "$1" run -q -o "$work/reads" "$work/long.pcs") || code=$?
{ [ "$code" = 130 ] && [ -z "$(find "$work" -name 'reads*')" ]; } || { echo "CPU time: exit code $code, or a file is left"; exit 1; }
# until_says PATTERN OPTIONS CALL...: the call interrupted after a second or, on a machine that had no time for it
# and where it did not come so far, after a few; $code, and what it said as $work/out and $work/err
until_says() {
    pattern=$1
    options=$2
    shift 2
    for seconds in 1 3 9; do
        code=0
        # shellcheck disable=SC2086
        timeout --foreground $options -s INT $seconds "$@" >"$work/out" 2>"$work/err" || code=$?
        ! grep -q "$pattern" "$work/err" || break
    done
}
# --foreground: one signal; without it timeout sends two, and the second ends at once, as a second Ctrl-C
printf 'chip G92\nw a7c0 1\nr a7c0\nrepeat 1000000000 r a7c0\nr a7c0\n' >"$work/reads.pcs"
printf 'chip G92\nw a7c0 1\nr a7c0\nrepeat 1000000000 w a7c0 1\nr a7c0\n' >"$work/writes.pcs"
for script in reads writes; do
    until_says 'interrupted in line 4' '' "$1" run "$work/$script.pcs"
    [ "$code" = 124 ] || { echo "$script: was not stopped"; exit 1; } # the code of timeout
    [ "$(cat "$work/out")" = '00a7c0 00000001' ] || { echo "$script: other reads"; cat "$work/out"; exit 1; }
    grep -q '^pcounter: interrupted in line 4 of .*, after [0-9,]* of 1,000,000,000 accesses; what was read before is printed$' \
        "$work/err" || { echo "$script: no message"; cat "$work/err"; exit 1; }
    until_says 'nothing was written' --preserve-status "$1" run -o "$work/file" --log mmiotrace="$work/log" "$work/$script.pcs"
    [ "$code" = 130 ] || { echo "$script: exit code $code, expected 130"; exit 1; }
    [ -z "$(find "$work" -name 'file*' -o -name 'log*')" ] || { echo "$script: left a file behind"; exit 1; }
    grep -q 'nothing was written$' "$work/err" || { echo "$script: no message"; cat "$work/err"; exit 1; }
done
# a name cannot speak to the terminal
named=$work/$(printf 'a\033[31mb').pcs
cp "$work/reads.pcs" "$named"
until_says 'interrupted in line 4' '' "$1" run "$named"
grep -q '^pcounter: interrupted in line 4 of .*/a\\x1b\[31mb.pcs, after ' "$work/err" ||
    { echo 'a name is not escaped'; cat -v "$work/err"; exit 1; }
# a `run` that waits for more of a waveform is ended by the handler
mkfifo "$work/wave"
cat >"$work/waits.pcs" <<PCS
chip G92
wave wave
bind 1 clock top.clk
r a7c0
run 3
r a7c4
run end
r a7c8
PCS
for format in text csv json; do
    for seconds in 1 3 9; do # more, as above
        { sh "$(dirname "$0")/make_vcd.sh" 100 1; sleep $((seconds + 1)); } >"$work/wave" &
        code=0
        timeout --foreground --preserve-status -s INT $seconds "$1" run --format $format "$work/waits.pcs" \
            >"$work/out" 2>"$work/err" || code=$?
        : <>"$work/wave" # where nobody has opened it, the writer waits
        wait
        ! grep -q 'interrupted in line' "$work/err" || break
    done
    [ "$code" = 130 ] || { echo "run end: exit code $code, expected 130"; cat "$work/err"; exit 1; }
    grep -q '^pcounter: interrupted in line [2357] of .*waits.pcs; what was read before is printed$' "$work/err" ||
        { echo 'run end: no message'; cat "$work/err"; exit 1; }
    [ $format != json ] || [ ! -s "$work/out" ] ||
        tr -d '\n' <"$work/out" | grep -q '"complete": false, *"warnings": \[\]}$' ||
        { echo "run end: $format"; cat "$work/out"; exit 1; }
done
echo '10 passed, 0 failed'
