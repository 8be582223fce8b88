#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C while `pcounter stat`, `record` or `idle` waits for more of standard input: what was counted so far is
# printed, marked partial, and the exit code is 130; a file of -o is whole.  A second one, where the
# first had to wait, leaves no file.  idle reads no more where nobody reads its rows (stat_interval.sh has
# the same of stat).
#
#   stat_interrupt.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

# More cycles than any buffer holds, then silence until the run has ended.
slow() {
    awk 'BEGIN {
        print "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end"
        print "$upscope $end\n$enddefinitions $end\n#0\n0!\n0#"
        for (t = 1; t <= 400000; t++)
            printf "#%d\n%d!\n%d#\n", t, t % 2, (t / 2) % 2
    }'
    : >"$work/written"
    for _ in $(seq 200); do
        [ ! -e "$work/code" ] || return 0
        sleep 0.1
    done
    : >"$work/waited"
}

# VERB ARGUMENTS: the exit code of a run that is interrupted half a second after all was written;
# $before and $behind are files before and behind standard input.
behind=
before=
interrupted() {
    verb=$1
    shift
    rm -f "$work/written" "$work/code"
    slow | {
        {
            while [ ! -e "$work/written" ]; do sleep 0.1; done
            sleep 0.5
            kill -INT "$(cat "$work/pid")"
        } &
        code=0
        # shellcheck disable=SC2016,SC2086
        sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$program" "$verb" --clock clk "$@" $before - \
            $behind 2>"$work/err" || code=$?
        echo "$code" >"$work/code"
    }
    [ ! -e "$work/waited" ] || fail "$verb waited for the end of its input"
    [ "$(cat "$work/code")" = 130 ] || fail "exit code $(cat "$work/code"), not 130"
}

interrupted stat -e a >"$work/out"
grep -q '^partial' "$work/out" || fail 'the report does not say that it is partial'
grep -Eq '^ +[1-9][0-9,]+  cycles' "$work/out" || fail 'nothing was counted'

interrupted stat -e a -o "$work/report.json"
grep -q '"partial": true' "$work/report.json" || fail 'the file does not say that it is partial'
[ "$(tail -n 1 "$work/report.json")" = '}' ] || fail 'the file is not whole'
[ "$(find "$work" -name 'report*' | wc -l)" = 1 ] || fail 'something was left behind'

# of several waveforms those that were not begun are not in the report: not measured is not 0
# shellcheck disable=SC2016 # words of a VCD
printf '$timescale 1ns $end $var wire 1 ! clk $end $var wire 1 # a $end $enddefinitions $end\n#0\n0!\n1#\n#5\n1!\n' \
    >"$work/second.vcd"
cp "$work/second.vcd" "$work/third.vcd"
behind="$work/second.vcd $work/third.vcd"
for format in text csv json; do
    interrupted stat -e a -j 1 --format $format >"$work/out"
    ! grep -Eq 'second|third' "$work/out" || fail "stat --format $format: a report of a file that was not begun"
    [ "$(tail -n 1 "$work/err")" = \
        "pcounter: interrupted before $work/second.vcd and 1 further waveform were begun: not in the report" ] ||
        fail "stat --format $format: $(cat "$work/err")"
done
[ "$(head -n 1 "$work/out")$(tail -n 1 "$work/out")" = '[]' ] || fail 'an array that does not end'
[ "$(grep -c '"partial": true' "$work/out")" = 1 ] || fail 'the first file is not partial'
behind=$work/second.vcd
interrupted stat -e a -j 1 --format csv >"$work/out"
grep -qx "pcounter: interrupted before $work/second.vcd was begun: not in the report" "$work/err" ||
    fail "one file: $(cat "$work/err")"
behind=
# another thread would not notice that standard input ends: the calling one reads it, wherever it stands
before=$work/second.vcd
for behind in '' "$work/third.vcd $work/third.vcd"; do
    interrupted stat -e a -j 3 --format json >"$work/out"
    [ "$(grep -c '"partial": true' "$work/out")" = 1 ] || fail "stat -j 3: $(cat "$work/err")"
done
before=
behind=

for window in 1000 1us; do
    interrupted idle --map GR=a --window $window >"$work/out"
    grep -Eq '^ +[1-9][0-9,]+ +[0-9,]+ ' "$work/out" || fail "idle --window $window: no window was told"
done
interrupted idle --map GR=a -o "$work/idle.csv"
[ -s "$work/idle.csv" ] || fail 'idle -o: nothing was written'
[ "$(find "$work" -name 'idle*' | wc -l)" = 1 ] || fail 'idle -o: something was left behind'

periods() { awk 'BEGIN {
    print "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end\n$enddefinitions $end\n#0\n0!\n0#"
    for (t = 1; t <= 4000; t++) printf "#%d\n%d!\n%d#\n", t, t % 2, (t / 8) % 2 }'; }
periods >"$work/periods.vcd"
interrupted record --stop 'fall(a)' -e a --format csv -o "$work/record.csv"
grep -q ',rest,.*,a,[01],partial,' "$work/record.csv" || fail 'record: the last row is not partial'
grep -q ',period,.*,a,[1-9][0-9]*,exact,' "$work/record.csv" || fail 'record: nothing was counted'
[ "$(find "$work" -name 'record*' | wc -l)" = 1 ] || fail 'record: something was left behind'
interrupted record --stop 'rise(a)' -e a --format json >"$work/out"
grep -q '"partial": true' "$work/out" || fail 'record: the JSON does not say that it is partial'
[ "$(tail -n 1 "$work/out")" = '}' ] || fail 'record: the JSON is not whole'

