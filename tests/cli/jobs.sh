#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of `stat`, `check` and `info` does not depend on -j: no byte of reports, messages or exit code.
# Waveforms are made here, long enough for many stretches; those of ../shared are added.
#
#   jobs.sh PROGRAM SHARED
set -eu
program=$1
shared=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=0

# One command with each number of threads, and without -j, which stands behind the verb.
same() {
    verb=$1
    shift
    for j in 1 2 3 8 none; do
        code=0
        if [ $j = none ]; then
            "$program" "$verb" "$@" >"$work/out.$j" 2>"$work/err.$j" || code=$?
        else
            "$program" "$verb" -j "$j" "$@" >"$work/out.$j" 2>"$work/err.$j" || code=$?
        fi
        echo "exit $code" >>"$work/out.$j"
        for what in out err; do
            cmp "$work/$what.1" "$work/$what.$j" || {
                echo "$verb -j $j $*: not the $what of -j 1" >&2
                exit 1
            }
        done
    done
    runs=$((runs + 1))
}

make_vcd() {
    sh "$(dirname "$0")/make_vcd.sh" "$@"
}

make_vcd 250001 0 >"$work/known.vcd"
make_vcd 140010 2 >"$work/unknown.vcd"
make_vcd 40 1 >"$work/short.vcd"
events='a&b,rise(a),prev(prev(prev(b)))&a,v==3,v[9:5]<v[4:0],edge(v[2]),a^b^v[0]^v[1]^v[2]^v[3]^v[4]'

for file in known unknown short; do
    for x in taint zero one error; do
        same stat --clock clk -e "$events" --x $x "$work/$file.vcd"
    done
    same stat --clock clk --format json -e "$events" -e '{a,b},v[0]' "$work/$file.vcd"
done
for period in 1000 65536 65537 100000; do
    same stat --clock clk -e "$events" -a GT215 --swap-every $period "$work/known.vcd"
done
same stat --clock clk -a NV40 -e "$events,a,b,v[0],v[1],v[2],v[3]" --multiplex=777 \
    --format json "$work/unknown.vcd"
same stat --clock clk "$work/known.vcd"
same stat --clock clk -e "$events" --from 70000 --to 200ms --format csv "$work/unknown.vcd" "$work/short.vcd" "$work/known.vcd"
same stat --clock clk -e "$events" --from 150000 --to 0.2ms -a NV30 --multiplex=777 "$work/known.vcd"
same stat --clock 'negedge clk iff a' -a NV40 -e "b,v[3]&b" "$work/unknown.vcd"
# the document's own way to count
for chip in NV30 G92; do
    for x in taint zero; do
        set -- stat -q -a $chip --clock clk -e "$events,a,b,v[0]" --x $x --swap-every 70001 \
            --multiplex=777 --format json "$work/unknown.vcd"
        "$program" "$@" >"$work/run"
        "$program" "$@" -j 2 --engine step >"$work/step"
        cmp "$work/run" "$work/step" || { echo "--engine step differs: $*" >&2; exit 1; }
    done
done
for format in text csv json jsonl; do
    same stat --clock clk -e "$events" --format $format "$work/known.vcd" "$work/short.vcd" \
        "$work/unknown.vcd"
done
same stat --clock clk -e "$events" --x error "$work/known.vcd" "$work/unknown.vcd" "$work/short.vcd"
same stat --clock clk -a NV30 -e "$events" --multiplex=777 -M 'r = a / b' -M 's = a / seconds' \
    --format json "$work/known.vcd"
# together more than what one thread is taken for by default
i=0
while [ $i -lt 6 ]; do
    i=$((i + 1))
    cat "$work/known.vcd"
done | grep -v '^\$' | awk '/^#/ { if (substr($0, 2) + 0 < last) base += last + 10
    last = substr($0, 2) + 0; print "#" base + last; next } { print }' >"$work/changes"
{ sed '/^#/,$d' "$work/known.vcd"; cat "$work/changes"; } >"$work/large.vcd"
[ "$(wc -c <"$work/large.vcd")" -gt 16777216 ]
same stat --clock clk -e "$events" "$work/large.vcd"
same stat --clock none -e a "$work/short.vcd" "$work/known.vcd"
head -c 3000000 "$work/known.vcd" >"$work/broken.vcd"
printf '#!oops\n' >>"$work/broken.vcd"
same stat --clock clk -e "$events" "$work/broken.vcd"

same info "$work/unknown.vcd"
if [ -d "$shared/waves" ]; then
    for file in "$shared"/waves/picorv32/*.fst "$shared"/waves/picorv32/*.vcd.gz; do
        same stat --clock testbench.clk "$file" \
            -e 'mem_valid & mem_ready, rise(testbench.trap), testbench.mem_addr > 4096'
    done
    same stat --clock TOP.clk_i "$shared"/waves/ibex/*.fst -e 'TOP.instr_req_o,
        TOP.data_req_o & TOP.data_rvalid_i, !TOP.instr_req_o & prev(TOP.instr_rvalid_i)'
    for format in text csv json jsonl; do
        same check --core cv64a6_imafdc_sv39 --profile rtl --format $format \
            "$shared"/waves/cva6/cva6_towers.fst "$shared"/waves/cva6/cva6_median.fst \
            "$shared"/waves/cva6/cva6_multiply.fst
    done
    for file in "$shared"/waves/cva6/*_towers.fst "$shared"/waves/ibex/*.fst; do
        same info --format json "$file"
    done
    same stat --core cv64a6_imafdc_sv39 -e all "$shared"/waves/cva6/cva6_towers.fst
    same check --core cv64a6_imafdc_sv39 --profile spec "$shared"/waves/cva6/cva6_towers.fst \
        "$work/short.vcd"
else
    echo 'SKIP: waveforms of ../shared are not there; made ones are compared'
fi
echo "$runs commands, each the same with 1, 2, 3 and 8 threads, and without -j"
