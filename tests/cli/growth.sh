#!/bin/sh
# SPDX-License-Identifier: MIT
# Inputs made so that the time for them could grow with the square of their size: each is so large that
# it took longer where it did.  All of them get so many seconds of CPU time.
#   growth.sh PROGRAM [SECONDS]
# shellcheck disable=SC2015,SC3045 # A && B || fail; ulimit -t
set -u
program=$(realpath "${1:?usage: growth.sh PROGRAM [SECONDS]}")
seconds=${2:-8}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
# within CODE CALL...: ends with that code, in time
within() {
    want=$1
    shift
    (ulimit -t "$seconds" && exec "$program" "$@") >out 2>messages
    code=$?
    [ $code -eq "$want" ] || fail "$1 ...: exit code $code, not $want: $(head -c 300 messages)"
}
repeated() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) print text }'; }
# the text so many times, a number where & stands
numbered() { seq 0 $(($1 - 1)) | sed "s|.*|$2|"; }
listed() { numbered "$1" "$2" | tr -d '\n'; }
# shellcheck disable=SC2016
head='$timescale 1ns $end $scope module top $end $var wire 1 ! clk $end'
# shellcheck disable=SC2016
tail='$upscope $end $enddefinitions $end'
edges() { awk 'BEGIN { for (i = 0; i < 40; i++) print "#" i "\n" i % 2 "!" }'; }
# vcd FILE DECLARATIONS-COMMAND...
vcd() {
    file=$1
    shift
    { printf '%s\n' "$head"; "$@"; printf '\n%s\n' "$tail"; edges; } >"$file"
}

vcd small.vcd true
# shellcheck disable=SC2016
{
    vcd names.vcd numbered 40000 '$var wire 1 a& sig_& $end'
    vcd same.vcd numbered 20000 '$scope module m& $end $var wire 1 a& q $end $upscope $end'
    vcd aliases.vcd numbered 40000 '$var wire 1 ! a& $end'
    vcd widths.vcd numbered 40000 '$var wire 2& ! a& $end'
    vcd scopes.vcd numbered 40000 '$upscope $end'
    vcd comments.vcd numbered 40000 '$comment & $end $date & $end'
}
# names of a description that are not there: near ones are searched for few of them
{
    printf 'pcounter-core: 1\nname: t\nscope: top\nclock: clk\nlet:\n'
    numbered 400 '  l&: some_signal_of_stag_& == 1'
    printf 'registers:\n  - name: r\n    width: 8\n    is: none\n    rules:\n      - {when: clk, add: 1}\n'
} >missing.yaml
# shellcheck disable=SC2016
vcd stages.vcd numbered 63548 '$var wire 8 a& some_signal_of_stage_& [7:0] $end'
within 2 check -q --core missing.yaml stages.vcd
within 0 info -q names.vcd
within 2 stat --clock clk -e sig_000 names.vcd
within 2 stat --clock clk -e q same.vcd
within 0 stat -q --clock clk -e "$(listed 300 'm&.q,')clk" same.vcd
within 0 stat -q --clock clk -e a7,a39999 aliases.vcd
within 0 info -q widths.vcd
sed 's/wire 2[0-9]*/wire 2/' widths.vcd >two.vcd
within 0 info -q two.vcd
within 0 info -q scopes.vcd
within 0 info -q comments.vcd
{
    printf '%s %s\n' "$head" "$tail"
    # shellcheck disable=SC2016
    awk 'BEGIN { for (i = 0; i < 60000; i++) print "#" 3 * i "\n$dumpoff x! $end\n#" 3 * i + 1 "\n$dumpon 0! $end\n#" 3 * i + 2 "\n1!" }'
} >off.vcd
within 0 stat -q --clock clk -e clk off.vcd
within 0 stat -q -j2 --clock clk -e clk off.vcd

# lists on the command line
list=$(listed 30000 'clk,')clk
within 4 stat --clock clk -e "$list" -e "$list" -e "$list" -e "$list" -e "$list" small.vcd
list=$(listed 30000 's10,')s10
within 4 plan -a G92 -d 1 -e "$list" -e "$list" -e "$list" -e "$list" -e "$list"
within 4 stat --clock clk -e "$(listed 60000 '(')clk" small.vcd
# events of few shapes, which fit beside each other in few ways
# shellcheck disable=SC2016
vcd wires.vcd numbered 5 '$var wire 1 a& s& $end'
list=$(awk 'BEGIN { for (i = 0; i < 50; i++)
    printf "e%d=s0 & (s1 ^ s2) | prev(s3) & s4, f%d=s0 & !s1 | prev(s3) & s4, ", i, i }')
within 0 stat -q --clock clk -e "${list}clk" wires.vcd
# events of which no two are of one shape, with SETFLAG as an argument of every other one
list=$(awk 'BEGIN {
    x = 7
    for (i = 0; i < 60; i++) {
        printf "%se%d=", i ? "," : "", i
        for (k = 0; k < 4 + i % 2; k++) {
            x = (x * 1103 + 12345) % 65536
            printf "%s%ss%02x", k ? substr("&|^&", int(x / 4) % 4 + 1, 1) : "", x % 3 ? "" : "!", 16 + int(x / 16) % 80
        }
    }
}')
within 0 plan -q -a G92 -d 1 -e "$list"
# shellcheck disable=SC2046 # words
within 0 stat -q --clock clk -e clk $(repeated 6000 small.vcd)

