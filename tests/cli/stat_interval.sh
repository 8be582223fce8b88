#!/bin/sh
# SPDX-License-Identifier: MIT
# stat -I: each interval counts what --from and --to of it count, and what awk counts in the VCD; all
# together what there is without -I, to the byte; threads, passes, periods and --engine step do not
# matter.  Captures, pipes, several files.  Times are in stat/interval-times.md, refusals in stat/interval.md.
#
#   stat_interval.sh PROGRAM SHARED
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
ok() { passed=$((passed + 1)); }
# As CSV; with a chip the columns that there are without one.
csv() {
    case " $* " in
    *' -a '*) "$program" stat -q --format csv "$@" | cut -d, -f1,5-11,14- | sed 's/,CYCLES,/,cycles,/; s/,METRIC,/,metric,/' ;;
    *) "$program" stat -q --format csv "$@" ;;
    esac
}

# NAME VALUE of rows of counts, summed.
sums() {
    awk -F, '{ sub(/\r$/, "") } FNR > 1 && $2 != "metric" { sum[$3] += $4 }
        END { for (n in sum) print n, sum[n] }' "$1" | sort
}
# The end of a report as text, from the line of all cycles on.
counts() { awk '/^ *[0-9,]+  cycles$/ { on = 1 } on'; }

# adds_up INTERVAL ARGUMENTS: as CSV, as text, and in the end of JSON.
adds_up() {
    interval=$1
    shift
    csv "$@" >"$work/whole" || fail "$*"
    csv -I "$interval" "$@" >"$work/rows" || fail "-I $interval $*"
    sums "$work/whole" >"$work/want"
    sums "$work/rows" >"$work/got"
    [ -s "$work/want" ] || fail "nothing counted: $*"
    diff "$work/want" "$work/got" || fail "intervals do not add up: -I $interval $*"
    "$program" stat -q "$@" | counts >"$work/want"
    "$program" stat -q -I "$interval" "$@" | counts >"$work/got"
    [ -s "$work/want" ] || fail "no counts: $*"
    diff "$work/want" "$work/got" || fail "the end of the text: -I $interval $*"
    ok
}

# windows INTERVAL ARGUMENTS: every row is that of a window.
windows() {
    interval=$1
    shift
    csv -I "$interval" "$@" >"$work/rows" || fail "-I $interval $*"
    awk -F, '$2 == "cycles" && $6 > 0 { print $9, $6 }' "$work/rows" >"$work/cuts"
    [ -s "$work/cuts" ] || fail "no rows: -I $interval $*"
    while read -r first cycles; do
        csv "$@" --from "$first" --to $((first + cycles)) | tail -n +2 | cut -d, -f1-9 |
            tr -d '\r' >"$work/want"
        awk -F, -v first="$first" '$9 == first && $6 > 0' "$work/rows" | cut -d, -f1-9 >"$work/got"
        diff "$work/want" "$work/got" || fail "-I $interval: not the window from $first, $cycles cycles: $*"
    done <"$work/cuts"
    ok
}

# same INTERVAL-AND-MORE -- ARGUMENTS: equal with -I ... and with -I ... MORE, in all formats.
same() {
    interval=$1
    more=
    shift
    while [ "$1" != -- ]; do more="$more $1"; shift; done
    shift
    for format in text csv json; do
        "$program" stat -q --format $format -I "$interval" "$@" >"$work/a" || fail "-I $interval $*"
        # shellcheck disable=SC2086
        "$program" stat -q --format $format -I "$interval" $more "$@" >"$work/b" || fail "$more"
        cmp "$work/a" "$work/b" || fail "$format, -I $interval $*: with$more something else"
    done
    ok
}

# --- against awk ---

