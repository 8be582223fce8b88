#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests failures around the program: inputs that are invalid, that are slow, or change while they are
# read; names that a terminal obeys or a shell would; outputs that are full, closed or not wanted any
# more; too little memory.  Always the exit code of the man page, a message, and no half of an output.
#   failure.sh PROGRAM
# shellcheck disable=SC2015,SC2086,SC3045 # A && B || fail; words of a call; ulimit of dash and bash
set -u
program=$(realpath "${1:?usage: failure.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
soc=$root/examples/soc/soc.vcd.gz
vectors=$root/tests/hpm/check/good.txt
script=$root/examples/scripts/nv34-quad-pm-trigger.pcs
core='--core cv64a6_imafdc_sv39'

# --- inputs of every kind, for all that reads a file: @ is its name ---
cat >readers <<END
info @
stat --clock soc_tb.clk -e hit @
stat -j2 --clock soc_tb.clk -e hit @
stat $core -e all @
record --clock soc_tb.clk --stop hit -e miss @
record --decode @
record --decode --program @ $soc
check @
check $core @
check $core --map @ $soc
check $core --devicetree @
run @
run --with @ $script
replay @
decode -a NV34 -i @
idle --clock soc_tb.clk --map GR=hit @
idle --clock soc_tb.clk --map @ $soc
idle --script @
exec $core @
diff @ $root/tests/cli/diff/before.json
diff $root/tests/cli/diff/before.json @
list signals -a G92 --signals @
list metrics -a G92 --metrics @
plan -a G92 --metrics @ -M x
stat --clock soc_tb.clk -e hit --metrics @ -M x $soc
END

# each FILE CODES: one of these exit codes, and what belongs to it
each() {
    file=$1
    codes=$2
    while IFS= read -r call; do
        set --
        for word in $call; do
            [ "$word" = @ ] && word=$file
            set -- "$@" "$word"
        done
        rm -f out
        timeout 600 "$program" "$@" -o out >stdout 2>messages </dev/null
        code=$?
        case " $codes " in *" $code "*) ;; *) fail "$call, $file: exit code $code: $(cat messages)" ;; esac
        if [ $code -gt 1 ]; then
            [ ! -e out ] || fail "$call, $file: an output in spite of an error"
            grep -q '^pcounter: error\[PC-E' messages || fail "$call, $file: no message"
        else
            [ -e out ] || fail "$call, $file: no output"
        fi
        [ ! -s stdout ] || fail "$call, $file: something on standard output"
        ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" messages || fail "$call, $file: controls the terminal"
        rm -f out
        [ -z "$(find . -name 'out*')" ] || fail "$call, $file: left behind: $(ls)"
    done <readers
}
mkdir folder
: >empty
printf x >one
printf '\n' >line
head -c 65536 /dev/zero | tr '\0' '\377' >high
each none 2
each folder 2
each one/under 2
each empty '0 1 2'
each one 2
each line '0 1 2'
each high '2 4'
each /dev/null '0 1 2'
each /dev/zero '2 4'
# shellcheck disable=SC2016
for name in "$(printf 'new\nline\033[31m')" '-o' '--help' '; touch made' '$(touch made)' '`touch made`' '|touch made'; do
    : >"./$name"
    case $name in -*) each "./$name" '0 1 2' ;; *) each "$name" '0 1 2' ;; esac
    [ ! -e made ] || fail "a name was a command: $name"
    rm -f "./$name"
done
if [ "$(id -u)" -ne 0 ]; then
    : >secret
    chmod 0 secret
    each secret 2
else
    echo 'SKIP: a file that may not be read; root may read all'
fi

# a name behind -- is one, whatever it begins with
cp "$root/tests/cli/data/wave.vcd" ./-wave.vcd
"$program" info -- -wave.vcd >out 2>messages || fail "a name that begins with -: $(cat messages)"
"$program" stat -q --clock clk -- -wave.vcd -wave.vcd >out 2>messages || fail "two of them: $(cat messages)"
rm -f ./-wave.vcd out

# --- input that trickles: a byte at a time is the same as all at once ---
cp "$root/tests/cli/data/wave.vcd" small.vcd
head -c 3000 "$soc" >cut.gz
trickle() {
    file=$1
    shift
    "$program" "$@" "$file" >printed 2>want.err
    code=$?
    sed "1s|of $file\([: ]\)|of -\1|; s|^warning: \(PC-W[0-9]*\): $file:|warning: \1: -:|" printed >want
    dd if="$file" bs=1 2>/dev/null | "$program" "$@" - >got 2>got.err
    [ $? -eq $code ] && cmp -s want got || fail "$*: not the same from a slow pipe: $(cat got.err)"
}
trickle small.vcd stat -q --clock clk -e valid
trickle cut.gz stat -q --clock soc_tb.clk
trickle "$script" run -q
trickle "$root/tests/cli/replay/g92.mmt" replay -q --annotate
"$program" info --format csv small.vcd 2>/dev/null | sed 's/small.vcd//' >want
dd if=small.vcd bs=1 2>/dev/null | "$program" info --format csv - 2>/dev/null | sed 's/-//' >got
[ "$(wc -l <want)" = "$(wc -l <got)" ] || fail 'info of a slow pipe'

