#!/bin/sh
# SPDX-License-Identifier: MIT
# A simulation that goes on: rows of `stat -I`, `idle --window` and `record` come out while the pipe is open and
# silent, and are the same as of the finished file.  The second half of the waveform is written when a
# row that the first half decides has been read.
#
#   live.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/in" "$work/out"

fail() {
    echo "$1" >&2
    exit 1
}

# FIRST LAST: timestamps of a clock and a signal, after a header where the first is 0
vcd() {
    awk -v first="$1" -v last="$2" 'BEGIN {
        if (first == 0)
            printf "$comment %5000s $end\n$timescale 1ns $end\n$var wire 1 ! clk $end\n" \
                "$var wire 1 # a $end\n$enddefinitions $end\n", ""
        for (t = first; t < last; t++)
            printf "#%d\n%d!\n%s", t, t % 2, t % 3 ? "" : t % 2 "#\n"
    }'
}

csv() {
    awk -v first="$1" -v last="$2" 'BEGIN {
        if (first == 0)
            print "; Samplerate: 1 MHz\nclk,a"
        for (t = first; t < last; t++)
            print t % 2 "," int(t / 3) % 2
    }'
}

# FIRST LAST: bytes of packets; half of them may end within one
packets() {
    tail -c +$(($1 + 1)) "$work/packets" | head -c $(($2 - $1))
}

# WRITER HALF END PATTERN VERB ARGUMENTS: reads rows up to one that begins as PATTERN between the halves
live() {
    writer=$1 half=$2 end=$3 pattern=$4
    shift 4
    $writer 0 "$end" | "$program" "$@" - >"$work/whole"
    timeout 60 "$program" "$@" - <"$work/in" >"$work/out" 2>"$work/err" &
    reader=$!
    exec 3>"$work/in" 4<"$work/out"
    $writer 0 "$half" >&3
    : >"$work/rows"
    while IFS= read -r row <&4; do
        printf '%s\n' "$row" >>"$work/rows"
        case $row in $pattern*) break ;; esac
    done
    grep -q "^$pattern" "$work/rows" || fail "$*: no row came while the pipe was silent: $(cat "$work/rows" "$work/err")"
    $writer "$half" "$end" >&3
    exec 3>&-
    cat <&4 >>"$work/rows"
    exec 4<&-
    wait $reader || fail "$*: $(cat "$work/err")"
    cmp "$work/whole" "$work/rows" || fail "$*: rows of a pipe are others"
}

cycles='-,cycles,cycles'
live vcd 5000 9000 "$cycles,1000,exact,1000,1,cycles,1000," stat -q -c clk -e a -I 1000 --format csv
live vcd 1000 9000 '    { "interval": 3,' stat -q -c clk -e a -I 100 --format json
live vcd 99900 150000 '       30,000 ' stat -q -c clk -e a -I 10000
live csv 20000 30000 "$cycles,100,exact,100,1,cycles,18000," stat -q -c sample -e a -I 100 --format csv
live csv 20000 30000 "$cycles,100,exact,100,1,cycles,18000," stat -q -c sample -e a -I 100us --format csv
live vcd 5000 9000 '       2,000 ' idle -q -c clk --map GR=a --window 1000
live vcd 5000 9000 '       4,000 ' idle -q -c clk --map GR=a --window 1000ns
live vcd 5000 9000 '-,,400,period,1200,3,2.401e-06,6e-09,1,,CYCLES,cycles,3,exact,1' record -q -c clk --stop 'rise(a)' -e a --format csv
live vcd 5000 9000 '-,,400,packet,1200,3,2.401e-06,6e-09,1,0,CYCLES,cycles,3,exact,1' record -q -c clk --stop 'rise(a)' -e a --packets --format csv
live vcd 1000 9000 '    { "row": 70,' record -q -c clk --stop 'rise(a)' -e a --format json
live vcd 139900 150000 '              1            0   61,440      0 ' record -q -c clk --stop 'a & !a' -e one=1 --packets
live csv 20000 30000 '-,,300,period,1798,6,0.001798,6e-06,1,,CYCLES,cycles,6,exact,1' record -q -c sample --stop 'rise(a)' -e a --format csv

# packets go out to a pipe as well
mkfifo "$work/dump"
vcd 0 9000 | "$program" record -q -c clk --stop 'rise(a)' -e a --dump "$work/packets" - >"$work/whole"
timeout 60 "$program" record -q -c clk --stop 'rise(a)' -e a --dump "$work/dump" - <"$work/in" >"$work/rows" 2>"$work/err" &
reader=$!
exec 3>"$work/in"
vcd 0 5000 >&3
exec 4<"$work/dump"
head -c 20000 <&4 >"$work/dumped"
[ "$(wc -c <"$work/dumped")" = 20000 ] || fail "packets did not come while the pipe was silent: $(cat "$work/err")"
vcd 5000 9000 >&3
exec 3>&-
cat <&4 >>"$work/dumped"
exec 4<&-
wait $reader || fail "record --dump: $(cat "$work/err")"
cmp "$work/packets" "$work/dumped" || fail 'packets of a pipe are others'
cmp "$work/whole" "$work/rows" || fail 'rows beside packets are others'

# and come from one
live packets 20000 48000 '-,,600,period,1800,3,,,1,,CYCLES,cycles,3,exact,1' record -q --decode --format csv
live packets 1000 48000 '           30 ' record -q --decode
echo '14 passed, 0 failed'
