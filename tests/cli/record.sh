#!/bin/sh
# SPDX-License-Identifier: MIT
# pcounter record against what else knows the counts: stat over the same cycles, and awk over a waveform
# that is made here; buffers say the same as the rows beside which they were written.
#   record.sh PROGRAM [SHARED]     SHARED: the folder with the real waveforms
set -eu
program=$(realpath "${1:?usage: record.sh PROGRAM [SHARED]}")
shared=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
same() { # WHAT FILE FILE
    tried=$((tried + 1))
    [ -s "$2" ] || fail "$1: nothing to compare"
    diff "$2" "$3" > "$work/diff" || { fail "$1"; head -n 5 "$work/diff" >&2; }
}
soc=examples/soc/soc.vcd.gz
clock='posedge soc_tb.clk iff soc_tb.rst_n'
events='cache.hit,cache.miss,stall=cache.stall,waits=dma.req_valid & !dma.req_ready,again=cache.hit & prev(cache.hit),one=1'
# name and count of each event, of all rows
sums() { awk -F, 'NR > 1 { sum[$12] += $13 } END { for (n in sum) print n, sum[n] }' "$1" | sort; }
# the same of stat's
counts() { awk -F, 'NR > 1 { print $3, $4 }' "$1" | sort; }

# sums over all rows are stat's counts of the window, whatever ends a period and whatever the row is
for window in '' '--from 20001 --to 70003' '--from 61.3us --to 400us' '--from 99990'; do
    # shellcheck disable=SC2086 # the window is words
    "$program" stat -q -c "$clock" -e "$events" $window --format csv "$soc" | tr -d '\r' > "$work/stat.csv"
    counts "$work/stat.csv" > "$work/want"
    for stop in 'rise(dma.req_valid)' 'memory.refresh & !prev(cache.stall)' '--packets 1' \
        'cache.stall ^ cache.hit ^ cache.miss ^ dma.req_valid ^ arbiter.contention'; do
        how=
        case $stop in --packets*) how=--packets ;; esac
        # shellcheck disable=SC2086
        "$program" record -q -c "$clock" --stop "${stop#--packets }" -e "$events" $window $how --format csv "$soc" |
            tr -d '\r' > "$work/rows.csv"
        sums "$work/rows.csv" > "$work/got"
        same "sums, $window --stop '$stop'" "$work/want" "$work/got"
    done
done

# the same of real waveforms; states, too: a row is tainted where a signal was unknown in it
real() { # FILE CLOCK STOP EVENTS [WINDOW...]
    file=$shared/waves/$1 clock_of=$2 stop=$3 list=$4
    shift 4
    "$program" stat -q -c "$clock_of" -e "$list" "$@" --format csv "$file" | tr -d '\r' |
        awk -F, 'NR > 1 { print $3, $4, $5 }' | sort > "$work/want"
    "$program" record -q -c "$clock_of" --stop "$stop" -e "$list" "$@" --format csv "$file" | tr -d '\r' |
        awk -F, 'NR > 1 { sum[$12] += $13; state[$12] = $14 == "exact" && state[$12] ? state[$12] : $14 }
                 END { for (n in sum) print n, sum[n], state[n] }' | sort > "$work/got"
    same "$file" "$work/want" "$work/got"
}
if [ -d "$shared/waves" ]; then
    real ibex/ibex_coremark_csregs.fst TOP.clk_i 'TOP.data_req_o & TOP.data_gnt_i' \
        TOP.ibex_wave_top.instr_gnt_i,TOP.ibex_wave_top.core_sleep_o,TOP.data_rvalid_i
    real picorv32/picorv32_dhry_icarus.fst testbench.clk 'rise(testbench.mem_valid)' \
        testbench.mem_ready,dbg_rs1val_valid,mem_busy,pcpi_valid --to 400us
else
    echo '*** SKIP the real waveforms: their folder is not there ***'
fi

# each row is a window of its own, whose end is the only cycle with the event behind --stop
"$program" record -q -c "$clock" --stop 'rise(dma.req_valid)' -e "$events,rise(dma.req_valid)" --format csv "$soc" |
    tr -d '\r' > "$work/rows.csv"
