#!/bin/sh
# SPDX-License-Identifier: MIT
# Has yosys look at the Verilog of rtl/: layouts elaborate without latches, without nets that
# have two drivers or none, and with one clock. Prints how many cells one domain of G80 with 256
# signals has, and compares that with rtl/README.md where yosys is the version named there. Copies
# with a latch, two drivers and a second clock must fail, else the check proves nothing.
#   synth.sh RTL
# With PC_TEST_LONG, all layouts, sets of eight domains, and LUTs of an FPGA.
set -eu
rtl=$(realpath "${1:?usage: synth.sh RTL}")
if ! command -v yosys > /dev/null; then
    echo "SKIP rtl_synth: yosys is not installed (Debian package yosys)" >&2
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Elaborates the unit of a folder with parameters, up to the checks; more commands may follow.
top=pcounter clock=clk
run() { # FOLDER LOG PARAMETERS COMMANDS
    for part in "" _decode _domain _inputs _counters ${top#pcounter}; do
        echo "read_verilog -I$1 $1/pcounter$part.v"
    done > script.ys
    cat >> script.ys << END
${3:+chparam $3 $top}
hierarchy -check -top $top
proc -norom
check -assert
select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr
flatten
opt -full
check -assert
select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr t:\$mem*
select -assert-min 20 t:*dff*
select -set clocks t:*dff* %ci1:+[CLK,C] w:* %i
select -assert-count 1 @clocks
select -assert-count 1 @clocks w:$clock %i
$4
END
    yosys -q -l "$2" script.ys > /dev/null 2>&1
}
fail() {
    echo "$2" >&2
    tail -5 "$1" >&2
    exit 1
}

layouts="NV10 GT215" many=2
[ -z "${PC_TEST_LONG-}" ] || layouts="NV10 NV15 NV20 NV30 NV40 G80 G84 G92 GT215 GF100 GK104" many=8
for layout in $layouts; do
    case $layout in NV10 | NV15) domains=1 ;; NV*) domains=2 ;; *) domains=$many ;; esac
    run "$rtl" log "-set LAYOUT \"$layout\" -set DOMAINS $domains" "" ||
        fail log "$layout with $domains domains does not pass"
done

top=pcounter_axil clock=aclk
run "$rtl" log "-set LAYOUT \"GF100\" -set DOMAINS 2" "" || fail log "the AXI4-Lite wrapper does not pass"
top=pcounter_apb clock=pclk
run "$rtl" log "-set DOMAINS 2" "" || fail log "the APB wrapper does not pass"
top=pcounter clock=clk

# Units that there are not
for parameters in 'LAYOUT "G8O"' "DOMAINS 9" "SIGNALS 300" "SIGNALS 100"; do
    ! run "$rtl" log "-set $parameters" "" || fail log "$parameters is not refused"
    grep -q 'ERROR: .*ystem task' log || fail log "$parameters fails for another reason"
done

# Breaks one line of a copy, which the checks must notice.
broken() { # WHAT FILE SED
    rm -rf copy
    cp -r "$rtl" copy
    sed -i "$3" "copy/$2"
    ! cmp -s "$rtl/$2" "copy/$2" || fail /dev/null "$1: the line to break is not there"
    ! run copy log "" "" || fail log "$1 in $2 is not noticed"
}
broken "a latch" pcounter_inputs.v 's/^assign in_event = .*/reg held; always @* if (event_op[0]) held = event_table[event_index]; assign in_event = held;/'
broken "a second driver" pcounter_domain.v 's/^assign event_now = .*/&\nassign event_now = event_q;/'
broken "a second clock" pcounter_domain.v 's/^wire in_swap = .*/reg odd; always @(posedge tick) odd <= pm_now; wire in_swap = odd;/'

cells() { # STAT: the number of cells in it
    sed -n 's/^ *Number of cells: *//p' "$1" | tail -1
}
same() { # TEXT: README.md has it, if this is the version that it names
    if grep -q "$(yosys -V | cut -d' ' -f1,2)" "$rtl/README.md"; then
        grep -q -F "$1" "$rtl/README.md" || fail /dev/null "rtl/README.md does not say \"$1\""
    fi
}
gates() { # SIGNALS
    run "$rtl" log "-set LAYOUT \"G80\" -set DOMAINS 1 -set SIGNALS $1" \
        "synth -top pcounter; tee -q -o stat stat" || fail log "G80 cannot be mapped to gates"
    size="$(cells stat) cells, $(awk '/DFF/ { n += $2 } END { print n }' stat) of them flip-flops"
    echo "one domain of G80 with $1 signals: $size ($(yosys -V | cut -d' ' -f1,2))"
    same "$size"
}
gates 256
[ -n "${PC_TEST_LONG-}" ] || exit 0
gates 128
gates 64
for layout in G80 GF100; do
    run "$rtl" log "-set LAYOUT \"$layout\"" "synth_xilinx -noiopad -top pcounter; tee -q -o stat stat" ||
        fail log "$layout cannot be mapped to an FPGA"
    luts=$(awk '/LUT[1-6]/ { n += $2 } END { print n }' stat)
    flops=$(awk '/FD[RS]E/ { n += $2 } END { print n }' stat)
    echo "one domain of $layout with 256 signals: $luts LUTs, $flops flip-flops of a Xilinx 7 series"
    same "$luts LUTs, $flops flip-flops"
done
