#!/bin/sh
# SPDX-License-Identifier: MIT
# A waveform that becomes shorter while it is read is an error with its place; nothing ends by a
# signal, and no output file is left.
#   cut.sh PROGRAM
set -u
program=$(realpath "${1:?usage: cut.sh PROGRAM}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }

# shellcheck disable=SC2016
awk 'BEGIN {
    print "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 A a $end\n$enddefinitions $end"
    for (i = 0; i < 600000; i++)
        printf "#%d\n0!\n%dA\n#%d\n1!\n", 10 * i, (i * 7919) % 5 < 2, 10 * i + 5
}' >whole.vcd
bytes=$(wc -c <whole.vcd)
mkfifo lines

# It writes more lines than a pipe holds, some every 2^18 cycles: having begun, it cannot end before
# somebody reads them.
cut_while() {
    cp whole.vcd trace.vcd
    "$program" stat -q "$1" -I 20 --clock clk -e a trace.vcd >lines 2>messages &
    pid=$!
    exec 3<lines
    head -c 50 <&3 >/dev/null
    truncate -s "$2" trace.vcd
    cat <&3 >/dev/null
    exec 3<&-
    wait $pid
    code=$?
    [ $code -eq 2 ] || fail "$1, cut to $2 bytes: exit code $code"
    grep -q "PC-E0508.*the file had $bytes bytes" messages ||
        fail "$1, cut to $2 bytes: $(cat messages)"
    grep -q "trace.vcd byte [0-9]" messages || fail "$1, cut to $2 bytes: $(cat messages)"
}
for threads in -j1 -j2; do
    for size in 0 100000 4096000 12000001; do
        cut_while $threads $size
    done
done

# The output file of a run that was cut short is not left behind, nor is an older one touched.
mkfifo first.vcd
cp whole.vcd trace.vcd
echo before >out
"$program" stat -q -o out --clock clk -e a first.vcd trace.vcd 2>messages &
pid=$!
exec 4>first.vcd
: >trace.vcd # empty when its turn comes
cat whole.vcd >&4
exec 4>&-
wait $pid
code=$?
[ $code -eq 2 ] || fail "an empty file behind another one: exit code $code"
[ "$(cat out)" = before ] || fail "the output was touched"
[ "$(find . -name 'out?*' | wc -l)" -eq 0 ] || fail "left behind: $(ls)"

[ $bad -eq 0 ] && echo "a waveform cut off while it is read: ok"
[ $bad -eq 0 ]