for row in 0 1 17 80 165 166; do
    set -- "$(awk -F, -v row=$row '$3 == row && $11 == "CYCLES" { print $5, $5 + $6 }' "$work/rows.csv")"
    "$program" stat -q -c "$clock" -e "$events,rise(dma.req_valid)" --from "${1% *}" --to "${1#* }" --format csv "$soc" |
        tr -d '\r' > "$work/stat.csv"
    counts "$work/stat.csv" > "$work/want"
    awk -F, -v row=$row '$3 == row { print $12, $13 }' "$work/rows.csv" | sort > "$work/got"
    same "row $row" "$work/want" "$work/got"
done
awk -F, '$4 == "period" && $12 ~ /^rise/ && $13 != 1 { print }' "$work/rows.csv" > "$work/odd"
[ ! -s "$work/odd" ] || fail "periods without their STOP"
# times: those of the edges, 20 ns apart, the first at 90 ns
awk -F, '$11 == "CYCLES" { printf "%d %.12g %.12g\n", $3, 90e-9 + 20e-9 * $5, 20e-9 * $6 }' "$work/rows.csv" > "$work/want"
awk -F, '$11 == "CYCLES" { printf "%d %.12g %.12g\n", $3, $7, $8 == "" ? 20e-9 * $6 : $8 }' "$work/rows.csv" > "$work/got"
same times "$work/want" "$work/got"

# samples of a capture, of which each has its time: the transactions of an SPI bus
"$program" record -q -c sample --stop 'rise(cs_n)' -e 'clocks=rise(sclk)' --format csv examples/capture/spi.csv | tr -d '\r' |
    awk -F, '$12 == "clocks" { print $4, $13 } $11 == "CYCLES" { printf "%.10g %.10g\n", $5, $7 * 4e6 }' > "$work/got"
printf '0 0\nperiod 0\n1 1\nperiod 32\n73 73\nperiod 32\n145 145\nrest 0\n' > "$work/want"
same 'a capture' "$work/want" "$work/got"
# a counter that comes to 0xf000 sends a packet; its period adds them up
awk -v cycles=200000 'BEGIN {
    print "$timescale 1ns $end $var wire 1 c c $end $var wire 1 s s $end $enddefinitions $end\n#0\n0c\n0s"
    for (t = 0; t < cycles; t++) {
        stop = t == 150000 || t == 150001 || t == 199998
        print "#" 10 * t + 2 "\n" stop "s\n#" 10 * t + 5 "\n1c\n#" 10 * t + 9 "\n0c" } }' > "$work/long.vcd"
"$program" record -q -c c --stop s -e '1' --format csv "$work/long.vcd" | tr -d '\r' |
    awk -F, '$11 != "CYCLES" && NR > 1 { print $4, $5, $6, $9, $13 }' > "$work/got"
printf 'period 0 150001 1 150001\nperiod 150001 1 1 1\nperiod 150002 49997 1 49997\nrest 199999 1 0 1\n' > "$work/want"
same 'long periods' "$work/want" "$work/got"
"$program" record -q -c c --stop s -e '1' --packets --dump "$work/long.bin" --format csv "$work/long.vcd" | tr -d '\r' |
    awk -F, '$11 != "CYCLES" && NR > 1 { print $4, $5, $6, $9, $13 }' > "$work/got"
printf 'packet 0 61440 0 61440\npacket 61440 61440 0 61440\npacket 122880 27121 1 27121\npacket 150001 1 1 1\npacket 150002 49997 1 49997\nrest 199999 1 0 1\n' > "$work/want"
same 'long periods, packets' "$work/want" "$work/got"
[ "$(wc -c < "$work/long.bin")" -eq 160 ] || fail "a buffer of 5 packets: $(wc -c < "$work/long.bin") bytes"

for how in '' --packets; do
    # shellcheck disable=SC2086 # an option or nothing
    "$program" record -q -c c --stop s -e '1' $how --format csv "$work/long.vcd" | tr -d '\r' |
        awk -F, '$11 != "CYCLES" && NR > 1 && $4 != "rest" { print $4, $5, $6, $9, $13 }' > "$work/want"
    # shellcheck disable=SC2086
    "$program" record -q --decode $how --format csv "$work/long.bin" | tr -d '\r' |
        awk -F, '$11 == "PRE[0]" { print $4, $5, $6, $9, $13 }' > "$work/got"
    same "the buffer of long periods $how" "$work/want" "$work/got"
