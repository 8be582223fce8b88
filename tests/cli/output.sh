#!/bin/sh
# SPDX-License-Identifier: MIT
# Where output goes, and what it is made of: -o of every verb, links, names that are not UTF-8,
# standard input given twice, limits of the readers.
#   output.sh PROGRAM
# shellcheck disable=SC2015,SC2016 # A && B || fail, and no expansions in what is printed
set -u
program=$(realpath "${1:?usage: output.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
soc=$root/examples/soc/soc.vcd.gz
vectors=$root/tests/hpm/check/good.txt

# with_output ARGUMENTS...: the same through -o, through a link, and into a place that is not there
with_output() {
    "$program" "$@" >want 2>/dev/null
    code=$?
    printf 'old\n' >target
    chmod 600 target
    ln -sf target link
    ln -sf nowhere dangling
    "$program" "$@" -o link >stdout 2>/dev/null
    [ $? -eq $code ] || fail "$*: another exit code with -o"
    [ ! -s stdout ] || fail "$*: standard output has something with -o"
    [ -h link ] || fail "$*: the link is gone"
    cmp -s want target || fail "$*: the target of the link is not what is printed"
    [ "$(stat -c %a target)" = 600 ] || fail "$*: permissions of a file that is replaced"
    "$program" "$@" --output=dangling >/dev/null 2>&1
    cmp -s want nowhere || fail "$*: a link to a file that was not there"
    "$program" "$@" -o "$work/none/file" >stdout 2>messages
    [ $? -eq 2 ] && [ ! -s stdout ] && grep -q 'PC-E0901' messages ||
        fail "$*: a folder that is not there"
    rm -f target link dangling nowhere
    [ "$(ls)" = "$(printf 'messages\nstdout\nwant')" ] || fail "$*: left behind: $(ls)"
}
printf 'chip G92\nw 00a484 00000010\nw 00a4a4 0000aaaa\n' >../"$(basename "$work").pcs"
script=$work.pcs
trap 'rm -rf "$work" "$script"' EXIT
with_output stat --clock soc_tb.clk -e hit "$soc"
with_output stat --core cv64a6_imafdc_sv39 -e help
with_output run -q "$root/examples/scripts/nv34-quad-pm-trigger.pcs"
with_output info "$soc"
with_output list signals -a G92 -d 1
with_output decode -a G92 0xa7c4 1
with_output decode -i "$script"
with_output encode -a G92 'CTRL[1]' MODE=RECORD
with_output diff "$root/tests/cli/diff/before.json" "$root/tests/cli/diff/before.json"
with_output compile -a G92 event=s10
with_output plan -a G92 -d 1 -e s10
with_output check "$vectors"
with_output check "$vectors" "$vectors"
with_output check --format csv -j 3 "$vectors" "$vectors" "$vectors"
with_output check -k "$root/tests/hpm/check/differs.txt"
with_output idle -q --clock soc_tb.clk --map 'GR=!hit' "$soc"
with_output replay "$root/tests/cli/replay/g92.mmt" --annotate
with_output emit c-header -a G92
with_output explain PC-E0203
with_output explain --format json N0301
with_output schema
with_output schema pcounter-stat-2

# no message gets into an output: a closed standard error would be the next file that is opened
printf 'chip G92\nr a7c4 1\n' >wrong.pcs
"$program" run -v wrong.pcs -o want --log mmiotrace=want-log 2>/dev/null
"$program" run -v wrong.pcs -o got --log mmiotrace=got-log 2>&-
[ $? -eq 1 ] && cmp -s want got && cmp -s want-log got-log || fail 'messages in an output'
"$program" run -v wrong.pcs -o got --log mmiotrace=got-log <&- >&- 2>&-
[ $? -eq 1 ] && cmp -s want got && cmp -s want-log got-log || fail 'messages in an output, all closed'
"$program" info - <&- 2>messages
[ $? -eq 2 ] && grep -q 'PC-E0501' messages || fail "standard input that is closed: $(cat messages)"
rm -f wrong.pcs want got want-log got-log

# what a call reads is not replaced: keeps FILE ARGUMENTS..., by its name, another path and a link
keeps() {
    file=$1
    shift
    cp "$file" before
    ln -sf "$file" link
    for name in "$file" "./$file" "$work/$file" link; do
        "$program" "$@" -o "$name" >stdout 2>messages
        [ $? -eq 2 ] && grep -q 'PC-E0908' messages || fail "$* -o $name: $(cat messages)"
        [ ! -s stdout ] || fail "$* -o $name: standard output has something"
        cmp -s "$file" before && [ -h link ] || fail "$* -o $name: the input is another one"
    done
    rm -f link
    cp before other
    "$program" "$@" -o other >stdout 2>messages
    grep -q 'PC-E0908' messages && fail "$* -o other: $(cat messages)"
    rm -f "$file" before other
}
use() { cp "$root/$1" "$2"; }
for call in 'stat -q --format text --clock clk -e valid' 'stat -q -j2 --format csv --clock clk -e valid more.vcd' 'info --format text'; do
    use tests/cli/data/wave.vcd in.vcd
    use tests/cli/data/wave.vcd more.vcd
    # shellcheck disable=SC2086 # words
    keeps in.vcd $call in.vcd
done
use tests/cli/data/wave.vcd in.vcd
keeps in.vcd check --format text --core cv64a6_imafdc_sv39 in.vcd
for call in 'run in' 'idle --script in' 'replay in' 'check in' \
    'check --core cv64a6_imafdc_sv39 --devicetree in'; do
    case $call in
    run*) use examples/scripts/nv34-quad-pm-trigger.pcs in ;;
    idle*) use examples/idle/frames.pcs in ;;
    replay*) use tests/cli/replay/g92.mmt in ;;
    *) use tests/hpm/check/good.txt in ;;
    esac
    # shellcheck disable=SC2086
    keeps in $call
