#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter stat --expect`: each comparison below, at and above its edge, the exit code beside reports
# of every format, of several waveforms, and of what cannot be known.
#   expect.sh PROGRAM DATA
set -eu
program=$1
wave=$2/tiny.vcd # valid is 1 in 8 of 20 cycles
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$*"
    cat "$work/out" "$work/err" 2>/dev/null
    exit 1
}

# ends EXIT_CODE ARGUMENT...: the verb's exit code
ends() {
    want=$1
    shift
    code=0
    "$program" stat -q --clock clk "$@" >"$work/out" 2>"$work/err" || code=$?
    [ "$code" = "$want" ] || fail "exit code $code, not $want, of: $*"
}

# --- comparisons ---
while read -r compare below same above; do
    ends "$below" --expect "7 $compare valid" "$wave"
    ends "$same" --expect "8$compare valid" "$wave"
    ends "$above" --expect "4 + 5 $compare valid" "$wave"
done <<'TABLE'
< 0 1 1
<= 0 0 1
== 1 0 1
!= 0 1 0
>= 1 0 0
> 1 1 0
TABLE

# --- one of several is enough to fail ---
ends 0 --expect 'valid > 7' --expect 'valid < 9' "$wave"
ends 1 --expect 'valid > 7' --expect 'valid > 9' --expect 'valid < 9' "$wave"
grep -q '^  not met  valid > 9: 8$' "$work/out" || fail 'the report does not say which'
[ ! -s "$work/err" ] || fail 'what the report says is told twice'

# --- a part of it, and intervals: of all that is counted ---
ends 0 --from 5 --to 10 --expect 'cycles == 5' "$wave"
ends 0 -I 5 --expect 'cycles == 20' "$wave"

# --- every format; who does not see it in the report is told ---
for format in csv json jsonl html; do
    ends 0 -I 5 --format $format --expect 'valid == 8' "$wave"
    [ ! -s "$work/err" ] || fail "$format: something is told though all is well"
    ends 1 -I 5 --format $format --expect 'valid == 9' "$wave"
    grep -qx 'pcounter: .*tiny.vcd: not as expected: valid == 9: 8' "$work/err" || fail "$format: nothing is told"
done
ends 1 -I 10ns --format vcd --expect 'valid == 9' "$wave"
grep -q 'not as expected' "$work/err" || fail 'vcd: nothing is told'
ends 1 -o "$work/report.txt" --expect 'valid == 9' "$wave"
grep -q 'not met' "$work/report.txt" || fail 'the report was not written'
grep -q 'not as expected' "$work/err" || fail '-o: nothing is told'

# --- several waveforms: all reports, and 1 if one of them is not as expected ---
sed 's/^1#/0#/' "$wave" >"$work/silent.vcd"
ends 0 --expect 'valid == 8' "$wave" "$wave"
ends 1 --expect 'valid == 8' "$wave" "$work/silent.vcd"
[ "$(grep -c '^expected$' "$work/out")" = 2 ] || fail 'a report is missing'
grep -q '^  not met  valid == 8: 0$' "$work/out" || fail 'the second waveform was not judged'

# --- what is not exact, or was not measured, is not met by any comparison ---
for compare in '<' '<=' '==' '!=' '>=' '>'; do
    ends 1 --expect "ready $compare 11" "$wave"
    grep -q '^  unknown .*: ready was tainted$' "$work/out" || fail 'tainted counts are judged'
    ends 1 --expect "valid / 0 $compare 11" "$wave"
    grep -q '^  unknown .*: not measured: ' "$work/out" || fail 'a division by 0 is judged'
done
ends 0 --x zero --expect 'ready == 11' "$wave"

# --- as many as are wanted, also in a file ---
set --
for i in $(seq 100); do
    set -- "$@" --expect "$i > 0" -M "m$i = $i * valid"
done
ends 0 "$@" "$wave"
ends 1 "$@" --expect '1 < 0' "$wave"
for i in $(seq 1000); do
    printf 'event e%d = valid\nmetric m%d = %d * e%d\nvalue v%d = count\nlatency l%d = valid -> ready\nexpect m%d >= e%d\n' \
        "$i" "$i" "$i" "$i" "$i" "$i" "$i" "$i"
done >"$work/measures"
ends 0 -f "$work/measures" "$wave"
grep -c '^  met' "$work/out" | grep -qx 1000 || fail '1000 expectations of a file'
echo 'expectations: the exit codes are right'