done

# a buffer that was started in quad mode begins with a packet of other counters (D-68), which is seen where its
# cycles are more than those of the next one; behind it all is well
cat > "$work/bogus.pcs" <<'END'
chip G84
w 00a7a4 00000042       # RECORD_DMA
w 00a7a0 80001234       # RECORD_CHAN
w 00a404 13121110       # PRE_SRC[1]
w 00a4c4 00000020       # STOP_SRC[1]
w 00a4e4 0000aaaa       # STOP_OP[1]
w 00a7c4 00000001       # CTRL[1]: QUAD
run 500 1
w 00a424 00000000       # PRE_OP[1]: a swap, so that the cycles are visible
w 00a724 0000fff0       # RECORD_LIMIT[1]
w 00a764 00001000       # RECORD_START[1]
w 00a7c4 00000002       # CTRL[1]: RECORD
play 1 20 0001000001
run 10 1
END
"$program" run -q "--dump" "1000:128=$work/bogus.bin" "$work/bogus.pcs"
code=0
"$program" record -q --decode --program "$work/bogus.pcs" "$work/bogus.bin" > /dev/null 2> "$work/messages" || code=$?
tried=$((tried + 1))
[ $code -eq 2 ] || fail "a bogus packet: exit code $code"
grep -q 'PC-E1604.*the cycle count goes from 50[0-9] to [0-9]*$' "$work/messages" || fail "a bogus packet: $(cat "$work/messages")"
tail -c +33 "$work/bogus.bin" | "$program" record -q --decode --program "$work/bogus.pcs" --format csv - | tr -d '\r' |
    awk -F, '$11 == "CYCLES" { print $4, $6, $9 }' > "$work/got"
printf 'period 5 1\nperiod 6 1\n' > "$work/want"
same 'behind the bogus packet' "$work/want" "$work/got"

# awk counts for itself: random signals, values before the edge
awk -v seed=7 'BEGIN {
    srand(seed)
    print "$timescale 1ns $end $var wire 1 c c $end $var wire 1 s s $end"
    for (i = 0; i < 15; i++) print "$var wire 1 e" i " e" i " $end"
    print "$enddefinitions $end\n#0\n0c"
    for (t = 0; t < 3000; t++) {
        print "#" 10 * t + 2 "\n" (rand() < 0.02) "s"
        for (i = 0; i < 15; i++) print (rand() < i / 14) "e" i
        print "#" 10 * t + 5 "\n1c\n#" 10 * t + 9 "\n0c" } }' > "$work/random.vcd"
awk 'function tell(kind) { line = kind " " first " " cycles; for (i = 0; i < 15; i++) line = line " " n[i] + 0
         print line; first += cycles; cycles = 0; split("", n) }
     /^[01]s/ { s = substr($0, 1, 1) + 0 } /^[01]e/ { e[substr($0, 3)] = substr($0, 1, 1) }
     /^1c/ { cycles++; for (i = 0; i < 15; i++) n[i] += e[i]; if (s) tell("period") }
     END { if (cycles) tell("rest") }' first=0 "$work/random.vcd" > "$work/want"
list=$(seq -s, -f 'e%g' 0 14)
"$program" record -q -c c --stop s -e "$list" --format csv "$work/random.vcd" | tr -d '\r' |
    awk -F, 'NR > 1 && $11 == "CYCLES" { if (line) print line; line = $4 " " $5 " " $6 } NR > 1 && $11 != "CYCLES" { line = line " " $13 }
             END { print line }' > "$work/got"
same 'awk, two domains' "$work/want" "$work/got"

# a buffer says what the rows say, on every chip with record mode
for chip in G84 G92 GT215 MCP89; do
    "$program" record -q -a $chip -c c --stop s -e "$(seq -s, -f 'e%g' 0 11)" --dump "$work/buffer" --packets --format csv \
        "$work/random.vcd" | tr -d '\r' | awk -F, 'NR > 1 && $4 != "rest" { print $3, $4, $5, $6, $9, $11, $13 }' > "$work/want"
    "$program" record -q --decode --packets --format csv "$work/buffer" | tr -d '\r' |
        awk -F, 'NR > 1 { print $3, $4, $5, $6, $9, $11, $13 }' > "$work/got"
    same "the buffer of $chip" "$work/want" "$work/got"
