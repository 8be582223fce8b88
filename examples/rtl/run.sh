#!/bin/sh
# SPDX-License-Identifier: MIT
# Simulates the system of examples/soc with PCOUNTER in Verilog beside it, and compares each count
# three ways: the unit's registers, `pcounter stat` on the waveform of the same run, and the
# system's own counters. Needs Icarus Verilog.
#   run.sh [PCOUNTER [CYCLES [G80|GK104]]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pcounter=$(command -v "${1:-pcounter}")
cycles=${2:-100000}
layout=${3:-G80}
# A chip with such domains, their names, and the place of the unit's offset 0 on it
case $layout in
G80) chip=NV40 prefix='' at=00a ;;
GK104) chip=GK104 prefix=gpc0. at=18 ;;
*)
    echo "run.sh: $layout is not G80 or GK104" >&2
    exit 2
    ;;
esac
rtl=$here/../../rtl
[ -d "$rtl" ] || rtl=$here/../rtl
for tool in iverilog vvp; do
    command -v $tool > /dev/null || {
        echo "run.sh: $tool is not installed (Debian: iverilog)" >&2
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The events of a domain are in domainN.txt, as `pcounter stat -f` reads them; the same expressions
# are compiled. All domains swap by PM_TRIGGER.
compile() { # DOMAIN FORMAT
    events=$(sed -n 's/^event //p' "$here/domain$1.txt" | paste -sd,)
    swap=
    [ "$layout" = G80 ] || swap=pm_trigger
    "$pcounter" compile -q -a "$chip" -d "$prefix$1" --signals "$here/signals.csv" -e "$events" \
        ${swap:+--swap "$swap"} --format "$2"
}
for d in 0 1 2; do
    compile $d script | sed -n "s/^w $at\([0-9a-f]*\) \([0-9a-f]*\).*/\1 \2/p" >> "$work/program"
done

mkdir "$work/soc"
cp "$here"/../soc/*.v "$work/soc"
rm "$work/soc/soc_tb.v"
iverilog -g2005 -Wall -Wno-timescale -I "$rtl" -s beside_tb "-Pbeside_tb.LAYOUT=\"$layout\"" \
    -o "$work/beside.vvp" \
    "$here/beside_tb.v" "$rtl"/*.v "$work/soc"/*.v
vvp -n "$work/beside.vvp" "+program=$work/program" "+vcd=$work/beside.vcd" "+cycles=$cycles" |
    sed '/^VCD /d' > "$work/said"
window=$(sed -n 's/^window //p' "$work/said")

# Lists each event with its three counts; fails if they differ, or if any is missing.
for d in 0 1 2; do
    compile $d csv |
        awk -F, -v d=$d '$4 == "input" && $6 != "" { print "slot", d, $5, $6 }'
    "$pcounter" stat -q -f "$here/domain$d.txt" --to "${window}ps" --format csv "$work/beside.vcd" |
        awk -F, -v d=$d '$2 == "cycles" || $2 == "event" { print "stat", d, $3, $4 }'
done > "$work/rest"
cat "$work/said" "$work/rest" | awk '
    $1 == "unit" { split("CYCLES PRE START EVENT STOP", names, " ")
                   for (i = 1; i <= 5; i++) unit[$2, names[i]] = $(i + 2) }
    $1 == "soc"  { soc[$2] = $3 }
    $1 == "slot" { slot[$2, $4] = $3 }
    $1 == "stat" { order[n++] = $2 " " $3; stat[$2, $3] = $4 }
    END {
        printf "%-16s %-9s %8s %8s %8s\n", "event", "counter", "unit", "stat", "soc"
        for (k = 0; k < n; k++) {
            split(order[k], at, " ")
            d = at[1]
            name = at[2]
            counter = name == "cycles" ? "CYCLES" : slot[d, name]
            own = name == "cycles" ? stat[d, name] : soc[name]
            printf "%-16s %-9s %8s %8s %8s\n", name, counter "[" d "]", unit[d, counter],
                   stat[d, name], name == "cycles" ? "" : own
            if (unit[d, counter] == "" || own == "" || unit[d, counter] != stat[d, name] ||
                own != stat[d, name])
                bad++
        }
        if (n != 15) bad++
        print bad ? "they differ" : n " counts agree"
        exit bad != 0
    }'
