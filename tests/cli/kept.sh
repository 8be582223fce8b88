#!/bin/sh
# SPDX-License-Identifier: MIT
# No output replaces an input: all verbs, all inputs of each, by all the names that a file can have,
# and standard input and output.
#   kept.sh PROGRAM
# shellcheck disable=SC2015,SC2086 # A && B || fail; calls are words
set -u
program=$(realpath "${1:?usage: kept.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
tried=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }

# what the calls read
cp "$root/tests/cli/data/wave.vcd" wave
cp "$root/examples/core/hits.vcd" hits
cp "$root/examples/core/hits.yaml" hits.yaml
cp "$root/tests/cli/data/bus.vcd" buses
"$program" bus -q buses --list -o map || fail 'a map of buses'
cp "$root/tests/hpm/check/good.txt" vectors
cp "$root/tests/cli/replay/g92.mmt" trace
cp "$root/examples/idle/frames.pcs" frames
cp "$root/examples/scripts/nv34-quad-pm-trigger.pcs" script
printf 'clock = clk\nevent e = valid\n' >measures
printf 'm = e / cycles\n' >metrics
printf 'G92,4,0x00,mem.read\n' >signals
printf 'chip G92\nw 00a484 00000010\nw 00a4a4 0000aaaa\n' >registers
cp "$root/examples/scripts/g84-record.pcs" recording
cp "$root/tests/cli/record/program.in" packets
"$program" stat -q -c clk -e clk hits --format json -o report || fail 'a report'
"$program" stat -q -c clk -e clk wave --format json -o other-report || fail 'another report'
"$program" emit devicetree --core cv64a6_imafdc_sv39 -o tree || fail 'a device tree'
printf 'chip G92\n\nwave wave\nbind 1 clock clk\nrun end\n' >playing
printf '{"answers": {"quad-exit": "empty"}}\n' >answers
printf '' >core.map
{ # 64 bits, RISC-V: one segment, which is a loop
    printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\363\0\1\0\0\0\170\0\0\200\0\0\0\0\100\0\0\0\0\0\0\0'
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\100\0\70\0\1\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0'
    printf '\0\0\0\200\0\0\0\0\0\0\0\200\0\0\0\0\174\0\0\0\0\0\0\0\174\0\0\0\0\0\0\0\0\20\0\0\0\0\0\0'
    printf '\157\0\0\0'
} >loop.elf

# refused CALL...: with the input as it was
refused() {
    tried=$((tried + 1))
    [ $code -eq 2 ] && grep -q 'PC-E0908' messages || fail "$*: exit code $code, $(cat messages)"
    [ ! -s stdout ] || fail "$*: standard output has something"
    cmp -s in before || fail "$*: the input is another one"
    cp before in
}

