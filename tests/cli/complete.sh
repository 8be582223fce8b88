#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks what completion offers: every option of every verb, and values for each that has some; names of
# chips, cores, codes, registers, signals; and it is quiet and quick whatever stands in its way.
# complete_shell.sh tests what shells do with it.
#   complete.sh PROGRAM
set -u
program=${1:?usage: complete.sh PROGRAM}
root=$(dirname "$0")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
tried=0
tab=$(printf '\t')
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
# in_time COMMAND...: completion gives up after two seconds, with 4; if it was the machine that had no
# time for it, it is asked again
in_time() {
    for _ in 1 2 3 4 5 6 7 8; do
        code=0
        timeout 400 "$@" </dev/zero >"$work/all" || code=$?
        [ $code = 4 ] || break
    done
    return "$code"
}
# ask WORDS...: what follows in $what, the candidates in $work/got; never a message
ask() {
    tried=$((tried + 1))
    in_time "$program" complete words "$@" 2>"$work/err" || fail "complete $*: exit $?"
    [ ! -s "$work/err" ] || fail "complete $*: $(cat "$work/err")"
    what=$(head -n 1 "$work/all")
    sed "1d; s/$tab.*//" "$work/all" >"$work/got"
}
# offers WHAT CANDIDATES WORDS...: these and no others
offers() {
    kind=$1 wanted=$2
    shift 2
    ask "$@"
    [ "$what $(tr '\n' '|' <"$work/got")" = "$kind $wanted" ] ||
        fail "complete $*: $what $(tr '\n' '|' <"$work/got") instead of $kind $wanted"
}
# has CANDIDATE WORDS...: this one, too
has() {
    wanted=$1
    shift
    ask "$@"
    grep -Fxq -- "$wanted" "$work/got" || fail "complete $*: no \"$wanted\""
}

# --- verbs ---
ask ''
"$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p' >"$work/verbs"
[ "$(grep -c . "$work/verbs")" -ge 14 ] || fail "verbs: $(cat "$work/verbs")"
grep -v -- - "$work/got" | grep -v '^help$' >"$work/found"
sort "$work/verbs" | cmp -s - "$work/found" || fail 'the verbs of -h are others'
offers words 'stat|' st
offers words 'complete-bash|complete-fish|complete-zsh|' --generate ''
has stat help ''
offers words '' zzz ''

# --- options: those of the help, each way ---
# form WORDS...: a verb, or a verb with what makes it another one
form() {
    ask "$@" --
    cp "$work/got" "$work/options"
    cut -f 2 "$work/all" | sed 1d >"$work/abouts"
    grep -qx -- --help "$work/options" || fail "$* has no --help"
    "$program" "$@" --help >"$work/help"
    while read -r option; do
        grep -Eq -- "$option([^a-z-]|\$)" "$work/help" || fail "$* --help lacks $option"
        ask "$@" "$option" ''
        ask "$@" "$option="
    done <"$work/options"
}
while read -r verb; do
    form "$verb"
    sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' "$work/help" | sort -u |
        while read -r option; do
            grep -Fxq -- "$option" "$work/options" || echo "$option"
        done >"$work/lacks"
    # the form with --core and that with --devicetree have theirs
    [ ! -s "$work/lacks" ] || fail "$verb: $(tr '\n' ' ' <"$work/lacks")of its help is not completed"
    [ "$(grep -c . "$work/abouts")" -gt 2 ] || fail "$verb: options are not told from each other"
    ask "$verb" -
    [ "$(grep -cx -e -h -e -o "$work/got")" -eq 2 ] || fail "$verb: short options"
    offers files '' "$verb" -o ''
    offers words '-o|' "$verb" -o
    offers files '' "$verb" --output=x
done <"$work/verbs"
form stat --core cv64a6_imafdc_sv39
grep -qx -- --while-enabled "$work/options" || fail 'stat --core'
form check --devicetree -
grep -qx -- --counter3 "$work/options" || fail 'check --devicetree'

