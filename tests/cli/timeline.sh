#!/bin/sh
# SPDX-License-Identifier: MIT
# Timelines for viewers: what a page and trace events show is what CSV has; both are well-formed; a browser draws
# the page without an error; what a format cannot have is refused, and no file is left.
#
#   timeline.sh PROGRAM TRACE-EVENTS
set -eu
program=$1
events=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
ok() { passed=$((passed + 1)); }

soc=$root/examples/soc/soc.vcd.gz
clock='posedge soc_tb.clk iff soc_tb.rst_n'
# Unknown values for a while, and a signal whose name is no name.
{
    # shellcheck disable=SC2016 # a dollar is a dollar
    printf '$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 " a $end\n$var wire 1 # <i>&"q"</i> $end\n$enddefinitions $end\n'
    awk 'BEGIN { for (n = 0; n < 100; n++) {
        print "#" n * 10 "\n0!"; if (n == 0) print "0\""; if (n == 20) print "x\""; if (n == 30) print "1\""; if (n == 60) print "0\""
        print n % 3 ? "1#" : "0#"; print "#" n * 10 + 5 "\n1!" } }'
} >"$work/x.vcd"

# --- the same values: rows "NAME VALUE BEGIN", times in seconds ---

csv_rows() {
    awk -F, '{ sub(/\r$/, "") } NR > 1 && $11 != "" && $4 == "" { printf "%s none %.12g\n", $3, $11 }
             NR > 1 && $11 != "" && $4 != "" { printf "%s %.12g %.12g\n", $3, $4, $11 }' "$1" | sort
}
html_rows() {
    grep -o '<rect x=[^>]*><title>[^<]*' "$1" | sed 's/.*<title>//' | awk '{
        split($0, at, "; "); n = split(at[2], t, " ")
        unit = t[n] == "s" ? 1 : t[n] == "ms" ? 1e3 : t[n] == "ns" ? 1e9 : 1e6
        sub(/:$/, "", $1); gsub(/[,;]/, "", $2)
        if ($2 == "not") printf "%s none %.12g\n", $1, t[1] / unit
        else printf "%s %.12g %.12g\n", $1, $2, t[1] / unit }' | sort
}
event_rows() { awk '$1 != "slice" { printf "%s %.12g %.12g\n", $2, $4, $1 / 1e6 }' "$1" | sort; }
# same ARGUMENTS...: names without blanks
same() {
    "$program" stat -q "$@" --format csv -o "$work/csv.out" || fail "--format csv: $*"
    "$program" stat -q "$@" -o "$work/page.html" || fail "--format html: $*"
    "$program" stat -q "$@" -o "$work/rows.perfetto.json" || fail "--format perfetto: $*"
    csv_rows "$work/csv.out" >"$work/want"
    [ "$(wc -l <"$work/want")" -gt 8 ] || fail "few rows: $*"
    # cycles are drawn where they differ
    html_rows "$work/page.html" | grep -v '^cycles ' >"$work/drawn"
    grep -v '^cycles ' "$work/want" | diff - "$work/drawn" || fail "the page and CSV differ: $*"
    "$events" "$work/rows.perfetto.json" >"$work/events" || fail "no trace events: $*"
    grep -v ' none ' "$work/want" >"$work/measured"
    event_rows "$work/events" | diff "$work/measured" - || fail "trace events and CSV differ: $*"
    ok
}
same --clock "$clock" -e hits=hit -e 'waits=dma.req_valid & !dma.req_ready' -M 'busy = (hits + waits) / cycles %' -I 20us "$soc"
same --clock "$clock" -e hits=hit --from 0s -I 77777ns "$soc"
same --clock sample -e "clocks=rise(sclk)" -I 7.3us "$root/examples/capture/spi.csv"
same --clock clk -e a -M 'part = a / (a - a)' -I 40.5ns "$work/x.vcd"
same --clock clk -e a -M 'share = a / a' -I 100ns "$work/x.vcd"
# of the last: the ten intervals by their states
grep -qx 'slice 0.205 0.1 tainted' "$work/events" || fail "tainted from 205 ns on: $(cat "$work/events")"
grep -c ', tainted; ' "$work/page.html" | grep -qx 1 || fail 'tainted on the page'
grep -q '^slice .* not measured$' "$work/events" || fail "no gap: $(cat "$work/events")"
ok

# idle: shares have two digits in CSV
cd "$root/examples/idle"
set -- --clock "$clock" --map soc.map --window 50us --governor gk20a --start-level 7
"$program" idle -q "$@" --format csv ../soc/soc.vcd.gz | awk -F, '
    $8 == "counter" { if ($9 == "busy" || $9 == "total") printf "%s %.2f %.12g\n", $9, $14, $4 / 1e9
                      if ($9 != "total") printf "%s %.2f %.12g\n", $9 == "busy" ? "util" : $9, $16, $4 / 1e9 }
    $8 == "governor" { printf "average %.2f %.12g\n%s %.2f %.12g\n", $19, $4 / 1e9, $9, $20, $4 / 1e9 }' | sort >"$work/want"
