#!/bin/sh
# SPDX-License-Identifier: MIT
# --format jsonl: lines are out while the input goes on; a file is named .jsonl; of several files the
# reports follow each other, whatever -j says; what has no lines says so.  That lines say what JSON says is in
# tests/schema, for as long as there is python3-jsonschema.
#   jsonl.sh PROGRAM
set -u
program=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
tried=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }

# --- at once ---
# A waveform that stops in the middle until the lines are there: longer than a block of the reader.
clocks() {
    awk -v from="$1" 'BEGIN {
        if (from == 0) print "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end\n$enddefinitions $end"
        for (t = from + 1; t <= from + 700000; t++) printf "#%d\n%d!\n%d#\n", t, t % 2, int(t / 2) % 2 }'
}
# early NAME WANTED COMMAND...: a line like WANTED is out before the second half of the input comes
early() {
    tried=$((tried + 1))
    name=$1 wanted=$2
    shift 2
    rm -f seen
    # shellcheck disable=SC2094 # the output is looked at while it grows
    {
        clocks 0
        for _ in $(seq 100); do
            if grep -q "$wanted" "$work/out"; then
                : >seen
                break
            fi
            sleep 0.1
        done
        clocks 700000
    } | "$program" "$@" >out 2>err || fail "$name: exit $?: $(cat err)"
    [ -e seen ] || fail "$name: no line like $wanted before the end of the input"
    tail -n 1 out | grep -q '"type": "end".*"partial": false' || fail "$name: the last line is $(tail -n 1 out)"
}
: >out
early 'stat -I' '"interval": 3,.*}$' stat --clock clk -e a -I 1000 --format jsonl -
: >out
early idle '"window": 3,.*}$' idle -q --clock clk --map GR=a --window 1000c --format jsonl -
: >out
early record '"row": 3,.*}$' record -q --clock clk --stop 'rise(a)' -e a --format jsonl -
printf 'chip G92\nwave /dev/stdin\nbind 1 clock clk\nr 00a7c4\nrun 1000 1\nr 00a7c8\nrun end\n' >read.pcs
: >out
early run '"register": "CTRL.2.".*}$' run --format jsonl read.pcs

# --- names of files ---
# same WORDS...: -o x.jsonl is --format jsonl, and every line is whole
same() {
    tried=$((tried + 1))
    "$program" "$@" --format jsonl >want 2>/dev/null
    "$program" "$@" -o x.jsonl 2>/dev/null
    cmp want x.jsonl || fail "$* -o x.jsonl"
    [ "$(grep -c '^{ "type": ".*}$' want)" = "$(grep -c '' want)" ] || fail "$*: $(head want)"
    "$program" "$@" -o x.JSONL --format text 2>/dev/null
    ! grep -q '"type"' x.JSONL || fail "$* -o x.JSONL --format text has lines"
}
tiny=$root/tests/cli/data/tiny.vcd
same stat --clock clk -e valid "$tiny"
same stat --clock clk -e valid -I 3 "$tiny"
same record --clock clk --stop valid -e ready "$tiny"
same run "$root/examples/scripts/nv34-quad-pm-trigger.pcs"
same idle --script "$root/examples/idle/frames.pcs"

# --- several ---
tried=$((tried + 1))
"$program" stat -q -j 1 --clock clk -e valid -I 3 --format jsonl "$tiny" "$tiny" "$tiny" >want
"$program" stat -q -j 3 --clock clk -e valid -I 3 --format jsonl "$tiny" "$tiny" "$tiny" >got
cmp want got || fail 'stat -j 3'
[ "$(grep -c '"type": "begin", "seq": 0,' want) $(grep -c '"type": "end"' want)" = '3 3' ] || fail "three reports: $(cat want)"

# --- others ---
# refused TEXT WORDS...
refused() {
    tried=$((tried + 1))
    text=$1
    shift
    code=0
    message=$("$program" "$@" 2>&1) || code=$?
    case "$code $message" in
    2*"$text"*) ;;
    *) fail "pcounter $*: exit $code: $message" ;;
    esac
}
refused 'takes text, csv, json or md, not "jsonl"' list chips --format jsonl
refused 'takes text, csv, json or md, not "jsonl"' info --format jsonl "$tiny"
refused 'jsonl is about waveforms' check --format jsonl "$root/tests/hpm/check/good.txt"
refused 'jsonl is about waveforms' check -o x.jsonl "$root/tests/hpm/check/good.txt"
refused '-e help is a list' stat --core cv64a6_imafdc_sv39 -e help --format jsonl
refused 'takes text, csv, json, jsonl, md, html, junit, vcd or perfetto, not "lines"' stat --clock clk --format lines "$tiny"

echo "$tried tried, $bad failed"
[ $bad -eq 0 ] && [ $tried -gt 10 ]
