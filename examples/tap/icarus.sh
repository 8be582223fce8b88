#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts in the SoC while Icarus Verilog simulates it.
#   icarus.sh PCOUNTER [OPTION]...    options of `pcounter stat`
set -eu
pcounter=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iverilog -g2005 -s soc_tb -o "$work/soc.vvp" "$here"/../soc/*.v
"$pcounter" stat -f "$here/soc.measures" "$@" -- \
    vvp -n "-M$("$pcounter" version --vpi)" -mpcounter "$work/soc.vvp" +nodump
