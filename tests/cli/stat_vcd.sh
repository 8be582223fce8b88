#!/bin/sh
# SPDX-License-Identifier: MIT
# stat -I --format vcd: each interval's counts at the time when it began, as CSV has them; what reads VCDs reads this
# one; what a VCD cannot have is refused, and no file is left.
#
#   stat_vcd.sh PROGRAM
set -eu
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
ok() { passed=$((passed + 1)); }

# Rows "TIME NAME VALUE", in time units, of the variables of the scope pcounter.
vcd_rows() {
    awk '$1 == "$var" { gsub(/\\/, "", $5); name[$4] = $5 }
         $1 == "$scope" && $3 == "inexact" { inner = 1 }
         $1 == "$var" && inner { delete name[$4] }
         /^#/ { time = substr($1, 2) }
         /^[br]/ && $2 in name {
             value = substr($1, 2)
             if (/^b/) { n = 0; for (i = 1; i <= length(value); i++) n = 2 * n + substr(value, i, 1); value = n }
             printf "%s %s %.6g\n", time, name[$2], value
         }' "$1" | sort
}
# Does the same for CSV, whose times are seconds: PER of them are a time unit.
csv_rows() {
    awk -F, -v per="$2" '{ sub(/\r$/, "") }
         NR > 1 && $11 != "" { gsub(/"/, "", $3); gsub(/ /, "", $3); printf "%.0f %s %.6g\n", $11 * per, $3, $4 }' "$1" | sort
}
# same PER ARGUMENTS...
same() {
    per=$1
    shift
    "$program" stat -q "$@" --format vcd -o "$work/some.out" || fail "--format vcd: $*"
    "$program" stat -q "$@" --format csv -o "$work/csv.out" || fail "--format csv: $*"
    vcd_rows "$work/some.out" >"$work/got"
    csv_rows "$work/csv.out" "$per" >"$work/want"
    [ "$(wc -l <"$work/want")" -gt 8 ] || fail "few rows: $*"
    diff "$work/want" "$work/got" || fail "VCD and CSV differ: $*"
    ok
}
clock=soc_tb.clk
same 1000000000 --clock "$clock" -e hits=hit -e 'dma.req_valid & !dma.req_ready' -M 'busy = hits / cycles %' -I 100us "$root/examples/soc/soc.vcd.gz"
same 1000000000 --clock "$clock" -e hits=hit --from 0s -I 77777ns "$root/examples/soc/soc.vcd.gz"
same 1000000000000 --clock sample -e "clocks=rise(sclk)" -I 7.3us "$root/examples/capture/spi.csv"

# The waveform is one: its counts, its length, its names, by this program and by GTKWave's.
"$program" stat -q --clock "$clock" -e hits=hit -e 'dma.req_valid & !dma.req_ready' -I 100us -o "$work/rows.vcd" "$root/examples/soc/soc.vcd.gz"
"$program" info --vars "$work/rows.vcd" >"$work/vars"
grep -q '^integer  *64  pcounter\.hits$' "$work/vars" || fail "variables: $(cat "$work/vars")"
grep -qF 'pcounter.\dma.req_valid&!dma.req_ready' "$work/vars" || fail "a name of other characters: $(cat "$work/vars")"
"$program" stat -q --clock sample -e 'many=pcounter.hits > 400' --format csv "$work/rows.vcd" >"$work/again"
want=$("$program" stat -q --clock "$clock" -e hits=hit -I 100us --format csv "$root/examples/soc/soc.vcd.gz" | awk -F, '$3 == "hits" && $11 != "" && $4 > 400' | wc -l)
[ "$want" -gt 2 ] || fail "few intervals of many hits: $want"
# the last timestamp ends the last interval, with what it had
last=$("$program" stat -q --clock "$clock" -e hits=hit -I 100us --format csv "$root/examples/soc/soc.vcd.gz" | awk -F, '$3 == "hits" && $11 != "" { n = $4 > 400 } END { print n + 0 }')
grep -q ",many,$((want + last))," "$work/again" || fail "counted again: $(cat "$work/again"), $want + $last"
ok
if command -v vcd2fst >/dev/null 2>&1; then
    vcd2fst "$work/rows.vcd" "$work/rows.fst" >/dev/null
    "$program" stat -q --clock sample -e 'many=pcounter.hits > 400' --format csv "$work/rows.fst" | sed 's/rows\.fst/rows.vcd/' | cmp - "$work/again" ||
        fail 'vcd2fst reads something else'
    ok
else
    echo '*** SKIP the waveform of intervals by vcd2fst: it is not installed ***' >&2
fi

# The end of a line is not part of a name; slow samples have nanoseconds.
"$program" stat -q --clock "$clock" -e 'hit &
    miss' -I 500us --format vcd "$root/examples/soc/soc.vcd.gz" | grep -qF ' \hit&miss ' || fail 'a text of two lines'
printf '; Samplerate: 3 Hz\nclk,a\n0,1\n1,0\n0,1\n1,0\n' >"$work/slow.csv"
"$program" stat -q --clock sample -e a -I 1s --format vcd "$work/slow.csv" >"$work/slow.out"
grep -q 'timescale 1ns ' "$work/slow.out" || fail "the unit of slow samples: $(cat "$work/slow.out")"
grep -qx '#1000000000' "$work/slow.out" || fail "times of slow samples: $(cat "$work/slow.out")"
ok

# Unknown inputs are marked, a metric without a value is no number.
# shellcheck disable=SC2016 # a dollar is a dollar
printf '$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 " a $end\n$enddefinitions $end\n#0\n0!\nx"\n#5\n1!\n#10\n0!\n#15\n1!\n#20\n0!\n1"\n#25\n1!\n#30\n0!\n#35\n1!\n' >"$work/x.vcd"
"$program" stat -q --clock clk -e a -M 'part = a / (a - a)' -I 20ns --format vcd "$work/x.vcd" >"$work/x.out"
awk '$1 == "$var" && $5 == "a" { code = $4 } /^#/ { t = $1 } substr($0, 2) == code && /^[01]/ { print t, substr($0, 1, 1) }' "$work/x.out" >"$work/marks"
printf '#5 1\n#25 0\n' | diff - "$work/marks" || fail "marks of unknown inputs: $(cat "$work/x.out")"
grep -q '^rnan ' "$work/x.out" || fail "a metric without a value: $(cat "$work/x.out")"
ok

# refused TEXT ARGUMENTS: exit code 2, such a message, no file.
refused() {
    text=$1
    shift
    code=0
    "$program" stat -q "$@" -o "$work/none.vcd" 2>"$work/err" || code=$?
    [ $code = 2 ] || fail "exit $code: $*"
    grep -qF -- "$text" "$work/err" || fail "$*: $(cat "$work/err")"
    [ ! -e "$work/none.vcd" ] || fail "a file is left: $*"
    ok
}
refused 'give -I with a unit' --clock clk -e a --format vcd "$work/x.vcd"
refused 'give -I with a unit' --clock clk -e a -I 2 "$work/x.vcd"
refused 'not of 2' --clock clk -e a -I 20ns "$work/x.vcd" "$work/x.vcd"
refused 'not a whole number of time units' --clock clk -e a -I 20.5ns "$work/x.vcd"
refused 'give whole time units' --clock clk -e a -I 20.5ns "$work/x.vcd"
sed 's/: 3 Hz/: 2000000000000 Hz/' "$work/slow.csv" >"$work/fast.csv"
refused 'cannot have the time unit' --clock sample -e a -I 1ps "$work/fast.csv"
refused '--explain is for' --clock clk -e a -I 20ns --explain "$work/x.vcd"
echo "$passed passed, 0 failed"