# Rises of clk at times 1, 3, 5 ...: counts of a and of its rises by cycles, and by times.
sh "$here/make_vcd.sh" 3000 0 >"$work/known.vcd"
by_awk() {
    awk -v by="$1" -v length_="$2" '
        function row() {
            print shown++, cycles, high, rises
            cycles = high = rises = 0
        }
        BEGIN { shown = cycles = high = rises = n = timed = last = a = 0 }
        /^#/ { time = substr($0, 2) + 0; next }
        !timed && /^\$enddefinitions/ { timed = 1; next }
        !timed { next }
        /^1!/ {
            if (n == 0)
                origin = time
            at = by == "c" ? int(n / length_) : int((time - origin) / length_)
            while (shown < at)
                row()
            cycles++
            high += a
            rises += a && !last
            last = a
            n++
        }
        /^[01]#/ { a = substr($0, 1, 1) + 0 }
        END { row() }' "$work/known.vcd"
}
timeline() {
    csv --clock clk -e 'high=a, rises=rise(a)' -I "$1" "$work/known.vcd" | awk -F, '
        $3 == "cycles" { printf "%s%d %d", sep, $10, $4; sep = "\n" }
        $3 == "high" || $3 == "rises" { printf " %d", $4 }
        END { print "" }'
}
for length in 1 2 63 64 65 1000 2999 3000 3001; do
    by_awk c $length >"$work/want"
    timeline $length | diff "$work/want" - || fail "awk counts other intervals of $length cycles"
    ok
done
for length in 1 2 3 7 129 5998 5999 6000; do
    by_awk t $length >"$work/want"
    timeline ${length}ns | diff "$work/want" - || fail "awk counts other intervals of $length ns"
    ok
done

# --- sums, windows, threads, at hostile places ---

sh "$here/make_vcd.sh" 140010 2 >"$work/long.vcd"
sh "$here/make_vcd.sh" 1500 2 >"$work/short.vcd"
events='a&b,rise(a),prev(prev(prev(b)))&a,v==3,v[9:5]<v[4:0],edge(v[2]),!prev(!a),a^b^v[0]^v[1]^v[2]^v[3]^v[4]'
for more in '' '-j 3' '-a GT215 --swap-every 777' '-a NV30' '--sample post-edge' '--x zero' '--x one' '--from 513' \
    '--from 64 --to 139999' '--from 9us --to 60001ns'; do
    # shellcheck disable=SC2086
    adds_up 10007 --clock clk -e "$events" $more "$work/long.vcd"
    # shellcheck disable=SC2086
    adds_up 65536 --clock 'negedge clk iff !b' -e "$events" $more "$work/long.vcd"
    # shellcheck disable=SC2086
    adds_up 7777ns --clock clk -e "$events" $more "$work/long.vcd"
done
adds_up 1 --clock clk -e "$events" "$work/short.vcd"
adds_up 100 --clock clk -e "$events" -M 'm = a / cycles %' -M 'r = a / seconds /s' "$work/short.vcd"
adds_up 100us --clock clk "$work/long.vcd"
for more in '' '-j 2' '-a NV30' '--sample post-edge' '-a GT215 --engine step' '-a GT215 --engine step --swap-every 20'; do
    # shellcheck disable=SC2086
    windows 97 --clock clk -e "$events" -M 'm = a / cycles %' $more "$work/short.vcd"
    # shellcheck disable=SC2086
    windows 211ns --clock clk -e "$events" $more "$work/short.vcd"
    # shellcheck disable=SC2086
    windows 64 --clock 'posedge clk iff a' -e "$events" --from 130 --to 900 $more "$work/short.vcd"
done
windows 9973 --clock clk -e "$events" -j 3 "$work/long.vcd"
for interval in 1 64 100 1000 300ns; do
    same "$interval" --engine step -- -a GT215 --clock clk -e "$events" "$work/short.vcd"
    same "$interval" --engine step --swap-every 33 -- -a GT215 --clock clk -e "$events" --from 200 "$work/short.vcd"
done
for interval in 3 4099 65536 100000 90us 333333ps; do
    same "$interval" -j 2 -- -j 1 --clock clk -e "$events" "$work/long.vcd"
    same "$interval" -j 3 -- -j 1 --clock clk -e "$events" --from 70001 "$work/long.vcd"
