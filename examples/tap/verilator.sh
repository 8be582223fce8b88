#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts in the SoC while Verilator simulates it.
#   verilator.sh PCOUNTER [OPTION]...    options of `pcounter stat`
set -eu
pcounter=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$pcounter" emit tap -f "$here/soc.measures" --scope soc_tb --timescale 1ns/1ns -o "$work/tap.sv"
# tap.sv comes last: it has the time unit of the files before it, or its own
verilator --binary --timing -Wno-fatal --top soc_tb -Mdir "$work/obj" -o soc \
    "$here"/../soc/*.v "$work/tap.sv" "$("$pcounter" version --dpi-flags)" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
"$pcounter" stat -f "$here/soc.measures" "$@" -- "$work/obj/soc" +nodump