# named CALL FILE: with the file where @ stands, by a path where ./@ does
named() {
    case $2 in
    */* | -) path=$2 ;;
    *) path=./$2 ;;
    esac
    echo " $1 " | sed "s| \./@ | $path |; s| @ | $2 |"
}

# kept FILE CALL...: the call reads the file where @ stands, and is not to write to it
kept() {
    file=$1
    shift
    call=$*
    verbs="$verbs ${call%% *}"
    cp "$file" in
    cp in before
    ln -sf in link
    ln -f in hard
    named=$(named "$call" in)
    out=${output:--o}
    for name in in ./in "$work/in" link hard /proc/self/fd/9; do
        "$program" $named $out "$name" >stdout 2>messages 9<>in
        code=$?
        refused "$named $out $name"
    done
    # the name that is read is another one
    for input in link hard /dev/stdin /proc/self/fd/0 -; do
        [ "$input" = - ] && [ "${dash:-yes}" = no ] && continue
        other=$(named "$call" $input)
        # shellcheck disable=SC2094 # the same file is what it is about
        "$program" $other $out in <in >stdout 2>messages
        code=$?
        refused "$other $out in < in"
    done
    rm -f link hard
    if [ "$out" = -o ]; then
        "$program" $named >>in 2>messages
        code=$?
        : >stdout
        refused "$named >> in"
        [ "${dash:-yes}" = no ] || {
            # shellcheck disable=SC2046,SC2094 # words on purpose; the same file is what it is about
            "$program" $(named "$call" -) <in >>in 2>messages
            code=$?
            refused "$call < in >> in"
        }
    fi
    "$program" $named $out result >stdout 2>messages
    grep -q 'PC-E0908' messages && fail "$named $out result: $(cat messages)"
    rm -rf in before result result.*
}
verbs=
core=cv64a6_imafdc_sv39

kept wave info --format text @
kept wave stat -q -c clk -e valid --format text @
kept wave stat -q -c clk -e valid --format csv -I 4 @
kept wave stat -q -c clk -e valid --format vcd -I 4ns @
kept wave stat -q -j 2 -c clk -e valid --format csv wave @
dash=no kept hits stat -q -e re --format csv @
kept measures stat -q --format csv -f @ wave
kept metrics stat -q -c clk -e e=valid --format csv --metrics @ wave
kept signals stat -q -a G92 -c clk -e valid --bind 1=valid --format csv --signals @ wave
kept hits stat -q --core hits.yaml -e all --format csv @
kept hits.yaml stat -q --core ./@ -e all --format csv hits
kept core.map stat -q --core hits.yaml -e all --format csv --map @ hits
kept buses bus -q --format csv @
kept buses bus -q --list @
kept map bus -q --format csv buses --map @
kept wave record -q -c clk --stop valid -e valid --format csv @
output=--dump kept wave record -q -c clk --stop valid -e valid --format csv @
kept packets record -q --decode --packet-format long --format csv @
kept recording record -q --decode --packet-format long --program @ --format csv packets
kept buses activity -q --format csv @
kept buses activity -q --format saif @
kept report diff -q --format csv @ other-report
kept report diff -q --format csv other-report @
dash=no kept measures diff -q --format csv -f @ wave wave
kept wave diff -q --format csv -f measures wave @
kept report merge -q --format csv other-report @
kept signals list signals -a G92 --format csv --signals @
kept metrics list metrics -a G92 --format csv --metrics @
kept registers decode --format csv -i @
kept trace decode --format csv -i @
kept signals compile -a G92 event=s10 --format json --signals @
kept signals plan -a G92 -d 1 -e s10 --format csv --signals @
kept metrics plan -a G92 -d 1 -e e=s10 --format csv --metrics @
kept script run -q --format text @
kept signals run -q --format text --signals @ script
kept script run -q --format text --with @ script
kept answers run -q --format text --answers @ script
kept trace replay -q --format text @
kept frames idle -q --format text --script @
kept wave idle -q --format text --clock clk --map GR=valid @
kept vectors check -q --format text @
kept vectors check -q -j 2 --format csv vectors @
kept hits check -q --format text --core hits.yaml @
kept hits.yaml check -q --format text --core ./@ hits
kept core.map check -q --format text --core hits.yaml --map @ hits
kept wave check -q --format text --core $core @
kept tree check -q --format text --core $core --devicetree @
kept loop.elf exec -q --limit 100 --format text --core $core @
output=--console kept loop.elf exec -q --limit 100 --format text --core $core @
kept hits emit core --scope tb.dut --wave @
kept hits emit core --core $core --wave @
kept hits.yaml emit dpi-bind --core ./@
kept hits.yaml emit c-header --core ./@
kept signals emit c-header -a G92 --signals @

# a waveform that a script names
for wave in in "$work/in" '"in"' 'in # of a run'; do
    cp wave in
    cp in before
    printf 'chip G92\n\nwave %s\nbind 1 clock clk\nrun end\n' "$wave" >playing
    "$program" run --format text playing -o in >stdout 2>messages
    code=$?
    refused "run, which plays $wave -o in"
done
# outputs that are none of -o
printf 'chip G92\n\nwave wave\nbind 1 clock clk\nrun end\n' >playing
for file in playing wave; do
    cp $file before
    cp $file in
    ln -f $file hard
    "$program" run playing --log mmiotrace=hard >stdout 2>messages
    code=$?
    : >stdout
    refused "run --log into $file"
    cmp -s $file before || fail "a log into $file"
    "$program" run playing --dump 0x1000:16=hard >stdout 2>messages
    code=$?
    : >stdout
    refused "run --dump into $file"
    cmp -s $file before || fail "a dump into $file"
done
rm -f hard in before

# each verb has a row, or reads nothing
for verb in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    case " $verbs encode explain schema version card settle " in
    *" $verb "*) ;;
    *) fail "$verb: what it reads has no row here" ;;
    esac
done

[ $bad -eq 0 ] && echo "$tried passed, 0 failed"
exit $((bad != 0))
