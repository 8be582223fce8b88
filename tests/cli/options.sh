#!/bin/sh
# SPDX-License-Identifier: MIT
# Every verb reports a wrong call in the same way, and names what was wrong; a full disk is
# never a success.
#   options.sh PROGRAM
set -u
program=${1:?usage: options.sh PROGRAM}
verbs=$("$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p')
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
# says TEXT ARGUMENTS...: exit 2, nothing on stdout, and a first line that ends in TEXT
says() {
    text=$1
    shift
    got=$("$program" "$@" 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "pcounter $*: not exit 2"
    [ -z "$("$program" "$@" 2>/dev/null)" ] || fail "pcounter $*: something on stdout"
    got=$(printf '%s\n' "$got" | sed -n '1s/^pcounter: error\[PC-E0900\]: //p')
    [ "$got" = "$text" ] || fail "pcounter $*: \"$got\" instead of \"$text\""
}
root=$(dirname "$0")/../..
[ "$(echo "$verbs" | wc -l)" -eq "$(grep -c "^V(" "$root/cli/verbs.def")" ] || fail "verbs: $verbs"
for verb in $verbs; do
    says "unknown option --zzzzzz" "$verb" --zzzzzz
    says "unknown option --zzzzzz" "$verb" --zzzzzz=3
    says "unknown option -Z" "$verb" -Z
    says "unknown option -Z" "$verb" -Zh word
    "$program" "$verb" --help >/dev/full 2>/dev/null && fail "$verb --help: a full disk is well"
    [ "$("$program" help "$verb")" = "$("$program" "$verb" --help)" ] || fail "help $verb"
done
says "unknown option -Z" list -q -Z
says "unknown option -Z" plan -a G92 -Zq
says "-o needs a value" run -qo
says "-a needs a value" decode -a
says "--format needs a value" list --format
says "--quiet takes no value" list --quiet=3
says "unknown option --fromat; did you mean --format?" list --fromat
says "--s is the beginning of several options: --stop-count, --swap, --signals" compile --s
says "standard input can be read once: only one of the files can be -" \
    list signals -q -a G92 --signals - --signals - </dev/null
says "standard input can be read once: only one of the files can be -" \
    check --core cv64a6_imafdc_sv39 --map - a b </dev/null
says 'unknown verb "sta"; did you mean stat?' sta
says 'unknown verb "nothing"' help nothing
says 'unknown option --bogus; a verb comes first, like pcounter stat' --bogus
says "unknown option -Z" stat --core cv64a6_imafdc_sv39 -Zq x
says "unknown option -Z" stat --core=cv64a6_imafdc_sv39 -qZ
says "--core is not abbreviated" stat --cor cv64a6_imafdc_sv39 x.fst
says "--spark is about events, and none is counted: -e names some" record -c clk --stop a --spark x.vcd
says 'with --core only one waveform at a time; also given: "y.fst"' stat --core=cv64a6_imafdc_sv39 x.fst y.fst
says "--read-limit needs a value" info --read-limit
says '--read-limit width takes up to 64M bits, not "65M"' info --read-limit vars=3,width=65M "$root/tests/cli/data/domain.vcd"
says "--tolerance \"2 %\" is not a percentage, like 0.5" diff --tolerance '2 %' /dev/null /dev/null
# an option that would have no effect is an error
says "--writes is for --format text and json" plan -a G92 -d 1 --writes --format csv -e s10
says "--domain must precede the -e to which it applies" plan -a G92 -d 1 -e s10 -d 2
says "--setflag is given twice for one -e" plan -a G92 -d 1 --setflag s11 --setflag s12 -e s10
says "--clrflag is given twice for one -e" plan -a G92 -d 1 --clrflag s11 --clrflag s11 -e s10
says "--setflag applies to expressions; shader_busy is a known configuration: give it a separate -e" \
    plan -a G92 --setflag s11 -e shader_busy
says "--domain 1 has no -e after it, and what the metrics read says itself where it is" \
    plan -a G92 -d 1 -M shader_busy
says "--signals names the signals of a chip: with -a" list sources --signals /dev/null
says "--strict is about a waveform; the script has none" run -q --strict "$root/examples/scripts/nv34-quad-pm-trigger.pcs"
says "--max-windows is about --window: without one the trace is one" \
    idle --clock clk --map GR=clk --max-windows 3 "$root/tests/cli/data/tiny.vcd"
says "--counter3 is about devicetree" emit c-header -a G92 --counter3
says "--counter3 is about devicetree" emit perf-json --core cv64a6_imafdc_sv39 --counter3
says "--counter3 is about an hpmcounter3h that reads 0: cv64a6_imafdc_sv39 has none in profile rtl" \
    emit devicetree --core cv64a6_imafdc_sv39 --counter3
says "--counter3 is about an hpmcounter3h that reads 0: cv32a60x has none in profile rtl" \
    check --devicetree /dev/null --core cv32a60x --counter3
says "--counter3 is about an hpmcounter3h that reads 0: cv32a6_imac_sv32 has none in profile spec" \
    emit devicetree --core cv32a6_imac_sv32 --profile spec --counter3
says "--profile does nothing to whisper-json" emit whisper-json --core cv32a6_imac_sv32 --profile spec
says "--profile is about a core: --core NAME" emit c-header -a G92 --profile spec
says "--profile is about a core: --core NAME" emit rnndb --profile rtl
says "--read-limit is about a file: with -i" decode -a G92 0xa7c4 1 --read-limit ratio=3
for option in '--x zero' '--sample post-edge' '--read-limit vars=3' --time-backwards --strict; do
    # shellcheck disable=SC2086
    says "${option%% *} is about a waveform; a script has none" idle --script $option /dev/null
done
vectors=$root/tests/hpm/vectors/csr-rv32-imac-msu-small.txt.gz
for option in '--read-limit ratio=3' --time-backwards --strict; do
    # shellcheck disable=SC2086
    says "$vectors has vectors: ${option%% *} is about waveforms" check $option "$vectors"
done
for sample in pre-edge post-edge; do
    says "--sample is about the edges of a clock; --clock sample has none" \
        stat --clock sample --sample $sample -e clk "$root/tests/cli/data/tiny.vcd"
    says "--sample is about the edges of a clock; --clock sample has none" \
        idle --sample $sample --clock sample --map GR=clk "$root/tests/cli/data/tiny.vcd"
done
for call in 'stat --clock clk' 'stat --clock clk -e clk' plan 'plan -d 1 -e s10' 'list metrics'; do
    case $call in stat*) file=$root/tests/cli/data/domain.vcd ;; *) file='-a G92' ;; esac
    # shellcheck disable=SC2086
    says "--metrics /dev/null: it has no metric" $call --metrics /dev/null $file
done
# the name of an output is not that of another format
waveform="$root/tests/cli/data/tiny.vcd"
# verbs whose reports are trees (cli/report) say what each report has
trees='activity stat record diff idle list explain encode exec replay run info check decode plan compile bus merge settle'
says "-o x.jsonl: unknown suffix; known are .txt, .csv, .json, .md and .junit.xml, or give --format" \
    diff a b -o x.jsonl
says "-o x.tab: unknown suffix; known are .txt, .csv, .json, .jsonl, .md, .html, .junit.xml, .vcd, .perfetto.json and .trace.json, or give --format" \
    stat --clock clk -e clk "$waveform" -o x.tab
says "-o x.tab: unknown suffix; known are .txt, .csv, .json, .jsonl, .md, .html, .vcd, .perfetto.json and .trace.json, or give --format" \
    record -c clk --stop clk "$waveform" -o x.tab
says "-o x.vcd: unknown suffix; known are .txt, .csv, .json, .jsonl, .md and .html, or give --format" \
    stat --core=cv64a6_imafdc_sv39 -o x.vcd x.fst
says '-o can be given several times for one file; here are 2' stat -c clk -o a.csv -o b.json "$waveform" "$waveform"
says '--keep-going is for one -o' stat -c clk --keep-going -o a.csv -o b.json "$waveform"
says '--format junit reports expectations: give --expect' stat -c clk -o a.junit.xml "$waveform"
for call in 'replay a' 'check --devicetree a --core cv64a6_imafdc_sv39'; do
    # shellcheck disable=SC2086
    says "-o x.jsonl: unknown suffix; known are .txt, .csv, .json, .md and .junit.xml, or give --format" $call -o x.jsonl
done
says "-o x.vcd: unknown suffix; known are .txt, .csv, .json, .jsonl, .md and .junit.xml, or give --format" \
    check "$vectors" -o x.vcd
says '-o can be given several times for one file; here are 2' check "$vectors" "$vectors" -o a.csv -o b.json
says "-o x.vcd: unknown suffix; known are .txt, .csv, .json, .jsonl and .md, or give --format" \
    run "$root/examples/scripts/nv34-quad-pm-trigger.pcs" -o x.vcd
for call in "info $root/tests/cli/data/tiny.vcd" 'list chips' 'encode -a G92 CTRL[1] MODE=1' 'explain E900' 'exec --core cv64a6_imafdc_sv39 a' \
    'decode -a G92 0xa7c4 1' 'decode -i a' 'plan -a G92 -d 1 -e s10'; do
    # shellcheck disable=SC2086
    says "-o x.jsonl: unknown suffix; known are .txt, .csv, .json and .md, or give --format" $call -o x.jsonl
done
says "-o x.jsonl: unknown suffix; known are .txt, .csv, .json, .md, .pcs, .c and .h, or give --format" \
    compile -a G92 event=s10 -o x.jsonl
says "--format command is about expressions: with -i" decode -a G92 --format command 0xa7c4 1
# what a verb itself writes it writes once
says "-o b.h: -o a.c has the same format, c" compile -a G92 event=s10 -o a.c -o b.h
says "-o b.txt: -o a.txt has the same format, text" list chips -o a.txt -o b.txt
# a second one would be forgotten
for call in 'decode -i' 'record --stop' 'record --dump' 'record --program' 'run --with' 'replay --with' 'check --map' \
    'check --scope' 'record --clock' 'idle --clock' 'stat --core cv64a6_imafdc_sv39 --map' 'stat --core cv64a6_imafdc_sv39 --scope'; do
    option=${call##* }
    # shellcheck disable=SC2086
    says "$option can be given once; here it is \"a\" and \"b\"" $call a "$option" b x
done
for verb in $verbs; do
    case " $trees " in *" $verb "*) continue ;; esac
    # shellcheck disable=SC2086
    says '-o can be given once; here it is "a" and "b"' $verb -o a -o b x
done
says '--devicetree can be given once; here it is "a" and "b"' check --devicetree a --devicetree b
says '--log can be given once; here it is "a" and "b"' run --log mmiotrace=a --log mmiotrace=b x
for option in '--swap-every 9' '--engine step' --multiplex --multiplex=10 --explain '--max-passes 1' '--bind 1=x' \
    '--signals x.csv'; do
    # shellcheck disable=SC2086
    says "${option%%[ =]*} is about the counters of a chip, and none is asked for: -a names one, like -a GT215" \
        stat --clock clk $option -e valid "$root/tests/cli/data/tiny.vcd"
done
for option in '--x zero' '-a G92 --swap-every 9' '-a G92 --engine step' '-a G92 --multiplex' '-a G92 --multiplex=10' \
    '-a G92 --explain' '-a G92 --max-passes 1' '-a G92 --bind 1=x' '-a G92 --signals x.csv'; do
    for metric in '' '-M s=seconds' '--expect cycles>3' '-I 10'; do
        case $metric$option in *-I*--multiplex*) continue ;; esac
        name=${option#-a G92 }
        name=${name%%[ =]*}
        # shellcheck disable=SC2086
        case $name$metric in
        --bind*cycles*|--bind*seconds|--signals*cycles*|--signals*seconds) ;; # looked up before the formulas are
        *) says "$name is about events, and none is counted: -e or -M names some" \
               stat --clock clk $metric $option "$root/tests/cli/data/tiny.vcd" ;;
        esac
    done
