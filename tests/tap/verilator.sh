#!/bin/sh
# SPDX-License-Identifier: MIT
# Verilator with what `emit tap` writes: reports of the SoC as of the waveform of the same run.
#   verilator.sh PROGRAM SOURCES
set -eu
program=$1 root=$2
. "$root/tests/tap/equal.sh"
need verilator tap_verilator verilator
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=$("$program" version --dpi-flags)

"$program" emit tap -c m=soc_tb.mem_clk -c w='soc_tb.clk iff soc_tb.rst_n' --scope soc_tb.dut \
    --timescale 1ns/1ns -e '@m memory.row_hit' -e '@w cache.hit' -e '@w soc_tb.dut.cache.miss' \
    -e '@w rise(dma.req_valid)' -e '@w dma.left[2:0] == 3' -o "$work/tap.sv" || fail "emit tap"
verilator --binary --timing --trace -Wno-fatal --top soc_tb -Mdir "$work/obj" -o soc \
    "$root"/examples/soc/*.v "$work/tap.sv" "$flags" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
# without pcounter around it the simulation runs as ever
"$work/obj/soc" "+vcd=$work/soc.vcd" >"$work/truth"
grep -q '^cycles 100000' "$work/truth" || fail "the simulation alone"
soc="$work/obj/soc +nodump"
# shellcheck disable=SC2086 # the command's words
{
    equal "$work/soc.vcd" stat -q -c m=soc_tb.mem_clk -c w='soc_tb.clk iff soc_tb.rst_n' \
        -e '@m soc_tb.dut.memory.row_hit' -e '@w soc_tb.dut.cache.hit' --format json -- $soc
    equal "$work/soc.vcd" stat -q -c 'soc_tb.clk iff soc_tb.rst_n' -e soc_tb.dut.cache.miss \
        -e 'rise(soc_tb.dut.dma.req_valid)' -e 'soc_tb.dut.dma.left[2:0] == 3' -I 20us --format json -- $soc
    equal "$work/soc.vcd" stat -q -c soc_tb.mem_clk -e soc_tb.dut.memory.row_hit --from 1us --to 90us \
        --format csv -- $soc
}
# what the tap does not have is said
# shellcheck disable=SC2086
{
    "$program" stat -q -c 'negedge soc_tb.clk' -e soc_tb.dut.cache.hit -- $soc >/dev/null 2>"$work/err" &&
        fail "a falling edge was counted"
    grep -q PC-E0792 "$work/err" || fail "no E0792 for a falling edge"
    "$program" activity -q -- $soc >/dev/null 2>"$work/err" && fail "activity of rows"
    grep -q PC-E0792 "$work/err" || fail "no E0792 for activity"
    "$program" stat -q -c soc_tb.clk -e soc_tb.dut.nothing -- $soc >/dev/null 2>"$work/err" && fail "no signal"
    grep -q PC-E0520 "$work/err" || fail "no E0520"
}
sh "$root/examples/tap/verilator.sh" "$program" -q --format csv >"$work/example" 2>/dev/null
sh "$root/examples/tap/icarus.sh" "$program" -q --format csv >"$work/other" 2>/dev/null
sed 's/^[^,]*,//' "$work/example" >"$work/a"
sed 's/^[^,]*,//' "$work/other" >"$work/b"
diff "$work/a" "$work/b" >&2 || fail "the two simulators differ"
# a row that is too short is an error of the simulation
"$program" emit tap -c soc_tb.clk -e soc_tb.dut.cache.hit --scope soc_tb -o - >"$work/one.sv"
grep -q "PCOUNTER_TAP_ROW'" "$work/one.sv" || fail "no row"
echo "$((checks + 6)) passed, 0 failed"