# --- values ---
offers words 'csv|html|json|jsonl|junit|md|perfetto|text|vcd|' stat --format ''
offers words 'csv|html|json|jsonl|md|perfetto|text|vcd|' idle --format ''
offers words '--form=csv|' stat --form=c
offers words 'c|csv|json|md|script|text|' compile --format ''
offers words 'command|csv|json|md|text|' decode --format ''
offers words 'csv|' run --format c
offers words 'error|one|taint|zero|' stat --x ''
offers words 'post-edge|' idle --sample po
offers words 'run|step|' stat --engine ''
offers words 'G80|G84|G86|' plan -a g8
offers words 'cv32a6_imac_sv32|' emit perf-json --core cv32a6_imac
offers words 'rtl|spec|' check --profile ''
offers words 'or_ports=off|or_ports=on|' check --quirk or
offers words 'data_o,mhpmevent3|' check --core cv64a6_imafdc_sv39 --require data_o,mhpmevent3
offers words 'host-bus=always|host-bus=auto|host-bus=off|' run --set host
has 'gpc0.1' list signals -a GK104 -d gpc
offers words 'any|' plan -d ''
offers words 'gk20a|' idle --governor ''
offers open 'g84_vfetch=|' compile -a G92 --mux g84_v
offers files '' run --log mmiotrace=
offers words '' stat -j ''
offers words '' stat dump.vcd --from 1
# --- arguments ---
offers words 'registers|' list re
offers words 'rnndb|' emit rn
offers words 'PC-E0203|' explain pc-e0203
offers words 'pcounter-idle-2|pcounter-idle-lines-2|' schema pcounter-id
offers words '' schema pcounter-idle-1 ''
offers words '' explain PC-E0203 ''
has 'PC-N0301' explain PC-N
offers words 'CTRL[1]|' decode -a G92 'ctrl[1'
offers words 'PDAEMON.COUNTER_MODE[1]|' decode -a GT215 'pdaemon.counter_mode[1'
offers words 'PMC.ENABLE|' decode -a G92 PMC.E
offers open 'MODE=|' encode -a GT215 'COUNTER_MODE[0]' M
offers open 'PERIODIC_PERIOD=|' encode -a G92 'CTRL[1]' PERIODIC
offers words 'MODE=QUAD|MODE=RECORD|MODE=SINGLE|' encode -a G92 'CTRL[1]' MODE=
offers words 'MODE=RECORD|' encode -a G92 'CTRL[1]' MODE=R
offers open 'setflag=|start=|stop=|' compile -a G92 s
offers words "event=rise(strmout.busy0|event=rise(strmout.busy1|" compile -a G92 -d 1 'event=rise(strmout.b'
has shader_busy plan -a G92 -e shader
has shader_busy plan -a G92 -M ''
offers words 'x,L1_D_CACHE_MISSES|' stat --core cv64a6_imafdc_sv39 -e x,L1_D_CACHE_M
offers files '' stat ''
offers files '' stat -- -
offers files '' stat --clock clk --multiplex a

# --- signals ---
cp "$root/examples/soc/soc.vcd.gz" "$root/examples/soc/soc.fst" "$work"
for file in "$work/soc.vcd.gz" "$work/soc.fst"; do
    offers open 'n=soc_tb.clk|n=soc_tb.dut.|n=soc_tb.mem_clk|n=soc_tb.mem_rst_n|n=soc_tb.rst_n|' stat "$file" -e n=
    offers words 'rise(dma.req_valid|' record "$file" --clock x --stop 'rise(dma.req_v'
    offers words 'a==2 & hit|' record "$file" --clock x -e 'a==2 & hi'
    offers words 'posedge soc_tb.clk iff soc_tb.rst_n|' stat "$file" --clock 'posedge soc_tb.clk iff soc_tb.r'
    offers words 'a==2 & hit|' stat --clock x "$file" -e 'a==2 & hi'
    offers words "GR=!hit|" idle "$file" --map 'GR=!hi'
    offers words "1=hit|" stat "$file" --bind '1=hi'
done
offers words '' stat -e ''
offers words '' stat "$work/nothing.vcd" - -e hi
# quoted as the language wants it; what is ambiguous or cannot be shown is not offered
{
    # shellcheck disable=SC2016 # words of a VCD
    printf '$timescale 1ns $end $scope module top $end $var wire 1 ! \\e-f $end $var wire 4 + bus[1] [3:0] $end\n'
    # shellcheck disable=SC2016
    printf '$var wire 1 " bad\302\233m $end $var wire 1 # bad\303 $end $scope module u-1 $end $var wire 1 $ same $end\n'
    # shellcheck disable=SC2016
    printf '$upscope $end $scope module u2 $end $var wire 1 %% same $end $var wire 1 & sam_2 $end $enddefinitions $end #0\n'
} >"$work/names.vcd"
offers open 'top.\e-f |top.\u-1 .|top.bus[1]|top.u2.|' stat "$work/names.vcd" -e top.
# shellcheck disable=SC1003
offers words 'x & top.\e-f |' stat "$work/names.vcd" -e 'x & top.\e'
offers words 'top.\u-1 .same|' stat "$work/names.vcd" -e 'top.\u-1 .'
offers words 'sam_2|' stat "$work/names.vcd" -e sam
"$program" stat --clock sample -e 'top.\u-1 .same | top.\e-f ' "$work/names.vcd" >/dev/null || fail 'those names are not taken'
# a vector that is declared bit by bit is one name, its bits are none
bits=$root/tests/cli/data/bits.vcd
offers open 'top.\a[7:4] |top.addr|top.clk|top.grid|top.u.|top.v.|' stat "$bits" -e top.
offers words 'addr|' stat "$bits" -e add
offers words '' stat "$bits" -e 'top.addr['
"$program" stat --clock clk -e 'top.addr == 5' "$bits" >/dev/null || fail 'that vector is not taken'
# a dot with nothing behind it is of the name; what has no bits is not offered
{
    # shellcheck disable=SC2016 # words of a VCD
    printf '$timescale 1ns $end $scope module top $end $var wire 1 ! \\end. $end $var wire 1 " \\.x..y $end\n'
    # shellcheck disable=SC2016
    printf '$var wire 0 # none $end $upscope $end $enddefinitions $end #0\n'
} >"$work/dots.vcd"
offers open '\top. .|top.|' stat "$work/dots.vcd" -e ''
offers words 'top.\end. |' stat "$work/dots.vcd" -e top.
offers words '\top. .\x. .y|' stat "$work/dots.vcd" -e '\top. .'
"$program" stat --clock sample -e 'top.\end. | \top. .\x. .y' "$work/dots.vcd" >/dev/null || fail 'those dots are not taken'
# elements of arrays of scopes
generates=$root/tests/cli/data/generates.vcd
offers open 'tb.clk|tb.g(0).|tb.g(1).|tb.tile(3)(-2).|' stat "$generates" -e tb.
offers words 'tb.tile(3)(-2).u(0).x|' stat "$generates" -e 'tb.tile(3)(-2).'
offers words '!tb.clk & g(1).q|' stat "$generates" -e '!tb.clk & g(1).'
# a table of one's own
printf 'G92,4,0x00,mem.read\n' >"$work/names.csv"
offers words 'mem.read|' compile -a G92 -d 4 --signals "$work/names.csv" -e mem.r