done
# a chip without the unit: it cannot be done there
for call in 'stat --clock clk' 'plan -d 0 -e s10' 'plan -M shader_busy' 'compile event=s10' \
    'stat --bind 0=x -e x --clock clk' 'decode 0xa7c4 1' 'encode CTRL MODE=1' 'list registers' \
    'list signals' 'list domains' 'list sources' 'list filters' 'list metrics' 'list profiler' \
    'emit c-header' 'emit rnndb' 'idle --clock clk --map GR=x'; do
    # shellcheck disable=SC2086
    case $call in
    stat*|idle*) set -- $call -a C51 "$root/tests/cli/data/domain.vcd" ;;
    *) set -- $call -a C51 ;;
    esac
    message=$("$program" "$@" 2>&1 >/dev/null)
    [ $? -eq 3 ] || fail "pcounter $call -a C51: not exit 3"
    case $message in
    *"C51 has no P"*) ;;
    *) fail "pcounter $call -a C51: $message" ;;
    esac
done
printf 'chip NV11\nw 00a424 0000ffff\n' | "$program" run - 2>/dev/null
[ $? -eq 3 ] || fail "a script for a chip without the unit is not exit 3"
printf 'chip C51\n' | "$program" decode -i - 2>/dev/null
[ $? -eq 3 ] || fail "decode -i for a chip without the unit is not exit 3"
printf 'chip NV40\nidle 0\nrun 1\n' | "$program" idle --script - 2>/dev/null
[ $? -eq 3 ] || fail "a script for a chip without idle counters is not exit 3"
for call in -V -h 'list chips' 'explain 203' 'encode -a G92 CTRL[1] MODE=RECORD' \
    'decode -a G92 0xa7c4 1'; do
    # shellcheck disable=SC2086
    message=$("$program" $call 2>&1 >/dev/full)
    [ $? -eq 2 ] || fail "pcounter $call: a full disk is not exit 2"
    case $message in
    *PC-E0901*) ;;
    *) fail "pcounter $call: a full disk: $message" ;;
    esac