done

# --- random intervals ---

awk 'BEGIN { srand(32); for (i = 0; i < 30; i++) { n = int(exp(rand() * 11)) + 1
    from = rand() < 0.5 ? 0 : int(rand() * 1400)
    print rand() < 0.5 ? n : n (rand() < 0.5 ? "ns" : ".5ns"), from, int(rand() * 3) + 1 } }' >"$work/random"
while read -r interval from j; do
    adds_up "$interval" --clock clk -e "$events" --from "$from" -j "$j" "$work/short.vcd"
    same "$interval" --engine step -- -a GT215 --clock clk -e "$events" --from "$from" -j "$j" "$work/short.vcd"
done <"$work/random"

# --- other files ---

gzip -c "$work/long.vcd" >"$work/long.vcd.gz"
for interval in 5000 40us; do
    csv --clock clk -e "$events" -I $interval "$work/long.vcd" | cut -d, -f2- >"$work/want"
    csv --clock clk -e "$events" -I $interval "$work/long.vcd.gz" | cut -d, -f2- | cmp "$work/want" - ||
        fail "gzip, $interval"
    if command -v vcd2fst >/dev/null 2>&1; then
        [ -e "$work/long.fst" ] || vcd2fst "$work/long.vcd" "$work/long.fst" >/dev/null 2>&1
        for j in 1 2; do
            csv -j $j --clock clk -e "$events" -I $interval "$work/long.fst" | cut -d, -f2- |
                cmp "$work/want" - || fail "FST, $interval, -j $j"
        done
    else
        echo '*** SKIP FST: vcd2fst is not installed ***'
    fi
    ok
done
csv --clock clk -e "$events" -I 5000 "$work/long.vcd" | cut -d, -f2- >"$work/want"
csv --clock clk -e "$events" -I 5000 - <"$work/long.vcd" | cut -d, -f2- | cmp "$work/want" - || fail 'a pipe'
# several: one header, one array, in their order
csv --clock clk -e a -I 300 "$work/short.vcd" >"$work/want"
csv --clock clk -e a -I 300 "$work/known.vcd" | tail -n +2 >>"$work/want"
csv --clock clk -e a -I 300 -j 2 "$work/short.vcd" "$work/known.vcd" | cmp "$work/want" - || fail 'two files'
ok
capture=$here/../../examples/capture/spi.csv
adds_up 7 --clock sample -e 'rise(sclk), !cs_n, prev(miso)' "$capture"
windows 7 --clock sample -e 'rise(sclk), !cs_n, prev(miso)' "$capture"
windows 5 --clock 'posedge sclk iff !cs_n' -e 'miso, edge(miso)' "$capture"
windows 3us --clock 'posedge sclk iff !cs_n' -e 'miso, edge(miso)' "$capture"
if [ -d "$shared/waves" ]; then
    sr=$shared/waves/sigrok/mdio_misc_clause45_read_no_address.sr
    csv --clock sample -I 2ns "$sr" 2>/dev/null && fail 'less than a sample is an interval'
    adds_up 33333 --clock sample -e 'MDC, rise(MDC), MDIO & prev(MDIO)' "$sr"
    adds_up 777us --clock sample -e 'MDC, rise(MDC), MDIO & prev(MDIO)' "$sr"
    adds_up 777us --clock 'posedge MDC' -e 'MDIO, rise(MDIO)' "$sr"
else
    echo '*** SKIP sigrok: waveforms of ../shared are not there ***'
fi

# --- lengths of intervals ---

# lengths of a window that both ends of are times add up to its own
for window in '--from 100ns --to 2us' '--from 1ns --to 1.777us' '--from 0s --to 45ns'; do
    # shellcheck disable=SC2086
    csv --clock 'posedge clk iff a' -e b -I 33ns $window "$work/short.vcd" | tr -d '\r' |
        awk -F, -v window="$window" 'BEGIN { split(window, w, " ") }
            function ns(t) { return t ~ /us$/ ? 1000 * t : t + 0 }
            $3 == "cycles" { sum += $12 }
            END { want = 1e-9 * (ns(w[4]) - ns(w[2])); d = sum - want
                exit !(d < 1e-15 && d > -1e-15) }' || fail "lengths of $window do not add up"
    ok
