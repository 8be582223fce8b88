#!/bin/sh
# SPDX-License-Identifier: MIT
# --from and --to: a waveform cut into windows counts what it counts in one piece, also where an event
# remembers cycles before its window; threads do not matter.  VCD, FST, sigrok, CSV, a core.  What a time means,
# and which windows are refused, is in stat/window.md.
#
#   stat_window.sh PROGRAM SHARED
set -eu
program=$1
shared=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# NAME VALUE of each row, without the window's own; the sums over several files.  Columns by name.
sums() {
    awk -F, '{ sub(/\r$/, "") }
        $1 == "trace" { for (i = 1; i <= NF; i++) col[$i] = i; next }
        $col["window"] != "all" || !("window" in col) { sum[$col["name"]] += $col["value"] }
        END { for (n in sum) print n, sum[n] }' "$@" | sort
}

# windows FIRST... -- ARGUMENTS: windows that begin there, of which the last has no end.
windows() {
    rm -f "$work"/part.*
    from=
    : >"$work/cuts"
    while [ "$1" != -- ]; do echo "$1" >>"$work/cuts"; shift; done
    shift
    "$program" stat -q --format csv "$@" >"$work/whole" || fail "$*"
    n=0
    while read -r to; do
        "$program" stat -q --format csv ${from:+--from "$from"} --to "$to" "$@" >"$work/part.$n" ||
            fail "--from ${from:-0} --to $to $*"
        from=$to
        n=$((n + 1))
    done <"$work/cuts"
    "$program" stat -q --format csv --from "$from" "$@" >"$work/part.$n" || fail "--from $from $*"
    sums "$work/whole" >"$work/want"
    sums "$work"/part.* >"$work/got"
    [ -s "$work/want" ] || fail "nothing counted: $*"
    diff "$work/want" "$work/got" || fail "windows do not add up: $*"
    passed=$((passed + 1))
}

# same OUTPUT-OF-THESE ARGUMENTS -- AND-THESE: equal but for the line that names the window.
same() {
    : >"$work/a.args"
    first=
    while [ "$1" != -- ]; do first="$first '$1'"; shift; done
    shift
    eval "\"$program\" stat -q $first" | grep -v '^window' >"$work/a"
    "$program" stat -q "$@" | grep -v '^window' >"$work/b"
    [ -s "$work/a" ] || fail "nothing: $first"
    diff "$work/a" "$work/b" || fail "$first is not $*"
    passed=$((passed + 1))
}

sh "$here/make_vcd.sh" 140010 2 >"$work/long.vcd"
events='a&b,rise(a),prev(prev(prev(b)))&a,v==3,v[9:5]<v[4:0],edge(v[2]),!prev(!a),a^b^v[0]^v[1]^v[2]^v[3]^v[4]'
for more in '' '-j 3' '-a GT215 --swap-every 777' '-a GT215 -j 2 --swap-every 70001' '-a NV30' '--sample post-edge' '--x zero' '--x one'; do
    # shellcheck disable=SC2086
    windows 1 63 64 65 511 512 513 -- --clock clk -e "$events" $more "$work/long.vcd"
    # shellcheck disable=SC2086
    windows 5 576 16384 65536 65537 139999 -- --clock 'negedge clk' -e "$events" $more "$work/long.vcd"
done
sh "$here/make_vcd.sh" 2000 2 >"$work/short.vcd"
windows 3 100 130 600 -- --clock clk -e "$events" -a GT215 --engine step "$work/short.vcd"
# a pipe is counted as a file is, by cycles and by times
"$program" stat -q --clock clk -e "$events" --from 700 --to 9000 "$work/long.vcd" | tail -n +2 >"$work/a"
"$program" stat -q --clock clk -e "$events" --from 700 --to 9000c - <"$work/long.vcd" | tail -n +2 >"$work/b"
sed 's/9000c/9000/' "$work/b" | diff "$work/a" - || fail 'a pipe by cycles'
for format in csv json text; do
    for window in '--to 5us' '--from 3.3us' '--from 1.1us --to 20us' '--from 512' '--from 1024ns --to 700'; do
        for more in '' '-j 3' '-a GT215' '-I 333ns' '-I 77' '-a NV30 -I 1us' '-M r=a/seconds'; do
            # shellcheck disable=SC2086
            "$program" stat -q --clock clk -e "$events" --format $format $window $more "$work/short.vcd" | sed "1d; s|$work/short.vcd|standard input|" >"$work/a"
            # shellcheck disable=SC2086
            "$program" stat -q --clock clk -e "$events" --format $format $window $more - <"$work/short.vcd" | sed '1d; s/^-,/standard input,/; s/"trace": "-"/"trace": "standard input"/' >"$work/b"
            [ -s "$work/a" ] || fail "nothing: $format $window $more"
            cmp "$work/a" "$work/b" || fail "a pipe: $format $window $more"
        done
    done
done
for window in '--from 700ns' '--to 1.5us' '--from 512ns --to 1us'; do
    # shellcheck disable=SC2086
    "$program" record -q -a G92 --clock clk -e 'a,b' --stop 'rise(a) & b' --format csv $window "$work/short.vcd" | cut -d, -f2-6,9- >"$work/a"
    # shellcheck disable=SC2086
    "$program" record -q -a G92 --clock clk -e 'a,b' --stop 'rise(a) & b' --format csv $window - <"$work/short.vcd" | cut -d, -f2-6,9- >"$work/b"
    cmp "$work/a" "$work/b" || fail "record of a pipe: $window"
done
passed=$((passed + 109))

capture=$here/../../examples/capture/spi.csv
windows 1 60 77 -- --clock sample -e 'rise(sclk), !cs_n, prev(miso)' "$capture"
windows 7 20 -- --clock 'posedge sclk iff !cs_n' -e 'miso, edge(miso)' "$capture"

for j in 1 2; do
    if command -v vcd2fst >/dev/null 2>&1; then
        vcd2fst "$work/long.vcd" "$work/long.fst" >/dev/null 2>&1
        windows 1 64 513 70000 -- -j $j --clock clk -e "$events" "$work/long.fst"
        same --clock clk -e "$events" --from 70000 --to 70100 "$work/long.fst" -- \
            -j $j --clock clk -e "$events" --from 70000 --to 70100 "$work/long.fst"
    else
        echo '*** SKIP FST: vcd2fst is not installed ***'
    fi
done

if [ -d "$shared/waves" ]; then
    sr=$shared/waves/sigrok/mdio_misc_clause45_read_no_address.sr
    windows 1 64 5000 100000 -- --clock sample -e 'MDC, rise(MDC), MDIO & prev(MDIO)' "$sr"
    windows 1 100 -- --clock 'posedge MDC' -e 'MDIO, rise(MDIO)' "$sr"
    same --clock sample -e MDC --from 100us --to 0.0005s "$sr" -- \
        --clock sample -e MDC --from 40000 --to 200000 "$sr"
    core="$shared/waves/cva6/cva6_towers.fst"
    windows 1000 20000 -- --core cv64a6_imafdc_sv39 -e all "$core"
    same --core cv64a6_imafdc_sv39 -e all --from 10us --to 20us "$core" -- \
        -j 2 --core cv64a6_imafdc_sv39 -e all --from 10us --to 20us "$core"
else
    echo '*** SKIP sigrok, core: waveforms of ../shared are not there ***'
fi
echo "$passed passed, 0 failed"