done
use tests/cli/replay/g92.mmt in
keeps in decode -i in
printf 'G92,4,0x00,mem.read\n' >in
for call in 'list signals -a G92' 'compile -a G92 event=s10' 'emit c-header -a G92' 'plan -a G92 -d 1 -e s10'; do
    printf 'G92,4,0x00,mem.read\n' >in
    # shellcheck disable=SC2086
    keeps in $call --signals in
done
use tests/cli/data/wave.vcd in.vcd
for wave in in.vcd "$work/in.vcd" '"in.vcd"' 'in.vcd # of a run'; do
    use tests/cli/data/wave.vcd in.vcd
    printf 'chip G92\n\nwave %s\nbind 1 clock clk\nrun end\n' "$wave" >in.pcs
    keeps in.vcd run --format text "$work/in.pcs"
done
"$program" run in.pcs --log mmiotrace=in.pcs 2>messages && fail 'a log into the script'
grep -q 'PC-E0908' messages || fail "a log into the script: $(cat messages)"
rm -f in in.vcd more.vcd in.pcs

# the suffix chooses the format, of a list of events too
for call in 'list chips' 'decode -a G92 0xa7c4 1' "check $vectors" 'explain E203' \
    'stat --core cv64a6_imafdc_sv39 -e help' "info $soc" 'plan -a G92 -d 1 -e s10'; do
    # shellcheck disable=SC2086 # words
    "$program" $call -o x.json && grep -q '"\$schema"' x.json || fail "$call -o x.json"
    # shellcheck disable=SC2086
    "$program" $call -o x.csv && ! grep -qv "$(printf '\r')\$" x.csv || fail "$call -o x.csv"
    # shellcheck disable=SC2086
    "$program" $call -o X.CSV && cmp -s X.CSV x.csv || fail "$call -o X.CSV"
    # shellcheck disable=SC2086
    "$program" $call -o X.Json && cmp -s X.Json x.json || fail "$call -o X.Json"
