#!/bin/sh
# SPDX-License-Identifier: MIT
# Every JSON that the program prints is valid against its schema (`pcounter schema`), and the schemas
# notice what is not: validate.py.  The outputs are those of the calls of all transcripts, made for JSON, and of
# calls for what they lack.
#   schema.sh PROGRAM CORE_WAVE TRANSCRIPT
set -eu
program=$(realpath "$1")
core_wave=$(realpath "$2")
transcript=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")
python=/usr/bin/python3 # with Debian's packages; another one of PATH has its own
"$python" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || {
    echo '*** SKIP schemas: python3-jsonschema is not installed, no output was validated ***' >&2
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/schemas" "$work/out"
number=1000
bad=0
core=cv64a6_imafdc_sv39

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# call FORMAT ARGUMENTS: keeps what the program prints, in this folder, and how it was called
call() {
    format=$1
    shift
    number=$((number + 1))
    echo "pcounter $*" >"$work/out/$number.$format.call"
    code=0
    "$program" "$@" >"$work/out/$number.$format" 2>"$work/err" <"${input:-/dev/null}" || code=$?
    [ -s "$work/out/$number.$format" ] || {
        cat "$work/err" >&2
        echo "FAILED: pcounter $*: exit code $code, and no output" >&2
        bad=1
    }
}
json() { call json "$@" --format json; }
# the same as JSON and as lines, under one number: validate.py compares them
both() {
    json "$@"
    number=$((number - 1))
    call jsonl "$@" --format jsonl
}

# --- schemas ---
"$program" schema >"$work/list"
while read -r name printed_by; do
    "$program" schema "$name" >"$work/schemas/$name.json"
    case $printed_by in
    'pcounter '*) ;;
    *) fail "$name is printed by \"$printed_by\"" ;;
    esac
done <"$work/list"
# what the sources name as "$schema"
grep -rohE '(schema\\": *\\|(schema|lines) = )"pcounter-[a-z-]*-[0-9%sd]+' "$root/cli" | sed 's/.*"//' | sort -u >"$work/named"
[ "$(grep -c . "$work/named")" -gt 15 ] || fail 'the sources name fewer schemas than they have'
while read -r name; do
    case $name in *%s*) continue ;; esac
    [ -e "$work/schemas/$name.json" ] || fail "$name, which the sources name, is no schema"
done <"$work/named"