done

# the registers of a script over the same waveform write the same buffer, byte by byte
{
    cat << 'END'
chip G84
w 00a7a8 00000001       # GCTRL: RECORD_RESET
w 00a7a4 00000042       # RECORD_DMA
w 00a7a0 80001234       # RECORD_CHAN
w 00a404 13121110       # PRE_SRC[1]
w 00a444 17161514       # START_SRC[1]
w 00a484 1b1a1918       # EVENT_SRC[1]
w 00a4c4 00000020       # STOP_SRC[1]
w 00a4e4 0000aaaa       # STOP_OP[1]
w 00a7c4 00000002       # CTRL[1]: RECORD
w 00a724 0000fff0       # RECORD_LIMIT[1]
w 00a764 00001000       # RECORD_START[1]
w 00a7a8 00000000       # GCTRL
wave random.vcd
bind 1 clock c
bind 1 20 s
END
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf 'bind 1 %x e%d\n' $((16 + i)) $i; done
    echo 'run end'
} > "$work/script.pcs"
"$program" record -q -a G84 -c c --stop s -e "$(seq -s, -f 'e%g' 0 11)" --dump "$work/buffer" "$work/random.vcd" > "$work/rows"
size=$(wc -c < "$work/buffer")
"$program" run -q --dump "1000:$size=$work/script.bin" "$work/script.pcs" > "$work/reads"
od -A d -t x2 "$work/buffer" > "$work/want"
od -A d -t x2 "$work/script.bin" > "$work/got"
same 'the buffer of a script' "$work/want" "$work/got"
[ "$size" -gt 1000 ] || fail "a buffer of $size bytes"

# unknown values: what stat calls tainted is so in some row, and no more cycles are
for x in taint zero one; do
    "$program" stat -q -c t.clk --x $x -e 'v,both=v&s' --format csv tests/cli/data/record.vcd | tr -d '\r' |
        awk -F, 'NR > 1 { print $3, $4, $5 }' | sort > "$work/want"
    "$program" record -q -c t.clk --x $x --stop 's & !s' -e 'v,both=v&s' --format csv tests/cli/data/record.vcd | tr -d '\r' |
        awk -F, 'NR > 1 { print $12, $13, $14 }' | sort > "$work/got"
    same "--x $x" "$work/want" "$work/got"
done

# both outputs are whole or not there, and never the input
cp tests/cli/data/record.vcd "$work/input.vcd"
refused() { # OUTPUTS...: exit code 2, and nothing new
    before=$(ls "$work")
    code=0
    "$program" record -q -c t.clk --stop t.s -e v "$@" "$work/input.vcd" > /dev/null 2> "$work/messages" || code=$?
    tried=$((tried + 1))
    [ $code -eq 2 ] || fail "$*: exit code $code"
    grep -q 'PC-E090[18]' "$work/messages" || fail "$*: $(cat "$work/messages")"
    [ "$(ls "$work")" = "$(printf '%s\nmessages\n' "$before" | sort -u)" ] || fail "$*: something was left behind"
}
refused --dump /dev/full
refused --dump "$work/none/dump" -o "$work/out.csv"
refused --dump "$work/input.vcd"
refused -o "$work/input.vcd" --dump "$work/dump"
refused -o /dev/full --dump "$work/dump2"
cmp -s tests/cli/data/record.vcd "$work/input.vcd" || fail 'an input was written to'
# not a byte of a buffer that is wrong behind its first packets comes into a file
cat "$work/buffer" tests/cli/data/record.vcd > "$work/wrong"
code=0
"$program" record --decode -o "$work/rows.json" "$work/wrong" 2> "$work/messages" || code=$?
[ $code -eq 2 ] || fail "a wrong buffer: exit code $code"
[ ! -e "$work/rows.json" ] || fail 'a wrong buffer has rows in a file'
grep -q "byte $(wc -c < "$work/buffer")\$" "$work/messages" || fail "a wrong buffer: $(cat "$work/messages")"

echo "$tried tried, $bad failed"
[ $bad -eq 0 ] && [ $tried -gt 30 ]