[ "$(wc -l <"$work/want")" -gt 300 ] || fail 'few rows of idle'
"$program" idle -q "$@" -o "$work/idle.html" ../soc/soc.vcd.gz
html_rows "$work/idle.html" | awk '{ printf "%s %.2f %.12g\n", $1, $2, $3 }' | sort | diff "$work/want" - || fail 'the page and CSV of idle differ'
"$program" idle -q "$@" -o "$work/idle.trace.json" ../soc/soc.vcd.gz
"$events" "$work/idle.trace.json" >"$work/events"
event_rows "$work/events" | awk '{ printf "%s %.2f %.12g\n", $1, $2, $3 }' | sort | diff "$work/want" - || fail 'trace events and CSV of idle differ'
grep -qx 'slice 2000 50 partial' "$work/events" || fail 'the last window is not partial'
"$program" idle -q "$@" -o "$work/idle.vcd" ../soc/soc.vcd.gz
"$program" info --vars "$work/idle.vcd" | grep -qx 'integer  *64  pcounter\.gk20a' || fail 'the level as a waveform'
"$program" idle -q --script --window 21600000c -o "$work/script.html" frames.pcs
grep -q 'GR: 82 %; 0 to 21600000 cycle<' "$work/script.html" || fail "clocks of a script: $(grep 'GR: ' "$work/script.html")"
ok
cd "$root"

# record: periods are as long as they are
vcd_rows() { # timescale 1ns or 1ps
    awk '$1 == "$timescale" { unit = $2 == "1ps" ? 1e12 : 1e9 } $1 == "$var" && $2 == "integer" { sub(/^\\/, "", $5); name[$4] = $5 } /^#/ { time = substr($1, 2) }
         /^b/ { n = 0; for (i = 2; i <= length($1); i++) n = 2 * n + substr($1, i, 1)
                printf "%s %.12g %.12g\n", name[$2], n, time / unit }' "$1" | sort
}
same_record() { # FORMATS ARGUMENTS...
    formats=$1
    shift
    "$program" record -q "$@" --format csv | awk -F, 'NR > 1 { printf "%s %.12g %.12g\n", $12, $13, $7 }' | sort >"$work/want"
    [ "$(wc -l <"$work/want")" -gt 8 ] || fail "few rows: record $*"
    "$program" record -q "$@" -o "$work/record.html"
    html_rows "$work/record.html" | diff "$work/want" - || fail "the page and CSV differ: record $*"
    "$program" record -q "$@" -o "$work/record.perfetto.json"
    "$events" "$work/record.perfetto.json" >"$work/events" || fail "no trace events: record $*"
    event_rows "$work/events" | sort | diff "$work/want" - || fail "trace events and CSV differ: record $*"
    if [ "$formats" = vcd ]; then
        "$program" record -q "$@" -o "$work/record.vcd"
        vcd_rows "$work/record.vcd" | diff "$work/want" - || fail "the waveform and CSV differ: record $*"
    fi
    ok
}
same_record vcd -c "$clock" --stop 'rise(dma.req_valid)' -e hit,miss "$soc"
grep -qx '#2000090' "$work/record.vcd" || fail 'the last row does not end with the last cycle'
grep -qx 'slice 1678.65 321.44 partial' "$work/events" || fail 'what is behind the last STOP is not partial'
same_record vcd -c "$clock" --stop 'rise(dma.req_valid)' -e hit --from 20us --to 700us --packets "$soc"
same_record '' -c sample --stop 'fall(sclk)' -e clocks=sclk --packets "$root/examples/capture/spi.csv"
"$program" record -q -c "$clock" --stop 'rise(dma.req_valid)' -e hit --dump "$work/buffer" "$soc" >/dev/null
same_record vcd --decode --clock-hz 500e6 "$work/buffer"
"$program" record -q --decode -o "$work/buffer.html" "$work/buffer"
grep -q '<title>PRE\[0\]: 11 count; 0 to 1641 cycle<' "$work/buffer.html" || fail 'a buffer without times'
ok

# --- pages: XML, names as text, cycles, and no more than a drawing can show ---