# --- transcripts ---
# Their calls as JSON and as lines (those of a tenth of the files without PC_TEST_LONG): what these print, if
# they do, is valid, also where an error ended them
every=10 least=25
[ -z "${PC_TEST_LONG:-}" ] || every=1 least=250
find "$root"/tests/cli/*/*.md | sort | awk -v every=$every 'NR % every == 0' >"$work/transcripts"
PC_SCHEMA_OUT=$work/out PC_SCHEMA_PROGRAM=$program xargs "$transcript" "$here/as_json.sh" <"$work/transcripts" >/dev/null || true
[ "$(find "$work/out" -name '*.json' | grep -c .)" -gt $least ] || fail 'few of the transcripts print JSON'

# --- registers and tables ---
cd "$root/tests/cli"
for topic in chips options sources filters metrics profiler cores events quirks; do
    json list $topic
done
for topic in registers domains signals; do
    json list $topic -a G92
done
json list filters -a G92
json list chips no-such
json list events --core cv32a60x
json explain
json explain N0301
json decode -a GK104 part0.0.CTRL 0x1
json decode -a G92 0xa7c4 0x01a02921
printf '00a7c4 00000001\n00a684 00000000\n00a484 00000010\n00a4a4 0000aaaa\n' >"$work/dump"
json decode -i "$work/dump" -a G92
json decode -i "$root/examples/scripts/g84-record.pcs"
json decode -i "$root/examples/scripts/nv40-threshold.pcs"
json encode -a GT215 'USER_TRIGGER[2]' USER_0=1
json compile -a NV10 event=s10
json compile -a G92 -m single event=s10 start=s11 --threshold 5
json compile -a GF100 -d part0.0 event=s10
json plan -a G92 -M shader_busy,rop_busy,texture_busy
json plan -a G92 -d 1 -e s10 -M 'share = s10 / cycles %' -M 'always = 3 count'
json plan -a NV40 -d 1 -e 's10,s11,s12,s13,s14'

# --- waveforms ---
cd "$root/tests/cli/data"
for file in ./*.vcd ./*.csv "$root"/examples/soc/soc.*; do
    case $file in *.v | *.sh | *.md | *.txt) continue ;; esac
    json info "$file"
    json info "$file" --vars
done
json info tiny.vcd --vars no-such
both stat --clock clk tiny.vcd -e valid -I 2
both stat --clock clk tiny.vcd -e 'valid, prev(ready)' -M 'r = valid / seconds /s' -M 'z = valid / (cycles - cycles)' -I 3ns
both stat --clock clk tiny.vcd -e 'count == 8' --x zero
both stat --clock 'negedge clk' -e valid --sample post-edge tiny.vcd tiny.vcd
# shellcheck disable=SC2016 # an expression
both stat --clock clk --value 'c=count' --value 's=$signed(count[3:0])' --latency 'l=valid -> ready' --latency 'by = valid -> ready by count[1:0], count[2:1]' tiny.vcd
awk 'BEGIN { print "$timescale 1ns $end $var wire 1 ! c $end $var wire 16 v v $end $enddefinitions $end"
    for (t = 0; t < 1002; t++) { printf "#%d %d!", t, t % 2; if (t % 2) { printf " b"; for (b = 9; b >= 0; b--) printf "%d", int(t / 2 ^ b) % 2; printf " v" }; print "" } }' >"$work/many.vcd"
both stat --clock c --value v "$work/many.vcd"
both stat --clock c --value v -I 450 "$work/many.vcd"
both stat --clock c --level 'n=+v' --percentile 99.9 "$work/many.vcd"
both stat --clock c --level 'n=+v' -I 450 "$work/many.vcd"
both stat --clock clk --value count --latency 'valid -> ready by count[1:0], count[2:1]' --percentile 99.9 --percentile 50 tiny.vcd
both stat --clock clk --value count --latency 'valid -> ready' --percentile 99.9 -I 5 tiny.vcd
# merge prints reports of the verbs
"$program" stat -q --clock clk --x zero -e a=valid -M 'r = a / seconds /s' --value count --latency 'by = valid -> ready by count[1:0], count[2:1]' \
    --expect 'a < 99' tiny.vcd -o "$work/merge.json" && mv "$work/merge.json" "$work/merge"
both merge --again "$work/merge" "$work/merge"
"$program" stat -q --clock c --value v "$work/many.vcd" --format json >"$work/merge"
both merge --again "$work/merge" "$work/merge"
"$program" activity -q tiny.vcd --format json >"$work/merge"
both merge --again "$work/merge" "$work/merge"
"$program" bus -q bus.vcd --format json >"$work/merge"
json merge --again "$work/merge" "$work/merge"
"$program" bus -q bus.vcd --from 2 --format json >"$work/merge"
json merge "$work/merge"
"$program" stat -q -c f=clk -c s=clk_b -e 'a, @s b' two-clocks.vcd --format json >"$work/merge"
both merge --again "$work/merge" "$work/merge"
# 450 starts, then an end every other cycle: that many different latencies, and starts under way
awk 'BEGIN { print "$timescale 1ns $end $var wire 1 ! c $end $var wire 1 s s $end $var wire 1 e e $end $enddefinitions $end"
    for (t = 0; t < 2710; t++) printf "#%d %d! %ds %de\n", t, t % 2, (t < 900), (t >= 900 && int(t / 2) % 2) }' >"$work/waits.vcd"
both stat --clock c --latency 's -> e by s, e' --latency 's -> e' "$work/waits.vcd"
both stat --clock c --latency 's -> e' -I 1300 "$work/waits.vcd"
both stat -c a=clk -c b=clk_b -e 'a, @b b' --value '@b n=b' --latency 'l=a -> slow' two-clocks.vcd
both stat --clock clk --states c=count --level 'q = 3 +valid -ready /3' --level 'n=+count[1:0]' --expect 'c.0.share > 1 %' tiny.vcd
both stat --clock clk --states s=state --level 'l=+busy' -I 5 states.ghw
both stat --clock sample -e 'selected=!cs_n' -I 5us "$root/examples/capture/spi.csv"
both stat -a NV40 --clock clk -e 'a=valid,b=ready,c=irq,d=!valid,e=!ready,f=!irq' --multiplex=1000 tiny.vcd
both stat -a NV30 --clock clk -e 'a=valid,b=ready,c=irq,d=!valid,e=!ready,f=!irq' -M 'p = a / b' --multiplex=4 --explain tiny.vcd
both stat -a G92 --bind 1=tb.signals --clock tb.clk -e 'busy=!pgraph.idle' domain.vcd
cd "$root/examples/idle"
both idle --script --exact --window 21600000c --governor gk20a frames.pcs
both idle --script frames.pcs
cd "$root/tests/cli/idle"
both idle --clock top.clk --map engines.map --window 10ns --governor gk20a gpu.vcd
both idle --clock top.clk --map engines.map --counter 1:mask=GR,mode=all gpu.vcd

# behind its first block the file is broken: what was told is whole, and partial
awk 'BEGIN { print "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end\n$enddefinitions $end"
    for (t = 1; t <= 600000; t++) printf "#%d\n%d!\n%d#\n", t, t % 2, int(t / 2) % 2
    print "nonsense?" }' >"$work/broken.vcd"
for engine in run step; do
    both stat -a GT215 --clock clk -e 'a, b=!a' -M 'r = a / cycles' -I 50000 --engine $engine "$work/broken.vcd"
    for format in json jsonl; do
        tr -d '\n' <"$work/out/$number.$format" | grep -q '"partial": true, *"cycles": 250000' ||
            fail "of a broken file: $(tail -c 1000 "$work/out/$number.$format")"
    done
done

both stat --clock clk -e valid --keep-going -I 50000 tiny.vcd "$work/broken.vcd" no-such.vcd tiny.vcd
both stat --clock clk -e a --keep-going -I 50000 "$root/tests/cli/data/tiny.vcd" "$work/broken.vcd"

# --- scripts: to the end; with no read; an expectation that fails ---
cd "$root/examples"
for script in scripts/*.pcs sequences/*.pcs; do
    case $script in *-wave.pcs) continue ;; esac
    both run "$script"
done
printf 'chip G92\nw 00a7c4 1\n' >"$work/none.pcs"
both run "$work/none.pcs"
printf 'chip G92\nr 00a7c4 00000007\nr 123450\n' >"$work/differs.pcs"
both run "$work/differs.pcs"

# --- a real card, which `pcounter card` makes ---
# on_card SCRIPT: as JSON and as lines
on_card() {
    for format in json jsonl; do
        [ $format = json ] && number=$((number + 1))
        echo "pcounter run --card 01:00.0 --beside $1 --format $format" >"$work/out/$number.$format.call"
        # shellcheck disable=SC2016 # the words of the inner shell
        "$program" card -a G92 -o "$work/report" -- sh -c '"$1" run --card 01:00.0 --beside --clock 27000000 "$2" --format "$3" >"$4"' sh \
            "$program" "$1" $format "$work/out/$number.$format" 2>"$work/err" || true
        [ -s "$work/out/$number.$format" ] || fail "run --card $1: $(cat "$work/err")"
    done
}
printf 'chip G92\nw a7c0 1\nrun 1000\nr a7c0 03000001\n' >"$work/card.pcs"
"$program" card -a G92 -- true 2>"$work/err" || {
    grep -q 'a file system of its own' "$work/err" || fail "card: $(cat "$work/err")"
    echo '*** SKIP schema of run --card: no file system of its own here ***' >&2
}
[ -s "$work/err" ] || on_card "$work/card.pcs"

# --- a core ---
cd "$work"
sound=$("$core_wave" 3 0 0)
unknown=$("$core_wave" 4 6 500)
ignoring=$("$core_wave" 4 9 100) # mcountinhibit, from the clock on
trap 'rm -rf "$work" "$sound" "$unknown" "$ignoring"' EXIT
both check --core $core --profile rtl "$sound"
both check --core $core -k "$sound"
both check --core $core --profile rtl "$unknown"
input=$unknown
both check --core $core --profile rtl -k -
input=/dev/null
json check --core $core -k "$unknown" "$sound" "$root/tests/hpm/check/differs.txt"
both check --core $core --profile rtl --quirk or_ports=off --quirk evict_ff=on "$sound"
both check --core $core -k "$unknown" "$sound"
sed 's/generic_counter_q\[1\]/other/' "$ignoring" >no-counter.vcd
both check --core $core -k no-counter.vcd
json check "$root"/tests/hpm/vectors/*.gz
both stat --core $core -e all "$sound"
both stat --core $core -e L1D_MISS,0x0f --while-enabled "$unknown"
sed 's/commit_ack_i/other/' "$sound" >no-instructions.vcd
both stat --core $core -e L1D_MISS no-instructions.vcd
json stat --core $core -e help
for tree in source-1 rows; do
    tail -c +2 "$root/tests/fuzz/corpus/devicetree/$tree" >"$tree" # behind the fuzzer's own byte
    json check --core $core --devicetree "$tree"
done
# tests/truth/bus_truth.py holds its outputs against its schema: these take long to change one member at a time
left_out=pcounter-bus-1
"$python" - program.elf <<'END'
# li a7, 93; li a0, 0; ecall
import struct, sys
code = struct.pack("<3I", 0x05d00893, 0x00000513, 0x00000073)
head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<2HI3QI6H", 2, 243, 1, 0x80000000, 64, 0, 0, 64, 56, 1, 64, 0, 0)
segment = struct.pack("<2I6Q", 1, 5, 120, 0x80000000, 0x80000000, len(code), len(code), 1)
open(sys.argv[1], "wb").write(head + segment + code)
END
if "$program" exec --core $core program.elf >/dev/null 2>"$work/err"; then
    json exec --core $core program.elf
else
    grep -q 'PC-E1320' err || fail "exec: $(cat err)"
    echo '*** SKIP schema of exec: the program was built without Unicorn ***' >&2
    left_out="$left_out pcounter-exec-2"
fi

# --- interrupted ---
slow() {
    cat "$1"
    while [ ! -e "$work/done" ]; do sleep 0.1; done
}
# interrupted FORMAT FILE ARGUMENTS: the file comes through standard input, which then says no more
interrupted() {
    kind=$1 file=$2
    shift 2
    number=$((number + 1))
    rm -f "$work/done" "$work/pid"
    echo "pcounter $* (interrupted)" >"$work/out/$number.$kind.call"
    slow "$file" | {
        {
            while [ ! -s "$work/pid" ]; do sleep 0.1; done
            sleep 1
            kill -INT "$(cat "$work/pid")"
        } &
        code=0
        # shellcheck disable=SC2016 # the words of the inner shell
        sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$program" "$@" >"$work/out/$number.$kind" 2>err || code=$?
        : >"$work/done"
        [ $code = 130 ] || fail "pcounter $*: exit code $code: $(cat err)"
    }
}
awk 'BEGIN { print "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end\n$enddefinitions $end"
    for (t = 1; t <= 4000; t++) printf "#%d\n%d!\n%d#\n", t, t % 2, int(t / 2) % 2 }' >long.vcd
interrupted json long.vcd stat --clock clk -e a - --format json
interrupted json long.vcd stat --clock clk -e a -I 1000 - --format json
interrupted jsonl long.vcd stat --clock clk -e a -I 1000 - --format jsonl
interrupted jsonl long.vcd idle --clock clk --map GR=a --window 50000c - --format jsonl
interrupted jsonl long.vcd record --clock clk --stop 'rise(a)' -e a - --format jsonl
interrupted json long.vcd record --clock clk --stop 'rise(a)' -e a - --format json
interrupted json long.vcd idle --clock clk --map GR=a --window 50000c - --format json
printf 'chip G92\nwave /dev/stdin\nbind 1 clock clk\nr 00a7c4\nrun end\n' >waits.pcs
interrupted json long.vcd run waits.pcs --format json
interrupted jsonl long.vcd run waits.pcs --format jsonl

# shellcheck disable=SC2086 # words
"$python" "$here/validate.py" "$work/schemas" "$work/out" $left_out || bad=1
exit $bad
