#!/bin/sh
# SPDX-License-Identifier: MIT
# Icarus Verilog: reports of the SoC and of a design with all kinds of variables, as of their waveforms.
#   icarus.sh PROGRAM SOURCES
set -eu
program=$1 root=$2
. "$root/tests/tap/equal.sh"
need iverilog tap_icarus iverilog
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vpi=$("$program" version --vpi)

iverilog -g2005 -s soc_tb -o "$work/soc.vvp" "$root"/examples/soc/*.v
vvp -n "$work/soc.vvp" "+vcd=$work/soc.vcd" >"$work/truth"
soc="vvp -n -M$vpi -mpcounter $work/soc.vvp +nodump"
clk='soc_tb.clk iff soc_tb.rst_n'
# shellcheck disable=SC2086 # the command's words
{
    equal "$work/soc.vcd" stat -f "$root/examples/tap/soc.measures" -- $soc
    equal "$work/soc.vcd" stat -q -c "$clk" -e soc_tb.dut.cache.hit -I 10us --format json -- $soc
    equal "$work/soc.vcd" stat -q -c "$clk" -e soc_tb.dut.cache.hit --from 1us --to 30us --format csv -- $soc
    equal "$work/soc.vcd" stat -q -c w=soc_tb.clk -c m=soc_tb.mem_clk -e '@m soc_tb.dut.memory.row_hit' \
        --format json -- $soc
    record="-q -c soc_tb.clk -e soc_tb.dut.cache.hit --stop rise(soc_tb.dut.dma.req_valid) --format csv"
    equal "$work/soc.vcd" record $record -- $soc
}
[ "$(wc -l <"$work/live")" -gt 100 ] || fail "record has no rows"
hits=$(sed -n 's/^hits //p' "$work/truth")
# shellcheck disable=SC2086
"$program" stat -q -c "$clk" -e soc_tb.dut.cache.hit --format csv -- $soc 2>/dev/null | grep -q "$hits" ||
    fail "not the count of the design itself"

cat >"$work/all.v" <<'V'
`timescale 1ns / 1ps
module part (input clk, input [3:0] a, output reg [3:0] q, output w);
    assign w = ^a;
    always @(posedge clk) q <= a;
endmodule
module tb;
    reg clk = 0, rst = 1;
    reg [3:0] a;
    reg [0:6] up = 3;
    reg signed [7:0] s = -3;
    wire [3:0] q;
    wire w;
    wire [70:0] wide = {67'h5, a};
    wire z = rst ? 1'bz : a[0];
    integer i;
    real r = 0.5;
    event ev;
    reg \odd[name] = 0;
    reg [7:0] mem [0:3];
    function automatic [3:0] twice(input [3:0] x);
        reg [3:0] inner;
        begin
            inner = x << 1;
            twice = inner;
        end
    endfunction
    function [3:0] half(input [3:0] x);
        half = x >> 1;
    endfunction
    wire [3:0] both = twice(a) ^ half(q);
    always #5 clk = ~clk;
    part p (clk, a, q, w);
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : lane
            reg [1:0] n = g;
            always @(posedge clk) n <= n + 1;
        end
    endgenerate
    initial if (!$test$plusargs("nodump")) begin
        $dumpfile("all.vcd");
        $dumpvars(0, tb);
    end
    initial begin
        #12 rst = 0;
        for (i = 0; i < 500; i = i + 1) begin
            @(negedge clk);
            a = i;
            #1 a = ~i;
            a = i * 3; // a glitch inside a time step
            if (i % 7 == 0) -> ev;
            s = s + 1;
            up = up + i;
            \odd[name] = a[1];
            r = i / 3.0;
        end
        $finish;
    end
endmodule
V
iverilog -g2005 -o "$work/all.vvp" "$work/all.v"
(cd "$work" && vvp -n all.vvp >/dev/null)
all="vvp -n -M$vpi -mpcounter $work/all.vvp +nodump"
# shellcheck disable=SC2086
{
    equal "$work/all.vcd" activity -q --format json -- $all
    equal "$work/all.vcd" info --vars --format json -- $all
    equal "$work/all.vcd" stat -q -c tb.clk -e 'tb.a == 5' -e tb.z -e 'tb.up[0:2] == 3' \
        -e 'tb.wide[70:3] == 80' -e 'tb.lane[1].n == 2' -e '\tb.odd[name] ' --format json -- $all
    equal "$work/all.vcd" stat -q -c 'negedge tb.clk' --sample post-edge --value tb.q \
        --latency 'd = rise(tb.w) -> fall(tb.w)' --format json -- $all
    equal "$work/all.vcd" stat -q -c 'every 3ns' -e tb.w --format json -- $all
}
# buses are found and measured, from a copy of the stream, or by a map
for design in burst rst; do
    source=$root/../shared/cases3/bus/$design.v
    [ -f "$source" ] || { echo "SKIP buses of a simulation: no $source"; continue; }
    iverilog -g2012 -o "$work/bus.vvp" "$source"
    (cd "$work" && vvp -n bus.vvp >/dev/null)
    # shellcheck disable=SC2086
    equal "$work/$design.vcd" bus -q --format json -- vvp -n -M$vpi -mpcounter "$work/bus.vvp"
    "$program" bus "$work/$design.vcd" --list >"$work/map.yaml" 2>/dev/null
    equal "$work/$design.vcd" bus -q --map "$work/map.yaml" -I 20 --format json -- vvp -n "-M$vpi" -mpcounter \
        "$work/bus.vvp"
done
# a description, on a design with a bug: the difference with its time
iverilog -g2012 -DBUG -o "$work/hits.vvp" "$root/examples/core/hits.v"
(cd "$work" && vvp -n hits.vvp >/dev/null)
hits=$(ls "$work"/hits*.vcd)
live=0 dumped=0
(cd "$work" && "$program" check -q --core "$root/examples/core/hits.yaml" --format json \
    -- vvp -n "-M$vpi" -mpcounter hits.vvp >live 2>/dev/null) || live=$?
"$program" check -q --core "$root/examples/core/hits.yaml" --format json "$hits" >"$work/dumped" || dumped=$?
{ [ "$live" -eq 1 ] && [ "$dumped" -eq 1 ]; } || fail "check: exit codes $live and $dumped"
for report in live dumped; do
    sed -E 's/"file": "[^"]*"//; s,(W[0-9]*\]: )[^:]*:,\1,' "$work/$report" >"$work/$report.same"
done
diff "$work/dumped.same" "$work/live.same" >&2 || fail "check: the reports differ"
checks=$((checks + 1))
echo "$checks passed, 0 failed"