done
for suffix in pcs c json; do
    upper=$(echo "$suffix" | tr '[:lower:]' '[:upper:]')
    "$program" compile -q -a G92 event=s10 -o "x.$suffix" && "$program" compile -q -a G92 event=s10 -o "X.$upper" &&
        cmp -s "x.$suffix" "X.$upper" && ! "$program" compile -q -a G92 event=s10 | cmp -s - "x.$suffix" ||
        fail "compile -o X.$upper"
done
"$program" check --format json "$vectors" "$vectors" | tr -d '\n' | grep -q '^\[{.*},{.*}\]$' ||
    fail 'check of two files as JSON'
[ "$("$program" check --format csv "$vectors" "$vectors" | wc -l)" -eq 3 ] ||
    fail 'check of two files as CSV'

# a list in which nothing matches is a table without rows, whatever is listed
for call in chips 'signals -a G92' 'registers -a G92' 'metrics -a G92' 'sources -a G92' \
    'filters -a GF100' 'profiler -a G92' options cores events quirks 'domains -a G92'; do
    # shellcheck disable=SC2086 # words
    "$program" list $call --format json no-such-name 2>/dev/null >x.json
    [ $? -eq 1 ] && grep -q '"\$schema"' x.json && grep -qx '  "data": \[\]' x.json ||
        fail "list $call: no table without rows as JSON: $(cat x.json)"
    # shellcheck disable=SC2086
    "$program" list $call no-such-name -o x.csv 2>/dev/null
    [ $? -eq 1 ] && [ "$(wc -l <x.csv)" -eq 1 ] || fail "list $call: no line of names alone as CSV"
done

# nothing of an error, and nothing in place of what was there
echo old >kept
"$program" check "$soc" -o kept 2>/dev/null
[ $? -eq 2 ] && [ "$(cat kept)" = old ] || fail 'check of a wrong file replaced its output'

# names that are no UTF-8, or control the terminal
{
    # shellcheck disable=SC1003
    printf '$timescale 1 ns $end\n$scope module t\376 $end\n$var wire 1 ! clk $end\n'
    printf '$var wire 1 " a\377 $end\n$var wire 1 # u\302\233z $end\n$var wire 1 %% \303\244hit $end\n'
    printf '$upscope $end\n$enddefinitions $end\n'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
        printf '#%d\n%d!\n%d"\n%d#\n0%%\n' $i $((i % 2)) $((i / 2 % 2)) $((i / 2 % 2))
    done
} >names.vcd
events=$(printf '\\a\377 ,\\u\302\233z ,\303\244hit,x=\\a\377 |clk')
for format in text csv json; do
    "$program" stat --clock clk -e "$events" --format $format names.vcd >"stat.$format" 2>messages ||
        fail "stat of names: $(cat messages)"
    "$program" info --vars --format $format names.vcd >"vars.$format"
    "$program" info --format $format names.vcd >"info.$format"
    "$program" stat --clock clk -e "$(printf 'no\377 \033')" --format $format names.vcd >out 2>messages
    for file in "stat.$format" "vars.$format" "info.$format" messages; do
        iconv -f UTF-8 -t UTF-32 <"$file" >/dev/null 2>&1 || fail "$file is no UTF-8"
    done
done
grep -q '\\xff' stat.text && grep -q '\\xc2\\x9b' stat.text || fail 'bytes in text'
grep -q 'a\\xff' stat.csv || fail 'bytes in CSV'
grep -q 'a\\ufffd' stat.json || fail 'U+FFFD in JSON'

# standard input is for one file
twice() {
    "$program" "$@" <names.vcd >out 2>messages
    [ $? -eq 2 ] && [ ! -s out ] && grep -q 'standard input' messages &&
        ! grep -q 'PC-E0507' messages || fail "$*: $(cat messages)"
}
twice check - -
twice check --core cv64a6_imafdc_sv39 - -
twice check --core cv64a6_imafdc_sv39 --map - -
twice stat --core cv64a6_imafdc_sv39 -e all --map - -
twice stat --clock clk -e clk - -
twice stat --clock clk -e clk -M m --metrics - -
twice stat -a GT215 --clock clk -e clk --bind 1=clk --signals - -
twice idle --clock clk --map - -
twice run --with - -
twice run --signals - -
twice replay --with - -
printf 'chip G92\nwave -\nbind 1 clock clk\nrun end\n' >names.pcs
"$program" run - <names.pcs >out 2>messages
[ $? -eq 2 ] && [ ! -s out ] && grep -q 'standard input' messages &&
    ! grep -q 'PC-E0507' messages || fail "a script and its wave from one pipe: $(cat messages)"