# a file that grows while it is read is read to some end, or refused: never a crash, never a hang
{
    # shellcheck disable=SC2016
    printf '$timescale 1ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n'
    awk 'BEGIN { for (i = 0; i < 400000; i++) print "#" i "\n" i % 2 "!" }'
} >grows.vcd
(for _ in 1 2 3 4 5 6 7 8; do printf '#900000\n1!\n' >>grows.vcd; done) &
timeout 600 "$program" stat -q -j2 --clock clk --time-backwards grows.vcd >out 2>messages ||
    fail "a file that grows: $(cat messages)"
wait
cp grows.vcd shrinks.vcd
(sleep 0.01; head -c 100000 grows.vcd >shrinks.vcd) &
timeout 600 "$program" stat -q -j2 --clock clk --time-backwards shrinks.vcd >out 2>messages
code=$?
[ $code -eq 0 ] || { [ $code -eq 2 ] && grep -q 'error\[PC-E' messages; } ||
    fail "a file that shrinks: $code $(cat messages)"
wait
rm -f out grows.vcd shrinks.vcd

# --- outputs that are full, closed, or not wanted any more ---
cat >writers <<END
stat -q --clock soc_tb.clk -e hit $soc
stat -q --clock soc_tb.clk -e hit $soc $soc
stat $core -e help
record -q --clock soc_tb.clk --stop hit -e miss $soc
record -q --clock soc_tb.clk --stop hit -e miss --format json $soc
record -q --decode --packet-format short $root/tests/cli/record/short.in
run -q $script
info -q $soc
list registers -a G92
decode -a G92 0xa7c4 1
decode -a NV34 -i $script
encode -a G92 CTRL[1] MODE=RECORD
diff $root/tests/cli/diff/before.json $root/tests/cli/diff/before.json
compile -a G92 event=s10
plan -a G92 -d 1 -e s10
check $vectors
idle -q --clock soc_tb.clk --map GR=!hit $soc
replay -q $root/tests/cli/replay/idle.mmt --annotate
emit c-header -a G92
explain
schema pcounter-stat-2
help
stat --help
--version
END
# files of one call: all of them, or none
for call in 'run --log mmiotrace=/dev/full' 'run --dump 0:16=/dev/full' 'run --log mmiotrace=log-of-it --dump 0:16=/dev/full' \
    'record -c t.clk --stop t.s --dump /dev/full' 'record -c t.clk --stop t.s --dump /nowhere/x'; do
    case $call in run*) file=$root/tests/cli/run/json.pcs ;; *) file=$root/tests/cli/data/record.vcd ;; esac
    # shellcheck disable=SC2086
    "$program" $call -o rows-of-it "$file" 2>messages
    [ $? -eq 2 ] && grep -q PC-E0901 messages && [ ! -e rows-of-it ] && [ ! -e log-of-it ] ||
        fail "$call -o rows-of-it: $(cat messages)"
    rm -f rows-of-it log-of-it
done
for call in '-o /dev/full' '--log mmiotrace=/dev/full' '--dump 0:16=/dev/full'; do
    "$program" run -q $call $script >/dev/null 2>messages
    [ $? -eq 2 ] && grep -q 'PC-E0901.*cannot write /dev/full: No space left' messages ||
        fail "run $call: $(cat messages)"
done
# what a message made it write before the end fails with the same words, whatever is done behind it
for call in '' '--log mmiotrace=log' '--dump 0:16=dump'; do
    "$program" run $call "$root/tests/cli/run/json.pcs" >/dev/full 2>messages
    [ $? -eq 2 ] && grep -q 'PC-E0901.*cannot write the output: No space left' messages ||
        fail "run $call >/dev/full: $(cat messages)"
    "$program" run $call -o /dev/full "$root/tests/cli/run/memory.pcs" 2>messages
    [ $? -eq 2 ] && grep -q 'PC-E0901.*cannot write /dev/full: No space left' messages ||
        fail "run $call -o /dev/full: $(cat messages)"
    rm -f log dump
done
# nobody reads the rows: what would take minutes behind them is not begun
{
    echo 'chip G92'
    awk 'BEGIN { for (i = 0; i < 20000; i++) print "r a7c0" }'
    echo 'repeat 4294967296 r a7c0'
    echo 'repeat 4294967296 r a7c0'
} >rows.pcs
for format in text csv json; do
    { timeout -s KILL 20 "$program" run --format $format rows.pcs 2>messages; echo $? >code; } | head -c 1 >first
    [ "$(cat code)" = 2 ] && [ ! -s messages ] || fail "run --format $format | head: $(cat code messages)"
