#!/bin/sh
# SPDX-License-Identifier: MIT
# Simulates the system on a chip of this folder with Icarus Verilog and leaves the
# waveform soc.vcd.gz and what the design itself counted, soc.truth.txt, in FOLDER
# (default: here). The same bytes every time: the date is taken out of the header.
# With GTKWave's vcd2fst installed, soc.fst, the same waveform in FST, as well.
#   make-trace.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here}"
out=$(cd "${1:-$here}" && pwd)
for tool in iverilog vvp gzip; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "make-trace.sh: $tool is not installed (Debian: iverilog, gzip)" >&2
        exit 2
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iverilog -g2005 -Wall -Wno-timescale -s soc_tb -o "$work/soc.vvp" "$here"/*.v
# vvp's own word about the dump file ("VCD info: ...") is none of the design's
vvp -n "$work/soc.vvp" "+vcd=$work/soc.vcd" | sed '/^VCD /d' >"$work/soc.truth.txt"
[ -s "$work/soc.truth.txt" ] || { echo "make-trace.sh: the simulation printed nothing" >&2; exit 1; }

# shellcheck disable=SC2016 # $date and $end are words of the file format
sed -i '/^\$date/,/^\$end/d' "$work/soc.vcd"
gzip -9nc "$work/soc.vcd" >"$work/soc.vcd.gz"

# vcd2fst stamps a waveform without a date with the present one: give it a fixed one
if command -v vcd2fst >/dev/null 2>&1; then
    {
        # shellcheck disable=SC2016
        printf '$date\n\tThu Jan  1 00:00:00 1970\n$end\n'
        cat "$work/soc.vcd"
    } >"$work/dated.vcd"
    vcd2fst -v "$work/dated.vcd" -f "$work/soc.fst"
    mv "$work/soc.fst" "$out"
else
    echo "make-trace.sh: no vcd2fst (Debian: gtkwave), so no soc.fst" >&2
fi
mv "$work/soc.vcd.gz" "$work/soc.truth.txt" "$out"