done
# what comes through a pipe is what comes from a file
for file in "$root"/examples/scripts/g84-record.pcs "$root"/tests/cli/regs/counters.mmt; do
    want=$("$program" decode -i "$file")
    for from in - /dev/stdin; do
        # shellcheck disable=SC2002 # a pipe on purpose
        got=$(cat "$file" | "$program" decode -i $from 2>&1)
        [ "$got" = "$want" ] || fail "decode -i $from of $file through a pipe"
    done
done
want=$("$program" decode -i "$root/tests/cli/regs/counters.mmt")
got=$(gzip -c "$root/tests/cli/regs/counters.mmt" | "$program" decode -i - 2>&1)
[ "$got" = "$want" ] || fail "decode -i - of a compressed trace"
printf 'no_port = x\n' |
    "$program" check --core cv64a6_imafdc_sv39 --map - "$root/examples/soc/soc.fst" 2>&1 |
    grep -q '^ --> -:1:1$' || fail "check --map - does not read standard input"
# outputs: an open file by its name in /dev, a name as long as names can be; and no escape
# sequence of an argument reaches the terminal
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
script=$root/examples/scripts/nv34-quad-pm-trigger.pcs
printf '# nothing\n\n' >"$work/nothing"
says "--with $work/nothing: it has no command" run --with "$work/nothing" "$script"
says "--with $work/nothing: it has no command" \
    replay --with "$work/nothing" "$root/tests/cli/replay/g92.mmt"
