#!/bin/sh
# SPDX-License-Identifier: MIT
# GTKWave opens what --goto writes at its place: marker, window and signals, as its scripts tell them.
#   goto.sh PROGRAM
set -u
program=$(realpath "${1:?usage: goto.sh PROGRAM}")
data=$(cd "$(dirname "$0")/data" && pwd)
for tool in gtkwave xvfb-run; do
    command -v $tool >/dev/null || {
        echo "*** SKIP goto: $tool is not installed, no viewer has opened the files ***" >&2
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME="$work" HOME="$work"
bad=0
passed=0

cat >tell.tcl <<'END'
puts "marker [gtkwave::getMarker]"
puts "from [gtkwave::getWindowStartTime]"
puts "to [gtkwave::getWindowEndTime]"
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
    puts "trace [gtkwave::getTraceNameFromIndex $i]"
}
exit
END

# shows FILE WAVEFORM MARKER END TRACES: the marker is there, MARKER to END is seen, and these are the traces
shows() {
    case $1 in
    *.tcl) cat "$1" tell.tcl >both.tcl && timeout 60 xvfb-run -a gtkwave "$2" -S both.tcl >said 2>&1 ;;
    *) timeout 60 xvfb-run -a gtkwave "$2" "$1" -S tell.tcl >said 2>&1 ;;
    esac
    marker=$(sed -n 's/^marker //p' said)
    from=$(sed -n 's/^from //p' said)
    to=$(sed -n 's/^to //p' said)
    traces=$(sed -n 's/^trace //p' said | tr '\n' ' ')
    if [ "$marker" = "$3" ] && [ "$from" -le "$3" ] && [ "$to" -ge "$4" ] && [ "$traces" = "$5 " ]; then
        passed=$((passed + 1))
    else
        bad=$((bad + 1))
        echo "FAILED: $1: marker $marker from $from to $to traces $traces"
        tail -5 said
    fi
}

cp "$data/tiny.vcd" "$data/hang.vcd" .
for file in latency.gtkw latency.tcl; do
    "$program" stat -q -c clk --latency 'valid -> ready' tiny.vcd --goto $file >/dev/null || bad=1
done
# the longest of 2 cycles is from 155 to 175
shows latency.gtkw tiny.vcd 155 175 'the longest valid -> ready, 2 cycles clk valid ready'
shows latency.tcl tiny.vcd 155 175 'clk valid ready'
"$program" bus -q hang.vcd --goto gtkwave >/dev/null || bad=1
at=$(awk '/^\*/ { print $2 }' hang.gtkw)
shows hang.gtkw hang.vcd "$at" "$at" 'the oldest open transaction of tb.data clk rst_n data_req data_gnt data_rvalid'
# a time unit of 10 ns: GTKWave counts in ns
sed 's/1ns/10ns/' tiny.vcd >tens.vcd
"$program" stat -q -c clk --latency 'valid -> ready' tens.vcd --goto gtkwave >/dev/null || bad=1
shows tens.gtkw tens.vcd 1550 1750 'the longest valid -> ready, 2 cycles clk valid ready'
echo "$passed passed, $bad failed"
[ $bad -eq 0 ]