# says_so FORMAT FILE: that the run was interrupted, and it ends as the format does
says_so() {
    case $1 in
    text) grep -q '^partial' "$2" ;;
    csv) tail -n 1 "$2" | grep -q ',rest,.*,partial,' ;;
    json) grep -q '"partial": true' "$2" && [ "$(tail -n 1 "$2")" = '}' ] ;;
    jsonl) tail -n 1 "$2" | grep -q '^{ "type": "end".*"partial": true.*}$' ;;
    html) grep -q 'no: interrupted' "$2" && [ "$(tail -n 1 "$2")" = '</html>' ] ;;
    perfetto) tail -n 1 "$2" | grep -q '"complete": "no: interrupted"}}$' ;;
    vcd) tail -n 1 "$2" | grep -qx '[$]comment partial: interrupted [$]end' ;;
    esac
}
for format in text csv json jsonl html; do
    interrupted record --stop 'rise(a)' -e a --format $format >"$work/out"
    says_so $format "$work/out" || fail "record --format $format does not say that it was interrupted"
done

# a buffer, which ends within a packet so far
"$program" record -q --clock clk --stop 'rise(a)' -e a --dump "$work/buffer" "$work/periods.vcd" >"$work/whole"
for format in text csv json jsonl html perfetto vcd; do
    rm -f "$work/code"
    { head -c 1000 "$work/buffer"; : >"$work/written"; for _ in $(seq 200); do [ ! -e "$work/code" ] || break; sleep 0.1; done; } | {
        {
            sleep 0.5
            kill -INT "$(cat "$work/pid")"
        } &
        code=0
        # shellcheck disable=SC2016
        sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$program" record --decode --clock-hz 1e9 --format $format - \
            >"$work/out" 2>"$work/err" || code=$?
        echo "$code" >"$work/code"
    }
    [ "$(cat "$work/code")" = 130 ] || fail "record --decode: exit code $(cat "$work/code"): $(cat "$work/err")"
    says_so $format "$work/out" || fail "record --decode --format $format does not say that it was interrupted"
    [ "$format" != text ] || grep -qE '^ +[0-9.]+ +[0-9,]+ +8 +1 ' "$work/out" || fail "record --decode: no row"
done

# nothing was counted: CSV, which has nothing behind its rows, has one that says so
# shellcheck disable=SC2016
head='$comment %5000s $end $timescale 1ns $end $var wire 1 ! clk $end $var wire 1 # a $end $enddefinitions $end\n#0\n0!\n0#\n'
none() { # VERB ARGUMENTS
    rm -f "$work/code"
    # shellcheck disable=SC2059
    { printf "$head" ""; for _ in $(seq 200); do [ ! -e "$work/code" ] || break; sleep 0.1; done; } | {
        {
            sleep 0.5
            kill -INT "$(cat "$work/pid")"
        } &
        code=0
        # shellcheck disable=SC2016
        sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$program" "$@" --clock clk -e a --format csv - \
            >"$work/out" 2>"$work/err" || code=$?
        echo "$code" >"$work/code"
    }
    [ "$(cat "$work/code")" = 130 ] || fail "$*, no cycle: exit code $(cat "$work/code"): $(cat "$work/err")"
    grep -qi ',CYCLES,cycles,0,partial,' "$work/out" || fail "$*, no cycle: no row is partial: $(cat "$work/out")"
}
none stat -q -I 100
none record -q --stop a
none record -q --stop a --packets

# another pipe than standard input: the first Ctrl-C comes through when there is more to read
rm -f "$work/written" "$work/code"
mkfifo "$work/pipe"
slow >"$work/pipe" &
{
    while [ ! -e "$work/written" ]; do sleep 0.1; done
    sleep 0.5
    kill -INT "$(cat "$work/pid")"
    sleep 0.5
    kill -INT "$(cat "$work/pid")"
} &
code=0
# shellcheck disable=SC2016
sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$program" stat --clock clk -e a -o "$work/twice.csv" \
    "$work/pipe" || code=$?
echo $code >"$work/code"
wait
[ $code = 130 ] || fail "a second Ctrl-C: exit code $code, not 130"
[ -z "$(find "$work" -name 'twice*')" ] || fail 'a second Ctrl-C left a file'

# rows that do not go out any more: what writes the waveform does not come to its end
endless() {
    awk 'BEGIN {
        print "$timescale 1 ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end"
        for (t = 0; t < 6000000; t++)
            print "#" t "\n" t % 2 "!"
    }' && echo all >"$work/all_written"
}
for window in 10 10ns; do
    endless 2>/dev/null | "$program" idle -q --clock clk --map GR=clk --window $window - 2>"$work/err" |
        head -n 9 >"$work/out"
    [ "$(wc -l <"$work/out")" = 9 ] || fail "idle --window $window into head: $(cat "$work/err")"
    [ ! -e "$work/all_written" ] || fail "idle --window $window: all was read, though nobody reads the rows"
done
echo '29 passed, 0 failed'
