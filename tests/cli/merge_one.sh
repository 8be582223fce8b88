#!/bin/sh
# SPDX-License-Identifier: MIT
# `merge` of one report prints what the verb printed, in every format.
#   merge_one.sh PROGRAM FOLDER_OF_DATA
set -eu
program=$(realpath "${1:?usage: merge_one.sh PROGRAM FOLDER_OF_DATA}")
cd "${2:?usage: merge_one.sh PROGRAM FOLDER_OF_DATA}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
tried=0

# FORMATS VERB ARGUMENT...: what the verb prints, and what becomes of its JSON.  -q: a text has its warnings then.
same() {
    formats=$1
    shift
    "$program" "$@" -q -o "$work/one.json" 2> "$work/errors" || [ $? -eq 1 ]
    for format in $formats; do
        safe=
        [ "$format" = csv ] && [ $((tried % 2)) = 0 ] && safe=--csv-safe
        "$program" "$@" -q --format "$format" $safe > "$work/verb" 2> "$work/errors" || [ $? -eq 1 ]
        "$program" merge -q --inexact --format "$format" $safe "$work/one.json" > "$work/merge" 2> "$work/errors" || [ $? -eq 1 ]
        tried=$((tried + 1))
        [ -s "$work/verb" ] && cmp -s "$work/verb" "$work/merge" && continue
        echo "FAILED: $* --format $format: merge prints something else:"
        diff "$work/verb" "$work/merge" | head -n 10
        bad=1
    done
}

lines='text csv json jsonl md html'
for file in *.vcd words.csv rounded.csv; do
    same "$lines" activity "$file"
    same "$lines" activity "$file" --bits
done
same "$lines" activity tiny.vcd --from 20 --to 101
same "$lines" activity tiny.vcd 'top.r*'

pages='text csv json md html'
for file in bus.vcd hang.vcd; do
    same "$pages" bus "$file"
    same "$pages" bus "$file" --payload
done
same "$pages junit" bus bus.vcd --expect 'wb.transactions.latency.p99 < 3' --expect 'stuck == 0' \
    --expect 'tb.wb.stall < tb.wb.beat'
same "$pages junit" bus hang.vcd --to 22 --expect 'tb.data.transactions.latency.max < 10'
same 'text csv json jsonl md junit' stat -c clk --states s=state --level 'q = 3 +busy /5' -e busy states.ghw \
    --expect 's.idle.share > 10 %' --expect 'q.full < 10 %' --expect 's.done.idle.transitions == 1'
same "$lines" stat -c clk --level 'q = 3 +busy' states.ghw
cat > "$work/own.yaml" << END
protocols:
  fifo: {beat: go & !full, stall: go & full, start: go & !full, end: pop, until: '!flush'}
buses:
  rx:
    protocol: fifo
    clock: tb.clk
    reset: tb.rst_n
    reset_active: 0
    signals: {go: tb.go, full: tb.full, pop: tb.pop, flush: tb.rst_n}
END
same "$pages" bus hang.vcd --map "$work/own.yaml"

same "$pages" bus ../../../examples/soc/soc.fst

cat > "$work/measures" << 'END'
clock = clk
event valid = valid
event late = prev(ready)
metric share = valid / cycles %
metric rate = 4 * valid / seconds MB/s
value count = count
value sign = $signed(count)
latency l = valid -> ready
latency open = ready -> 0 && valid
expect valid < 100
expect rate > 10
expect l.p99 <= late
expect share < 5
END
same "$lines junit" stat -f "$work/measures" --x zero tiny.vcd
same "$lines junit" stat -f "$work/measures" --x zero --to 8 tiny.vcd
same "$lines junit" stat -f "$work/measures" --x one --from 8 tiny.vcd
same "$lines" stat -c clk -e valid -e late='prev(ready)' --sample post-edge tiny.vcd
same "$lines" stat -c a=clk -c b=clk_b -e '@a in = a' -e '@b out = b' --value '@b n = v' two-clocks.vcd
same "$lines" stat -c clk -a G92 -e valid tiny.vcd
same "$lines" stat -c clk --value count --latency 'l = valid->  ready until !valid' --latency 'valid->ready' --level 'q=3+valid -ready' --percentile 99.9 --percentile 25 tiny.vcd
same "$pages" bus bus.vcd --percentile 99.9

rows='text csv json jsonl md html vcd perfetto'
same "$rows" record -c t.clk --stop t.s -e v record.vcd
same "$rows" record -c t.clk --stop t.s record.vcd
same "$rows" record -c t.clk --stop t.s -e v --packets record.vcd
same "$rows" record -c 'negedge t.clk' --stop 's & !v' -e 'v, both=v&s' --from 2 --to 9 --x one record.vcd
same "$rows" record -a G92 -c t.clk --stop s -e v --sample post-edge record.vcd
events=a=v
for name in b c d e f g h i j k l m n; do events="$events,$name=v"; done
same "$rows" record -c t.clk --stop s -e "$events" record.vcd
same 'text csv json jsonl md' record -c t.clk --stop s -e "$events" --packets record.vcd
same "$rows" record -c sample --stop busy -e clk rounded.csv
"$program" record -q -c t.clk --stop t.s -e v --dump "$work/packets.bin" record.vcd > "$work/out"
same 'text csv json jsonl md html' record --decode "$work/packets.bin"
same "$rows" record --decode --clock-hz 1e6 "$work/packets.bin"
same "$rows" record --decode --packets --clock-hz 333e6 "$work/packets.bin"
# what was odd is said again
# shellcheck disable=SC2016 # a VCD file
printf '%s' '$timescale 1ns $end $var wire 1 ! c $end $var wire 1 s s $end $enddefinitions $end #0 0! 1s #1 1! #0 0! #2 1! #3 0!' > "$work/odd.vcd"
same "$lines" stat -c c -e s --time-backwards "$work/odd.vcd"
same "$lines" activity --time-backwards "$work/odd.vcd"
same "$rows" record -c c --stop s -e c --time-backwards "$work/odd.vcd"
echo "$tried outputs"
exit $bad
