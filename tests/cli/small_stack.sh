#!/bin/sh
# SPDX-License-Identifier: MIT
# All verbs work on a stack of 64 KB, as `ulimit -s 64` leaves: small_stack.sh PROGRAM
# shellcheck disable=SC2086 # calls are words
set -u
program=$(realpath "${1:?usage: small_stack.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
count=0
# works CODE CALL...
works() {
    want=$1
    shift
    count=$((count + 1))
    # shellcheck disable=SC3045 # dash has it
    (ulimit -s 64 && exec "$program" "$@") >out 2>messages </dev/null
    code=$?
    [ $code -eq "$want" ] || { echo "FAILED: $*: exit code $code: $(head -c 300 messages)" >&2; bad=$((bad + 1)); }
}
soc=$root/examples/soc/soc.vcd.gz
data=$root/tests/cli/data
gzip -dc "$soc" >soc.vcd
"$program" stat -q -c soc_tb.clk -e hit soc.vcd --format json -o report.json || exit 2
for verb in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    works 0 "$verb" -h
    works 0 help "$verb"
done
for file in soc.vcd "$soc" "$data/states.ghw" "$data/channels.csv"; do
    works 0 info -q "$file"
    works 0 activity -q "$file"
done
for jobs in 1 2 4; do
    works 0 stat -q -j $jobs -c soc_tb.clk -e hit --value 'soc_tb.*' -I 1000 soc.vcd
    works 0 stat -q -j $jobs -c soc_tb.clk -e hit soc.vcd "$soc"
    works 0 check -q -j $jobs "$root/tests/hpm/check/good.txt" "$root/tests/hpm/check/good.txt"
done
works 0 stat -q -a G92 -c soc_tb.clk -e hit soc.vcd
works 0 stat -q --core "$root/examples/core/hits.yaml" -e all "$root/examples/core/hits.vcd"
works 0 bus -q "$data/bus.vcd"
works 0 bus -q "$data/bus.vcd" --map "$root/tests/cli/bus/busperf.yaml"
works 0 record -q -c clk --stop ready -e valid "$data/tiny.vcd"
works 0 diff -q report.json report.json
works 0 merge -q --again report.json report.json
for topic in chips options cores events quirks 'signals -a G92' 'registers -a G92' 'metrics -a G92'; do
    works 0 list $topic
done
works 0 decode -a G92 0xa7c4 1
works 0 decode -i "$root/tests/cli/replay/g92.mmt"
works 0 encode -a G92 'CTRL[1]' MODE=RECORD
works 0 compile -a G92 event='s10 & s11 | prev(s12)'
works 0 plan -a G92 -d 1 -e 's10, s11 & s12'
works 0 run -q "$root/examples/scripts/nv34-quad-pm-trigger.pcs"
printf 'chip G92\nw a7c0 1\nr a7c0\n' >dump.pcs
works 0 run -q --dump 0x1000:1048576=memory dump.pcs
works 0 replay -q "$root/tests/cli/replay/g92.mmt"
works 0 idle -q --script "$root/examples/idle/frames.pcs"
works 0 check -q --core "$root/examples/core/hits.yaml" "$root/examples/core/hits.vcd"
for format in devicetree perf-json c-header whisper-json; do
    works 0 emit $format --core cv64a6_imafdc_sv39
done
works 0 emit rnndb -a G92
works 0 emit dpi-bind --core "$root/examples/core/hits.yaml"
works 0 emit core --wave "$root/examples/core/hits.vcd" --scope tb.dut
works 0 explain
works 0 schema pcounter-stat-2
[ $bad -eq 0 ] && echo "$count passed, 0 failed"
exit $((bad != 0))