# --- what stands in its way ---
mkfifo "$work/pipe"
offers words '' stat "$work/pipe" -e x
offers words '' stat /dev/zero -e x
offers words '' compile -a G92 --signals "$work/pipe" -e zzz
printf 'no waveform' >"$work/bad.vcd"
offers words '' stat "$work/bad.vcd" -e x
offers words '' stat "$work" -e x
offers words '' stat -a nosuchchip --zzz "$work/bad.vcd" -e x
ask stat -h --help --format
head -c 400 "$root/examples/soc/soc.fst" >"$work/cut.fst"
offers words '' stat "$work/cut.fst" -e x
# a header that takes too long: what there is after two seconds is nothing, and no message
awk 'BEGIN { print "$timescale 1ns $end"; for (i = 0; i < 900000; i++) print "$var wire 1 a" i " name" i " $end" }' \
    >"$work/long.vcd"
timeout 100 "$program" complete words stat "$work/long.vcd" -e x </dev/zero >"$work/all" 2>"$work/err"
[ $? -ne 124 ] || fail 'a long header holds it up'
[ ! -s "$work/err" ] || fail "a long header: $(cat "$work/err")"
"$program" complete words stat --format '' >/dev/full 2>/dev/null && fail 'a full disk is well'
"$program" complete 2>/dev/null && fail 'complete without words'

# --- lines of bash ---
# bash LINE REPLACED WANTED
bash_gets() {
    tried=$((tried + 1))
    in_time "$program" complete bash "$1" "$2" 2>"$work/err"
    got=$(cat "$work/all" "$work/err" | tr '\n' '|')
    [ "$got" = "$3" ] || fail "complete bash \"$1\" \"$2\": $got instead of $3"
}
bash_gets 'pcounter stat --format=c' c 'words|csv|'
bash_gets 'pcounter stat --format c' c 'words|csv|'
bash_gets 'pcounter "stat" --for\mat "c' c 'words|csv|'
bash_gets 'pcounter check --quirk or_ports=o' o 'words|off|on|'
bash_gets 'pcounter stat 2>/dev/null <x --x t' t 'words|taint|'
bash_gets 'pcounter stat >out' out 'files|'
# shellcheck disable=SC2016 # not here
bash_gets 'pcounter stat $(echo x) --x t' t 'files|'
# shellcheck disable=SC2016 # nor here
bash_gets 'pcounter stat `echo x` --x t' t 'files|'
bash_gets 'pcounter stat --x t' u 'files|'
bash_gets "pcounter decode -a G92 CTRL[1" 'CTRL[1' 'words|CTRL\[1\]|'
bash_gets "pcounter decode -a G92 'CTRL[1" 'CTRL[1' 'words|CTRL[1]|'
bash_gets "pcounter stat $work/names.vcd -e top.\\\\e" 'top.\\e' 'words|top.\\e-f\ |'
for shell in bash zsh fish; do
    "$program" --generate "complete-$shell" | grep -q 'pcounter complete' || fail "--generate complete-$shell"
done
"$program" --generate complete-csh 2>/dev/null && fail '--generate complete-csh'
[ $tried -gt 300 ] || fail "only $tried calls"
[ $bad -eq 0 ] && echo "$tried calls agree"
exit $((bad != 0))