done
rm -f rows.pcs
while IFS= read -r call; do
    "$program" $call >/dev/full 2>messages
    [ $? -eq 2 ] && grep -q 'PC-E0901.*No space left' messages || fail "$call >/dev/full: $(cat messages)"
    "$program" $call >&- 2>messages
    [ $? -eq 2 ] && grep -q 'PC-E0901' messages || fail "$call >&-: $(cat messages)"
    # who wanted one byte is gone when the rest comes: no message; 0 if all of it went into the pipe
    { "$program" $call 2>messages; echo $? >code; } | head -c 1 >first
    case $(cat code) in 0 | 2) ;; *) fail "$call | head: exit code $(cat code)" ;; esac
    [ -s first ] && [ ! -s messages ] || fail "$call | head: $(cat messages)"
    case $call in
    help | *--help | --version) continue ;;
    esac
    printf 'old\n' >kept
    (
        ulimit -f 0
        trap '' XFSZ
        "$program" $call -o kept >stdout 2>messages
        echo $? >code # a new file of no bytes, and the code does not fit either
    ) 2>/dev/null
    [ "$(cat kept)" = old ] || fail "$call: a file that could not be written is another one"
    rm -f kept
    [ -z "$(find . -name 'kept*')" ] || fail "$call: left behind: $(ls)"
done <writers

# the message of a disk that is full says so; of one that was full for a moment, that a write failed
if command -v strace >/dev/null 2>&1 && strace -o /dev/null true 2>/dev/null; then
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # it traces, too, and there is one tracer
    export ASAN_OPTIONS
    while IFS= read -r call; do
        case $call in
        help | *--help | --version) continue ;;
        esac
        printf 'old\n' >kept
        strace -f -o /dev/null -e inject=write:error=ENOSPC:when=1 "$program" $call -o kept >stdout 2>messages
        [ $? -eq 2 ] && grep -q 'PC-E0901.*\(No space left\|Input/output\)' messages || fail "$call, a full disk: $(cat messages)"
        [ "$(cat kept)" = old ] || fail "$call, a full disk: the file is another one"
        strace -f -o /dev/null -e inject=rename:error=EACCES "$program" $call -o kept >stdout 2>messages
        [ $? -eq 2 ] && grep -q 'PC-E0901.*Permission denied' messages || fail "$call, no rename: $(cat messages)"
        rm -f kept
        [ -z "$(find . -name 'kept*')" ] || fail "$call: left behind: $(ls)"
    done <writers
    # of a file that cannot be opened for want of memory that is the reason, not the file
    cp "$root/tests/cli/diff/before.json" report
    for file in report /dev/null; do
        strace -o /dev/null -P $file -e inject=openat:error=ENOMEM "$program" diff report report -o /dev/null >stdout 2>messages
        [ $? -eq 4 ] && grep -q 'PC-E0100' messages || fail "no memory to open $file: $(cat messages)"
    done
else
    echo 'SKIP: calls of the system that fail; strace is not installed, or may not trace'
fi

# --- little memory: done, or 4 and no output; sanitizers need terabytes of addresses ---
if (ulimit -v 2000000 && "$program" --version) >/dev/null 2>&1; then
    for kilobytes in 12000 16000 20000 30000 60000; do
        while IFS= read -r call; do
            case $call in
            help | *--help | --version) continue ;;
            esac
            rm -f out
            (ulimit -v $kilobytes && "$program" $call -o out) >stdout 2>messages
            code=$?
            case $code in
            0) [ -s out ] || fail "$call in $kilobytes KB: no output" ;;
            4) [ ! -e out ] && grep -q 'error\[PC-E' messages || fail "$call in $kilobytes KB: $(cat messages)" ;;
            127) ;; # the program itself does not fit
            *) fail "$call in $kilobytes KB: exit code $code: $(cat messages)" ;;
            esac
            rm -f out
            [ -z "$(find . -name 'out*')" ] || fail "$call in $kilobytes KB: left behind: $(ls)"
        done <writers
    done
else
    echo 'SKIP: little memory; this program needs more addresses than the test has'
fi

# --- languages: none of what is printed depends on them ---
"$program" stat -q --clock soc_tb.clk -e hit --format json "$soc" >want
for name in C de_DE.UTF-8 tr_TR.UTF-8 no-such; do
    LC_ALL=$name LANG=$name "$program" stat -q --clock soc_tb.clk -e hit --format json "$soc" >got
    cmp -s want got || fail "LC_ALL=$name changes what is printed"
done

[ $bad -eq 0 ] && echo 'failures are as they should be'
exit $((bad != 0))