# shellcheck disable=SC1003 # a backslash before the name
hostile='a & \<i>&"q"</i> '
"$program" stat -q --clock clk -e "$hostile" -I 2 -o "$work/cycles.html" "$work/x.vcd"
if grep '<i>' "$work/cycles.html"; then fail 'a name is an element'; fi
grep -q '<title>.*&lt;i&gt;&amp;&quot;q&quot;&lt;/i&gt;: [0-9] count; 2 to 4 cycle</title>' "$work/cycles.html" || fail 'a name as text, cycles as an axis'
awk 'BEGIN { print "; Samplerate: 1 MHz\na"; for (n = 0; n < 100000; n++) print n % 7 < n / 20000 }' >"$work/long.csv"
"$program" stat -q --clock sample -e a -I 1us -o "$work/long.html" "$work/long.csv"
grep -q '100,000 intervals: each column shows 128 intervals' "$work/long.html" || fail 'envelopes are not told'
grep -q '<title>a: 0 to 1 count in 128 intervals, mean 0.140625; 0 to 0.128 ms<' "$work/long.html" || fail 'the first envelope'
[ "$(wc -c <"$work/long.html")" -lt 400000 ] || fail "a page of $(wc -c <"$work/long.html") bytes"
"$program" stat -q --clock sample -e a -I 1us -o "$work/long.trace.json" "$work/long.csv"
[ "$("$events" "$work/long.trace.json" | grep -c ' a count ')" = 100000 ] || fail 'trace events are left out'
ok
# buses: what the bars of a column say is what CSV has of that interval
"$program" bus -q -I 3 -o "$work/bus.html" -o "$work/bus.csv" --expect 'wb.stall < 3' "$root/tests/cli/data/bus.vcd" >/dev/null || [ $? = 1 ] || fail 'bus.html'
# of the first bus, the beats
awk -F, '$1 == "interval" && $2 == "tb.wb" && $4 == "beat" { print $5 + 0 }' "$work/bus.csv" >"$work/want"
sed -n '/class="lane"><a href="#bus0"/,/<a href="#bus1"/s/.*<title>from edge .*: beat \([0-9]*\),.*/\1/p' "$work/bus.html" >"$work/drawn"
{ [ "$(wc -l <"$work/want")" = 7 ] && diff "$work/want" "$work/drawn"; } || fail 'bars of buses'
ok
for page in page idle script cycles long record buffer bus; do
    if grep -E '<script|src=|https?://[^w]' "$work/$page.html"; then fail "$page loads something"; fi
    if command -v xmllint >/dev/null 2>&1; then
        xmllint --noout "$work/$page.html" || fail "$page is no XML"
    else
        echo "*** SKIP $page as XML: xmllint is not installed ***" >&2
    fi
done
ok

# --- a browser: no error, no plot without a size, as many as there are columns ---

browse() { chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr "$@" 2>"$work/console"; }
if command -v chromium >/dev/null 2>&1; then
    for page in page idle cycles long record bus; do
        browse --screenshot="$work/$page.png" "file://$work/$page.html" >/dev/null || fail "chromium: $page"
        if grep CONSOLE "$work/console"; then fail "$page: an error in the browser"; fi
        [ -s "$work/$page.png" ] || fail "$page is not drawn"
        # the page has no script and allows none: a copy that does tells the sizes
        sed -e '/Content-Security-Policy/d' -e 's|</body>|<script>document.title = [...document.querySelectorAll("figure svg")].map(s => { const r = s.getBoundingClientRect(); return Math.round(r.width) + "x" + Math.round(r.height); }).join(" ")</script></body>|' "$work/$page.html" >"$work/sizes.html"
        browse --dump-dom "file://$work/sizes.html" | sed -n 's|.*<title>\([0-9x ]*\)</title>.*|\1|p' | head -n 1 >"$work/sizes"
        want=$(grep -c '<svg role="img"' "$work/$page.html")
        awk -v want="$want" '{ for (i = 1; i <= NF; i++) { split($i, s, "x"); if (s[1] < 300 || s[2] < 10) exit 1 } n = NF } END { exit n != want }' "$work/sizes" ||
            fail "$page: $want plots of $(cat "$work/sizes")"
    done
    ok
else
    echo '*** SKIP pages in a browser: chromium is not installed ***' >&2
fi

# --- what is refused: refused FORMAT TEXT VERB ARGUMENTS... ---

refused() {
    format=$1
    text=$2
    verb=$3
    shift 3
    code=0
    "$program" "$verb" -q "$@" -o "$work/none.$format" 2>"$work/err" || code=$?
    [ $code = 2 ] || fail "exit $code: $verb $*"
    grep -qF -- "$text" "$work/err" || fail "$verb $*: $(cat "$work/err")"
    [ ! -e "$work/none.$format" ] || fail "a file is left: $verb $*"
    ok
}
refused perfetto.json 'give -I with a unit' stat --clock clk -e a "$work/x.vcd"
refused trace.json '--format html can also draw cycles' stat --clock clk -e a -I 5 "$work/x.vcd"
refused html 'one waveform, not of 2' stat --clock clk -e a -I 5 "$work/x.vcd" "$work/x.vcd"
refused html '--explain is for' stat --clock clk -e a -I 5 --explain "$work/x.vcd"
refused perfetto.json 'give --window with a unit' idle --clock clk --map GR=a "$work/x.vcd"
refused vcd 'give --window with a unit' idle --clock clk --map GR=a --window 10c "$work/x.vcd"
refused perfetto.json 'a script has clocks only' idle --script --window 21600000c "$root/examples/idle/frames.pcs"
refused perfetto.json 'give --clock-hz' record --decode "$work/buffer"
refused html 'packets of one domain' record --clock clk --stop a -e a,a,a,a,a,a,a,a,a,a,a,a,a --packets "$work/x.vcd"
refused vcd 'cannot have the time unit' record --decode --clock-hz 1e15 "$work/buffer"
refused html '--spark is for --format text' record --clock clk --stop a -e a --spark "$work/x.vcd"
echo "$passed passed, 0 failed"