# names that nothing is near to
name=$(listed 20000 'name')
within 2 "$name"
within 2 schema "$name"
within 2 stat --core cv64a6_imafdc_sv39 -e "$name" small.vcd

# dumps, scripts, tables
numbered 30000 'w 00a484 &\nw 00a4a4 0000aaaa\nrun 1' >many.pcs
within 0 decode -a G92 -i many.pcs
{ printf 'chip G92\n'; numbered 50000 'w 00a484 00000010'; } >writes.pcs
within 0 run -q writes.pcs
numbered 30000 'G84,1,&,name&' >names.csv
within 2 list signals -a G84 --signals names.csv
{ printf '/dts-v1/;\n/ {\n'; numbered 40000 'n& { riscv,raw-event-to-mhpmcounters = <0 0 0 0 0>; };'; printf '};\n'; } >nodes.dts
within 1 check --core cv64a6_imafdc_sv39 --devicetree nodes.dts
{ printf '/dts-v1/;\n'; repeated 40000 'a {'; repeated 40000 '};'; } >deep.dts
within 2 check --core cv64a6_imafdc_sv39 --devicetree deep.dts

# an executable with 65,000 headers of sections, each of which says that all of it are symbols
if command -v perl >/dev/null 2>&1; then
    perl -e '
        my ($n, $at) = (65000, 120);
        my $size = $at + 64 * $n;
        print "\x7fELF\2\1\1", "\0" x 9, pack("vvVQ<Q<Q<Vvvvvvv", 2, 243, 1, 0x80000000, 64, $at, 0, 64, 56, 1, 64, $n, 0);
        print pack("VVQ<Q<Q<Q<Q<Q<", 1, 7, 0, 0x80000000, 0x80000000, 64, 64, 8);
        print pack("VVQ<Q<Q<Q<VVQ<Q<", 0, 2, 0, 0, 0, $size - $size % 24, 0, 0, 8, 24) x $n;' >tables.elf
    (ulimit -t "$seconds" && exec "$program" exec --core cv64a6_imafdc_sv39 --limit 10 tables.elf) >out 2>messages
    [ $? -eq 2 ] || fail "an executable with many tables: $(cat messages)"
else
    echo 'SKIP: an executable with many tables of symbols; there is no perl'
fi

# a damaged file: of one wrong timestamp, as many intervals as are allowed, of many nets
{
    # shellcheck disable=SC2016
    vcd nets.vcd numbered 100 '$var wire 1 a& s& $end'
    awk 'BEGIN { for (i = 0; i < 100; i++) print "1a" i; print "#90000\n0a0" }' >>nets.vcd
}
within 2 activity -q -I 1 --format csv nets.vcd
grep -q 'PC-E0910.*4000000 rows' messages && [ "$(wc -l <out)" -lt 5000 ] || fail "rows of a damaged file: $(wc -l <out), $(head -1 messages)"
within 0 activity -q -I 1 --format csv nets.vcd s1

# parts of a report whose nets are in another order each
# shellcheck disable=SC2016
{
    printf '$timescale 1ns $end $scope module top $end\n'
    numbered 30000 '$var wire 1 a& s& $end'
    printf '$upscope $end $enddefinitions $end\n'
    awk 'BEGIN { for (t = 0; t < 4; t++) { print "#" 10 * t
        for (i = 0; i < 15000; i++) print 1 - t % 2 "a" i + (t < 2 ? 0 : 15000) } print "#40" }'
} >orders.vcd
within 0 activity -q --to 15ns -o first.json orders.vcd
within 0 activity -q --from 15ns -o second.json orders.vcd
within 0 merge -q first.json second.json -o whole.json
within 1 diff -q first.json second.json

# state machines that are none: as many states and transitions as there may be, and more
many() {
    # shellcheck disable=SC2016
    printf '%s\n' "$head" '$var wire 32 n n [31:0] $end' "$tail"
    awk -v states="$1" 'function b(n,  s) { for (s = ""; n > 0; n = int(n / 2)) s = n % 2 s; return s ? s : "0" }
        BEGIN { for (i = 0; i < 60000; i++) { n = i < states ? i : (i * 7919 + int(i / 4000) * 31) % states
                                             print "#" 2 * i "\n0!\nb" b(n) " n\n#" 2 * i + 1 "\n1!" } }'
}
many 4000 >states.vcd
many 5000 >toomany.vcd
for format in text csv json html; do
    within 0 stat -q -c clk --states n --format $format states.vcd
done
within 0 stat -q -c clk --states n -I 100 --format jsonl states.vcd
within 4 stat -q -c clk --states n toomany.vcd
grep -q 'PC-E1805' messages || fail "too many states: $(head -1 messages)"
numbered 100000 '& STATE&' >names
within 2 stat -q -c clk --states n --names names states.vcd
within 0 stat -q -c clk --level 'q = +n[11:0]' states.vcd

[ $bad -eq 0 ] && echo 'time grows with the size'
exit $((bad != 0))
