#!/bin/sh
# SPDX-License-Identifier: MIT
# Simulates examples/soc again and compares with what is bundled: the design's own counts,
# the waveform byte for byte (decompressed), and its FST twin by the values in it.
# Exit 77, which ctest calls skipped, without Icarus Verilog.
#   soc_trace.sh FOLDER_OF_THE_EXAMPLE SCRATCH_FOLDER
set -eu
soc=$1
out=$2

command -v iverilog >/dev/null 2>&1 || {
    echo "SKIP soc_trace: Icarus Verilog (Debian: iverilog) is not installed;"
    echo "SKIP soc_trace: nothing shows that the bundled waveform is what its design produces."
    exit 77
}

fail() {
    echo "FAIL soc_trace: $1" >&2
    exit 1
}

rm -rf "$out"
"$soc/make-trace.sh" "$out"

diff "$soc/soc.truth.txt" "$out/soc.truth.txt" ||
    fail "the design counts something else than soc.truth.txt"
echo "ok: $(awk 'END { print NR }' "$out/soc.truth.txt") counts of the design"

# Names of variables inside the file, and their order, are the simulator's own affair.
version=$(iverilog -V 2>/dev/null | awk 'NR == 1 { print $4 }')
case $version in
11.*) ;;
*)
    echo "SKIP soc_trace, in part: the waveform was written by Icarus Verilog 11, this is $version;"
    echo "SKIP soc_trace, in part: its bytes are not compared."
    exit 0
    ;;
esac
gzip -dc "$soc/soc.vcd.gz" >"$out/bundled.vcd"
gzip -dc "$out/soc.vcd.gz" >"$out/made.vcd"
cmp "$out/bundled.vcd" "$out/made.vcd" || fail "the waveform differs from soc.vcd.gz"
echo "ok: $(wc -c <"$out/made.vcd") bytes of waveform"

if command -v fst2vcd >/dev/null 2>&1 && [ -f "$out/soc.fst" ]; then
    fst2vcd "$soc/soc.fst" >"$out/bundled.vcd"
    fst2vcd "$out/soc.fst" >"$out/made.vcd"
    cmp "$out/bundled.vcd" "$out/made.vcd" || fail "the FST waveform differs from soc.fst"
    echo "ok: its FST twin"
else
    echo "SKIP soc_trace, in part: no GTKWave tools, soc.fst is not compared."
fi
rm -f "$out/bundled.vcd" "$out/made.vcd"
