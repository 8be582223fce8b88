#!/bin/sh
# SPDX-License-Identifier: MIT
# -o of `pcounter stat`: a file is replaced as a whole, keeps its content when something goes
# wrong; a pipe is written into and stays one.
#
#   stat_output.sh PROGRAM
set -eu
program=$1
wave=$(cd "$(dirname "$0")" && pwd)/data/tiny.vcd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

echo old >"$work/report.csv"
"$program" stat --clock clk -e valid -o "$work/report.csv" "$wave"
head -n 1 "$work/report.csv" | grep -q '^trace,kind,name,value,' || fail 'the suffix did not choose the format'
cp "$work/report.csv" "$work/first.csv"
"$program" stat --clock clk -e valid -o "$work/report.csv" "$wave"
cmp "$work/report.csv" "$work/first.csv" || fail 'two runs differ'

code=0
"$program" stat --clock never -e valid -o "$work/report.csv" "$wave" 2>"$work/err" || code=$?
[ $code = 2 ] || fail "exit code $code of a clock without edges"
cmp "$work/report.csv" "$work/first.csv" || fail 'a failed run changed the file'

mkfifo "$work/pipe"
cat "$work/pipe" >"$work/read.csv" &
"$program" stat --clock clk -e valid --format csv -o "$work/pipe" "$wave"
wait
[ -p "$work/pipe" ] || fail 'a pipe was replaced by a file'
cmp "$work/read.csv" "$work/first.csv" || fail 'what went through the pipe differs'
rm "$work/read.csv"

# a limit of the size of files is an error as a full disk is, and leaves nothing behind
{ (ulimit -f 0 && "$program" stat --clock clk -e valid -o "$work/report.csv" "$wave") 2>&1 || echo "exit $?"; } |
    cat >"$work/err"
grep -q 'cannot write .*report.csv: File too large' "$work/err" || fail "of a limited size: $(cat "$work/err")"
grep -qx 'exit 2' "$work/err" || fail "of a limited size: $(cat "$work/err")"
cmp "$work/report.csv" "$work/first.csv" || fail 'a limit of size changed the file'

[ "$(find "$work" -type f | wc -l)" = 3 ] || fail 'something was left behind'
echo 'a file is whole or as it was'