"$program" run -q names.pcs <names.vcd >out 2>messages || fail "a wave from a pipe: $(cat messages)"
rm -f names.pcs
twice plan -a G92 --metrics - --signals - -M m
twice compile -a G92 --signals - --signals - event=s10
twice decode --signals - -i -
twice emit c-header -a G92 --signals - --signals -
twice list signals -a G92 --signals - --signals -

# limits, and time that runs backwards
limited() {
    "$program" "$@" >out 2>messages
    [ $? -eq 4 ] && grep -q 'read-limit' messages || fail "$*: $(cat messages)"
}
for call in 'info names.vcd' 'stat --clock clk names.vcd' 'idle --clock clk --map GR=clk names.vcd' \
    'check --core cv64a6_imafdc_sv39 names.vcd' 'stat --core cv64a6_imafdc_sv39 -e all names.vcd'; do
    # shellcheck disable=SC2086
    limited $call --read-limit vars=3
    # shellcheck disable=SC2086
    limited $call --read-limit vars=1K,name-bytes=3
done
printf 'chip G92\nwave names.vcd\nbind 1 clock clk\nrun end\n' >wave.pcs
limited run wave.pcs --read-limit vars=3
"$program" run -q wave.pcs --read-limit vars=4,depth=1,width=1,names-total=1K,ratio=2 || fail 'limits that suffice'
for wrong in vars vars=0 vars=x vars=-1 vars=1Q vars=1KK =3 size=3 width=99999999999 'vars=3,' ''; do
    "$program" info names.vcd --read-limit "$wrong" >out 2>&1
    [ $? -eq 2 ] || fail "--read-limit $wrong"
done
printf '#5\n1!\n#6\n0!\n' >>names.vcd
"$program" info names.vcd >out 2>messages
[ $? -eq 2 ] && grep -q -- '--time-backwards' messages || fail "time backwards: $(cat messages)"
"$program" info -q --time-backwards names.vcd >out || fail '--time-backwards of info'
"$program" stat -q --time-backwards --clock clk names.vcd >out || fail '--time-backwards of stat'
"$program" run wave.pcs 2>/dev/null && fail 'a script whose time runs backwards'
"$program" run -q --time-backwards wave.pcs || fail '--time-backwards of run'

# an FST that is cut off while it is read: reads of a script fill the pipe before the waveform goes on
if command -v vcd2fst >/dev/null 2>&1; then
    { # more than a block of samples, so that not all is read at once
        printf '$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n$upscope $end\n'
        printf '$enddefinitions $end\n'
        awk 'BEGIN { for (i = 0; i < 300000; i++) print "#" 5 * i "\n" i % 2 "!" }'
    } >cut.vcd
    vcd2fst cut.vcd cut.fst >/dev/null
    {
        printf 'chip G92\nwave cut.fst\nbind 1 clock clk\n'
        awk 'BEGIN { for (i = 0; i < 20000; i++) print "r 00a680" }'
        printf 'run end\n'
    } >cut.pcs
    mkfifo pipe
    "$program" run -q cut.pcs >pipe 2>messages &
    process=$!
    exec 3<pipe
    head -c 1 <&3 >/dev/null # the waveform is open
    : >cut.fst
    cat <&3 >/dev/null
    wait "$process"
    # it is read again up to where it breaks, and is then found to be empty
    [ $? -eq 2 ] && grep -q 'PC-E050[78]' messages || fail "an FST that was cut off: $(cat messages)"
    exec 3<&-
fi

[ $bad -eq 0 ] && echo 'output is as it should be'
exit $((bad != 0))
