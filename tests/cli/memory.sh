#!/bin/sh
# SPDX-License-Identifier: MIT
# Each request for memory of a call fails, one at a time: the same is printed all the same, or the exit code
# is 4 with a message, and no output is there.  Without PC_TEST_LONG each tenth request of a call does, from
# another one on in each call.
#   memory.sh PROGRAM LIBRARY CORE_WAVE    (LIBRARY: refuse.c; CORE_WAVE: as of tests/schema/schema.sh)
# shellcheck disable=SC2015,SC2086 # A && B || fail; words of a call
set -u
usage='usage: memory.sh PROGRAM LIBRARY CORE_WAVE'
program=$(realpath "${1:?$usage}")
library=$(realpath "${2:?$usage}")
core=$("${3:?$usage}" 3 0 0)
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work" "$core"' EXIT
cd "$work" || exit 2
bad=0
runs=0
calls=0
step=10
[ -z "${PC_TEST_LONG:-}" ] || step=1
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
wave=$here/data/tiny.vcd
# a program that ends at once, for builds with Unicorn: li a7, 93; li a0, 0; ecall
{
    printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\002\0\363\0\001\0\0\0\0\0\0\200\0\0\0\0'
    printf '\100\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\100\0\070\0\001\0\0\0\0\0\0\0'
    printf '\001\0\0\0\005\0\0\0\170\0\0\0\0\0\0\0\0\0\0\200\0\0\0\0\0\0\0\200\0\0\0\0'
    printf '\014\0\0\0\0\0\0\0\014\0\0\0\0\0\0\0\010\0\0\0\0\0\0\0'
    printf '\223\010\320\005\023\005\0\0\163\0\0\0'
} >ends.elf
"$program" bus -q "$here/data/bus.vcd" wb -o bus.json
"$program" activity "$here/data/bus.vcd" wb_stb -I 100 -o nets.json
"$program" stat -q --clock clk --x zero -e a=valid -M 'r = a / seconds /s' --value count --latency 'valid -> ready by count[0], count[0]' \
    --expect 'a < 99' --to 9 "$wave" -o counts.json
"$program" stat -q --clock clk --x zero --states c=count --names "$here/data/count.names" --level 'q=3 +valid -ready /3' \
    --expect 'c.ONE.share < 50 %' "$wave" -o states.json
"$program" record -q --clock clk --stop valid -e ready --x zero --to 8 "$wave" -o rows1.json
"$program" record -q --clock clk --stop valid -e ready --x zero --from 8 "$wave" -o rows2.json
executes=
if "$program" exec -q --core cv64a6_imafdc_sv39 ends.elf >messages 2>&1; then
    executes='exec -q --core cv64a6_imafdc_sv39 ends.elf'
elif ! grep -q 'without Unicorn\|PC-E1320' messages; then
    fail "a program that ends at once: $(cat messages)"
fi

while IFS= read -r call; do
    [ "$call" ] || continue
    rm -f requests also*
    LD_PRELOAD=$library PC_REQUESTS=requests "$program" $call >want 2>messages
    code=$?
    [ -s requests ] && [ $code -le 1 ] || { fail "$call: $code $(cat messages)"; continue; }
    rm -f also*
    requests=$(cat requests)
    rm -f also* # of the whole run
    [ "$requests" -gt 0 ] || fail "$call: no request was seen"
    calls=$((calls + 1))
    n=$((calls % step - step + 1)) # 1 at most after the first step
    while [ $((n + step)) -le "$requests" ]; do
        n=$((n + step))
        LD_PRELOAD=$library PC_REFUSE=$n "$program" $call -o out >stdout 2>messages
        got=$?
        case $got in
        "$code") cmp -s out want || fail "$call, request $n: another output" ;;
        4) [ ! -e out ] && [ -z "$(ls also* 2>/dev/null)" ] && grep -q 'error\[PC-E0100\]' messages || fail "$call, request $n: $(cat messages)" ;;
        *) fail "$call, request $n: exit code $got: $(cat messages)" ;;
        esac
        rm -f out also*
        [ -z "$(find . -name 'out*')" ] || fail "$call, request $n: left behind: $(ls)"
        rm -f out*
        runs=$((runs + 1))
    done
done <<END
activity -q --bits --format csv $here/data/activity.vcd
activity -q --format saif $wave
diff $here/diff/half.json $here/diff/quarter.json
diff $here/diff/half.json $here/diff/quarter.json --format csv
diff $here/diff/half.json $here/diff/quarter.json --format json
diff $here/diff/half.json $here/diff/quarter.json --format md
activity -q --format html $here/data/activity.vcd
diff $here/diff/half.json $here/diff/quarter.json --format junit
bus -q -I 7 --format html $here/data/bus.vcd wb
bus -q -I 7 --format csv $here/data/bus.vcd wb
bus -q --format text $here/data/bus.vcd
bus -q --list $here/data/bus.vcd
diff $work/bus.json $work/bus.json --tolerance *.p99=5 --format json
diff $work/nets.json $work/nets.json --format csv
merge --again $work/counts.json $work/counts.json
idle -q --clock clk --map GR=valid --window 4c --governor gk20a --format csv $wave
idle -q --clock clk --map GR=valid --window 4c --governor gk20a --format jsonl $wave
idle -q --clock clk --map GR=valid --window 4c --format md $wave
idle -q --clock clk --map GR=valid --window 4c --format html $wave
record -q --clock clk --stop valid -e ready --format jsonl $wave
stat -q --clock clk -e valid,ready -I 7 --format jsonl $wave
stat -q --clock clk -e valid,ready --format text $wave
stat -q --clock clk -e valid,ready -I 7 --format csv $wave
stat -q --clock clk -e valid -M share=valid/cycles --format json $wave
stat -q --clock clk -e valid --expect valid>3 --format junit $wave
stat -q --clock clk -e valid --format md $wave
stat -q --clock clk -e valid --format html $wave
stat -q --clock clk -e valid -I 7 --format html $wave
stat -q -j 1 --clock clk -e valid --format json $wave $wave
stat -q --clock clk --value count --histogram --format text $wave
stat -q -f $here/data/measures --format csv $wave
stat -q --clock clk --value count --expect count.max<9 --format csv $wave
stat -q --clock clk --latency valid->ready --histogram --format html $wave
stat -q --clock clk --latency valid->ready --format json $wave
stat -q --clock clk --x zero --states c=count --names $here/data/count.names --expect c.ONE.share<0.5 --format html $wave
stat -q --clock clk --x zero --states c=count --level q=3+valid-ready/3 --expect q.full<0.5 --format text $wave
stat -q --clock clk --x zero --states c=count --level q=3+valid-ready/3 -I 7 --format jsonl $wave
merge -q --format json states.json states.json --again
merge -q --format html states.json states.json --again
merge -q --format csv rows1.json rows2.json
merge -q --format html rows2.json rows1.json
diff -q --format csv rows1.json rows2.json
diff -q --format json states.json states.json
stat -q -j 1 --clock clk -e valid --format csv $wave $wave
stat --core cv64a6_imafdc_sv39 --format jsonl $core
stat --core cv64a6_imafdc_sv39 -e all --format md $core
replay --expect-reads --keep-going --format junit $here/replay/ownlog.mmt
run -q --format jsonl $root/examples/scripts/nv34-quad-pm-trigger.pcs
run -q --dump 0:16=also-dump --log mmiotrace=also-log $root/examples/scripts/nv34-quad-pm-trigger.pcs
check $root/tests/hpm/check/good.txt
$executes
emit c-header -a G92
END
[ $bad -eq 0 ] && echo "$runs requests were refused"
exit $((bad != 0))
