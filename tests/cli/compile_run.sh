#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter run` runs the output of `pcounter compile`: the counts are those of the expression.
#   compile_run.sh PROGRAM
set -eu
program=$(realpath "${1:?usage: compile_run.sh PROGRAM}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NAME CHIP EXPECTED 'PLAY LINES' ARGUMENT...: CTR_EVENT after 12 cycles is EXPECTED
check() {
    name=$1 chip=$2 expected=$3 lines=$4
    shift 4
    {
        "$program" compile -a "$chip" --format script "$@"
        echo 'latency 0 0'
        printf '%s\n' "$lines"
        echo 'run 12 0'
        echo 'pulse pm_trigger'
        echo 'run 1 0'
        echo "r 00a680 $expected # CTR_EVENT[0]"
    } > "$work/script"
    "$program" run "$work/script" > "$work/out" || {
        echo "$name: CTR_EVENT is not $expected:"
        cat "$work/out"
        exit 1
    }
    echo "$name: CTR_EVENT is $expected"
}

# rises of s10 at cycles 2, 6, 9; s11 is 1 in 6
check rise G92 2 'play 0 10 001100100110
play 0 11 000000100000' 'event=rise(s10) & !s11'

# five signals, SETFLAG in between: s10 and an odd number of the four; cycles 2 (1), 3 (2), 6 (3), 9 (4), 10 (0)
check chain NV40 2 'play 0 10 001100100110
play 0 11 001100100100
play 0 12 000100100100
play 0 13 000000100100
play 0 14 000000000100' 'event=s10 & (s11 ^ s12 ^ s13 ^ s14)'

# the number s13 s12 s11 s10 where s14 is 1: 3, 8, 15
check sum G92 1a 'play 0 10 001100000100
play 0 11 001100000100
play 0 12 000000000100
play 0 13 000000100100
play 0 14 000100100100' 'event=sum(s[19:16]) iff s14'

# GF100+: PRE_OP starts nothing, and a process that runs is not stopped by new sources; twice the
# same program, so that the second one finds the first one's process
"$program" compile -a GF108 -d gpc0.0 -m single --format script event=s10 stop=s11 > "$work/program"
{
    cat "$work/program"
    echo 'run 5 gpc0.0'
    grep -v '^chip' "$work/program"
    echo 'latency 0 0'
    echo 'play gpc0.0 10 0111010'
    echo 'play gpc0.0 11 0000010'
    echo 'run 9 gpc0.0'
    echo 'r 180080 3 # CTR_EVENT'
    echo 'r 180070 4 # CTR_CYCLES: the last write has a cycle, PRE and START have two'
} > "$work/script"
"$program" run "$work/script" > "$work/out" || {
    echo 'single mode of GF108:'
    cat "$work/out"
    exit 1
}
echo 'single mode of GF108: CTR_EVENT is 3'

# GF100+ in quad mode, from a reset on: what the program says makes counts readable, whatever signal
# 0 is, to which SWAP_SRC is reset; with --swap keep neither a trigger nor a write does.
# quad NAME SIGNAL0 'HOW IT SWAPS' EVENT CYCLES ARGUMENT...: cycles 1 to 10 of a period
quad() {
    name=$1 signal0=$2 swap=$3 event=$4 cycles=$5
    shift 5
    "$program" compile -a GF108 -d gpc0.0 event=s10 --format script "$@" > "$work/program"
    case $swap in
    told) swap=$(sed -n 's/^# each swap: //p' "$work/program") ;;
    esac
    [ -n "$swap" ]
    {
        cat "$work/program"
        echo "set gpc0.0 00 $signal0"
        echo 'latency 0 0'
        echo 'play gpc0.0 10 0111010110'
        echo "$swap"
        echo 'run 10 gpc0.0'
        echo "$swap"
        echo 'run 1 gpc0.0'
        echo "r 180080 $event # CTR_EVENT"
        echo "r 180070 $cycles # CTR_CYCLES"
    } > "$work/script"
    "$program" run "$work/script" > "$work/out" || {
        echo "$name, signal 0 is $signal0:"
        cat "$work/out"
        exit 1
    }
    echo "$name, signal 0 is $signal0: CTR_EVENT is $event"
}
for signal0 in 0 1; do
    quad 'quad mode of GF108' "$signal0" told 6 a
    quad 'by USER_2' "$signal0" told 6 a --swap user_2
    quad 'by PM_TRIGGER' "$signal0" 'pulse pm_trigger' 6 a --swap pm_trigger
done
quad 'by nothing' 0 'w 1800ec ff' 0 0 --swap keep
quad 'by nothing' 0 'pulse pm_trigger' 0 0 --swap keep
quad 'by signal 0' 1 'w 1800ec ff' 0 1 --swap keep

# The message that refuses record mode on GF100+ suggests: the inputs of quad mode, MODE=RECORD_E, and
# the ring of MAIN has a packet of them at each STOP: EVENT is its third word, STOP its sixth.
{
    "$program" compile -a GK20A -d gpc0.0 event=s10 stop=s11 --format script
    echo 'latency 0 0'
    echo 'w 1b4074 1000 # RECORD_START'
    echo 'w 1b407c 1000 # RECORD_LIMIT'
    echo 'w 1b4070 80000001 # RECORD_CHAN'
    echo 'w 18009c 5 # CTRL'
    echo 'play gpc0.0 10 01101110000'
    echo 'play gpc0.0 11 00000010010'
    echo 'run 11 gpc0.0'
    echo 'r 1b4084 40 # RECORD_COUNT'
} > "$work/script"
"$program" run --dump "1000:64=$work/packets" "$work/script" > "$work/out" || {
    cat "$work/out"
    exit 1
}
words=$(od --endian=little -An -v -tx4 "$work/packets" | tr -s ' \n' ' ' | cut -d ' ' -f 4,7,12,15)
[ "$words" = '00000005 00000001 00000000 00000001' ] || {
    echo "stream-out of GK20A: EVENT and STOP are $words"
    exit 1
}
echo 'stream-out of GK20A: EVENT is 5, STOP is 1'
