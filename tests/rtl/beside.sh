#!/bin/sh
# SPDX-License-Identifier: MIT
# The example of examples/rtl: the unit beside a system counts what `pcounter stat` finds in the
# waveform and what the system itself counts. With a fault in a counter, in a source or in the
# swap, they must differ.
#   beside.sh PCOUNTER ROOT
set -eu
pcounter=$(realpath "${1:?usage: beside.sh PCOUNTER ROOT}")
root=$(realpath "${2:?usage: beside.sh PCOUNTER ROOT}")
if ! command -v iverilog > /dev/null || ! command -v vvp > /dev/null; then
    echo "SKIP rtl_beside: iverilog and vvp are not installed" >&2
    exit 77
fi
cycles=30000
[ -z "${PC_TEST_LONG-}" ] || cycles=100000
"$root/examples/rtl/run.sh" "$pcounter" $cycles
"$root/examples/rtl/run.sh" "$pcounter" $cycles GK104

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/examples"
broken() { # FILE SED
    rm -rf "$work/rtl" "$work/examples/rtl" "$work/examples/soc"
    cp -r "$root/rtl" "$work/rtl"
    cp -r "$root/examples/rtl" "$root/examples/soc" "$work/examples"
    sed -i "$2" "$work/$1"
    if cmp -s "$root/$1" "$work/$1" || "$work/examples/rtl/run.sh" "$pcounter" 3000 > "$work/said" 2>&1; then
        echo "not noticed: $2" >&2
        exit 1
    fi
    tail -1 "$work/said" | grep -q "they differ" || {
        cat "$work/said"
        exit 1
    }
}
broken rtl/pcounter_counters.v 's/m_pres = plus32(m_pres, traced ? add_pre : 6.d1)/m_pres = plus32(m_pres, 6'"'"'d2)/'
broken examples/rtl/beside_tb.v 's/dut.stall, dut.miss,/dut.miss, dut.stall,/'
broken rtl/pcounter_counters.v 's/if (swap) begin/if (swap \&\& in_stop) begin/'