done
# --- pipes, and output that ends early ---

# a pipe with a name is read once as well: it was opened again, and nobody wrote any more
mkfifo "$work/pipe"
piped() {
    cat "$work/short.vcd" >"$work/pipe" 2>/dev/null &
    writer=$!
}
for late in '-I 5us' '--from 10ns' '--to 1us'; do
    piped
    # shellcheck disable=SC2086
    timeout 20 "$program" stat -q --clock clk -e a $late "$work/pipe" | sed "s|$work/pipe|$work/short.vcd|" >"$work/out"
    wait $writer 2>/dev/null || :
    # shellcheck disable=SC2086
    "$program" stat -q --clock clk -e a $late "$work/short.vcd" | cmp - "$work/out" || fail "$late of a pipe"
    ok
done
piped
timeout 20 "$program" stat -q --clock clk -e a -I 500 -M 'length = seconds s' "$work/pipe" >"$work/out" ||
    fail 'a metric with seconds of a pipe'
wait $writer
piped
timeout 20 "$program" stat --clock clk "$work/pipe" >"$work/out" || fail 'a pipe without events'
wait $writer
"$program" stat -q --clock clk "$work/short.vcd" | tail -n 1 >"$work/want"
tail -n 1 "$work/out" | cmp "$work/want" - || fail 'cycles of a pipe'
ok
adds_up 18446744073709551615 --clock clk -e a "$work/short.vcd"
adds_up 18446744073709551615s --clock clk -e a "$work/short.vcd"
# a file is whole or not there
head -c 200000 "$work/long.vcd" >"$work/cut.vcd"
printf '\n#5\n' >>"$work/cut.vcd"
code=0
"$program" stat -q --clock clk -e a -I 100 -o "$work/cut.csv" "$work/cut.vcd" 2>"$work/err" || code=$?
[ $code = 2 ] || fail "exit $code of a VCD that runs backwards"
[ ! -e "$work/cut.csv" ] || fail 'half a file'
# where rows do not go out any more, no more is read: what writes the waveform does not come to its end
endless() {
    awk 'BEGIN {
        print "$timescale 1 ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end"
        for (t = 0; t < 6000000; t++)
            print "#" t "\n" t % 2 "!"
    }' && echo all >"$work/all_written"
}
for format in text csv json; do
    endless 2>/dev/null | "$program" stat -q --clock clk -I 1 --format $format - 2>"$work/err" | head -n 3 >"$work/out"
    [ "$(wc -l <"$work/out")" = 3 ] || fail "$format into head: $(cat "$work/err")"
    [ ! -s "$work/err" ] || fail "$format into head says: $(cat "$work/err")"
    [ ! -e "$work/all_written" ] || fail "$format: all was read, though nobody reads the rows"
    ok
done
if [ -w /dev/full ]; then
    code=0
    endless 2>/dev/null | "$program" stat -q --clock clk -I 1 - >/dev/full 2>"$work/err" || code=$?
    [ $code = 2 ] || fail "exit $code where the disk is full"
    grep -q 'No space left' "$work/err" || fail "a full disk: $(cat "$work/err")"
    [ ! -e "$work/all_written" ] || fail 'all was read, though the disk is full'
    ok
fi
# memory does not grow with the number of intervals
if [ -r /proc/self/status ] && command -v python3 >/dev/null 2>&1; then
    peak() {
        python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
    }
    some=$(peak "$program" stat -q -j1 --clock clk -e a -I 100000 --format json "$work/long.vcd")
    many=$(peak "$program" stat -q -j1 --clock clk -e a -I 1 --format json "$work/long.vcd")
    [ "$many" -lt $((some + 2048)) ] || fail "$many KB with many intervals, $some with few"
    ok
fi
echo "$passed passed, 0 failed"
