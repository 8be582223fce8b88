#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/latency on the bundled waveform, and on waveforms whose figures were computed elsewhere.
#   latency.sh PROGRAM SHARED
set -eu
program=$1
shared=$2
soc=$(dirname "$0")/../../examples/soc/soc.fst
"$program" "$soc" soc_tb.clk 'rise(dut.cache.miss)' dut.cache.resp_valid | diff -u latency.out -
if [ ! -d "$shared/waves/bus" ]; then
    echo '*** SKIP latency: no measured waveforms here ***'
    exit 0
fi
exec python3 latency.py "$program" "$shared/waves/bus"