"$program" run -q "$script" >"$work/want"
"$program" run -q "$script" -o /dev/fd/5 5>"$work/got"
cmp -s "$work/want" "$work/got" || fail "-o of an open file"
long=$work/$(printf '%0250d' 1)
"$program" run -q "$script" -o "$long"
cmp -s "$work/want" "$long" || fail "-o of a long name"
escape=$(printf '\033[31m')
case $("$program" run "$escape" 2>&1; "$program" run -q "$script" -o "/nowhere/$escape" 2>&1) in
*"$escape"*) fail "an escape sequence is printed" ;;
esac
# a value that no $var declares, far from the begin: --strict alone notices it, as an error
sh "$(dirname "$0")/make_vcd.sh" 20000 0 >"$work/late.vcd"
echo '1nobody' >>"$work/late.vcd"
for strict in '' --strict; do
    # shellcheck disable=SC2086
    "$program" stat $strict --clock clk -e a "$work/late.vcd" 2>&1 >/dev/null | grep -c E0640
done >"$work/said"
[ "$(cat "$work/said")" = "0
1" ] || fail "stat --strict: $(cat "$work/said")"
# no formula for a spreadsheet, if that is asked for; numbers stay numbers
# shellcheck disable=SC2016 # words of a VCD
printf '$timescale 1ns $end $var wire 1 ! clk $end $var wire 1 # =cmd() $end $enddefinitions $end\n' \
    >"$work/formula.vcd"
printf '#0\n0!\n1#\n#5\n1!\n' >>"$work/formula.vcd"
[ "$("$program" info --vars --format csv "$work/formula.vcd" | grep -c '^=cmd()')" = 1 ] ||
    fail "--format csv changes a name"
[ "$("$program" info --vars --format csv --csv-safe "$work/formula.vcd" | grep -c "^'=cmd(),.*,0,0,1")" = 1 ] ||
    fail "--csv-safe: $("$program" info --vars --format csv --csv-safe "$work/formula.vcd")"
"$program" info --vars --csv-safe "$work/formula.vcd" -o "$work/formula.csv"
grep -q "^'=cmd()" "$work/formula.csv" || fail "--csv-safe -o formula.csv: $(cat "$work/formula.csv")"
"$program" info --vars --csv-safe "$work/formula.vcd" >"$work/said" 2>&1 && fail "--csv-safe of text is not refused"
grep -q -- '--csv-safe is for --format csv' "$work/said" || fail "--csv-safe of text: $(cat "$work/said")"
"$program" info --vars --format csv-safe "$work/formula.vcd" >"$work/said" 2>&1 && fail "--format csv-safe is taken"
grep -q -- '--format csv --csv-safe' "$work/said" || fail "--format csv-safe: $(cat "$work/said")"
# what a compiled program is for stands in the name of its file
for name in a.pcs b.c c.h d.json e.txt; do
    "$program" compile -a G92 event=s10 -o "$work/$name" || fail "compile -o $name"
done
"$program" compile -a G92 event=s10 --format text -o "$work/f.pcs"
"$program" run -q "$work/a.pcs" || fail "compile -o a.pcs is no script"
cmp -s "$work/b.c" "$work/c.h" || fail "compile -o c.h is not what b.c is"
grep -q '^/\*' "$work/b.c" || fail "compile -o b.c is no C"
grep -q pcounter-compile "$work/d.json" || fail "compile -o d.json is no JSON"
cmp -s "$work/e.txt" "$work/f.pcs" || fail "compile -o e.txt is not --format text"
# the schemas of JSON have one form
for call in 'info --format json' 'info --vars --format json'; do
    # shellcheck disable=SC2016,SC2086
    "$program" $call "$root/examples/soc/soc.fst" |
        grep -q '^  "$schema": "pcounter-[a-z-]*-[0-9]*"' ||
        fail "pcounter $call: the schema"
done
"$program" run /dev/zero >/dev/null 2>&1
[ $? -eq 4 ] || fail "a script without end is not a limit"
vectors=${2:-/nowhere}/vectors/cva6/csr-rv64-imafdc-msu-a.txt.gz
if [ -e "$vectors" ]; then
    "$program" check "$vectors" >/dev/full 2>/dev/null && fail "check: a full disk is well"
fi
[ $bad -eq 0 ] && echo "all verbs agree"
exit $((bad != 0))
