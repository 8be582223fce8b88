#!/bin/sh
# SPDX-License-Identifier: MIT
# Bind files of descriptions under Verilator. A difference is the one that `check --core` finds in the waveform of the same
# run: register, edge, time, values, rule; all of them with PCOUNTER_KEEP_GOING. What is emitted for other designs is SystemVerilog.
#   core.sh PROGRAM LIBRARIES SOURCE SHARED DIRECTORY
set -eu
for tool in verilator g++ make; do
    command -v $tool >/dev/null 2>&1 || {
        echo "*** SKIP the described core beside the design: $tool is not installed ***" >&2
        exit 77
    }
done
program=$1
libraries=$2
source=$3
rm -rf "$5"
mkdir -p "$5"
cd "$5"
fail() {
    echo "failed: $1" >&2
    exit 1
}

# what both tell of a difference, a line each: the time without its unit
of_check() {
    sed -n '/ at edge /s/,//g; s/^.*: \(difference\|check fails\) at edge \([0-9]*\) (\([0-9]*\) ns): /\3 \1 \2 /p; /^  \(design\|model\|before\|rule\) /p' "$1"
}
of_bind() {
    sed -n 's/^pcounter: .*: time \([0-9]*\): \(difference\|check fails\) at edge \([0-9]*\): /\1 \2 \3 /p; /^  \(design\|model\|before\|rule\) /p' "$1"
}
totals() {
    sed -n 's/,//g; s/^.*[:s] \([0-9]* edges ([0-9]* in reset) [0-9]* values compared [0-9]* differences\).*/\1/p' "$1"
}
# of RUN, told in RUN.bind, with its waveform; check shows 20, of 5 lines
same() {
    "$program" check -k --core "$source/tests/dpi/core.yaml" core.vcd >"$1.check" 2>/dev/null || :
    of_check "$1.check" >"$1.check.all"
    of_bind "$1.bind" >"$1.bind.all"
    head -n 100 "$1.bind.all" | diff "$1.check.all" - || fail "$1: not as check says"
}

# --- the example ---
"$source/examples/core/lockstep.sh" "$program" "$libraries" "$PWD" >example 2>&1 || {
    cat example build.log >&2
    exit 1
}
cat example
sed '/^with the bug/,$d' example >good.bind
sed '1,/^with the bug/d' example >bug.bind
[ "$(grep -c '^pcounter: ' good.bind)" = 1 ] || fail 'a difference where there is none'
[ "$(grep -c ' difference at ' bug.bind)" = 1 ] || fail 'not one difference'
# as its README shows it
grep '^pcounter: \|^  ' example | while read -r line; do
    grep -qF "$line" "$source/examples/core/README.md" || fail "the README does not show: $line"
done
# and as the guide shows it
# shellcheck disable=SC2016 # the marks of a block
sed -n '/^<!-- test: tests.dpi.core.sh/,/^```$/p' "$source/docs/guide/check-a-core.md" | sed '1,/^```text/d; /^```$/d' >page
[ -s page ] || fail 'the guide shows nothing'
grep -A 4 '^pcounter: .* difference at ' example | diff page - || fail 'the guide shows something else'

# --- what else a description can have ---
"$program" emit dpi-bind --core "$source/tests/dpi/core.yaml" --scope block -o core_bind.sv
"$program" emit dpi-bind --core "$source/tests/dpi/flat.yaml" --scope block -o flat_bind.sv
keep='-o verilated.o -o verilated_dpi.o -o verilated_vcd_c.o -o verilated_timing.o -o verilated_threads.o' # those of the example
build() {
    verilator --binary --timing --trace --trace-structs -j 2 --Mdir obj --top-module core_tb -Wno-fatal -CFLAGS -O0 \
        -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $keep" "$@" \
        "$source/tests/dpi/core.sv" core_bind.sv ${flat:+"$flat"} -LDFLAGS "$libraries" >build.log 2>&1 || {
        cat build.log >&2
        exit 1
    }
}
# --- names of a flat waveform: slices of a packed array, and the same description with its elements in core.yaml ---
flat=flat_bind.sv build +define+PCOUNTER_KEEP_GOING
obj/Vcore_tb >flat0
[ "$(grep -c ' difference at ' flat0)" = 0 ] || fail 'differences of a flat description'
grep -q 'the_same__flat: .* edges .* 1[0-9]* values compared, 0 differences' flat0 || fail 'the flat description compared nothing'
obj/Vcore_tb +slip >flat1
grep -q 'the_same__flat: .*difference at edge [0-9]*: row3' flat1 || fail 'the flat description does not see what is wrong'
! grep 'the_same__flat: .*difference at' flat1 | grep -v row3 || fail 'differences where there are none'

build +define+PCOUNTER_KEEP_GOING
for run in core0 core1; do
    obj/Vcore_tb "+$([ $run = core0 ] || echo mutant)" >$run.bind
    same $run
    totals $run.check >$run.totals
    totals $run.bind | diff $run.totals - || fail 'other totals'
    cat $run.totals
done
[ "$(wc -l <core0.bind.all)" = 0 ] || fail 'differences of the design itself'
[ "$(wc -l <core1.bind.all)" -gt 50 ] || fail 'the mutant is not seen'

# --- too little room, a scope that fits no names ---
"$program" emit dpi-bind --core "$source/tests/dpi/core.yaml" --scope counter -o bad.sv
if verilator --lint-only --timing --top-module core_tb -Wno-fatal "$source/tests/dpi/core.sv" bad.sv >build.log 2>&1; then
    fail 'names of another module'
fi
build +define+PCOUNTER_BLOCK_OF_TESTS_ROOM=20
if obj/Vcore_tb >room 2>&1; then
    fail 'no room for the signals'
fi
grep -q 'a signal has 72 bits: +define+PCOUNTER_BLOCK_OF_TESTS_ROOM=' room || fail 'no word about the room'

# --- the designs of the descriptions are not here: without the bind the text is SystemVerilog ---
for file in "$4"/waves/cores/*.yaml "$source"/examples/core/*.yaml; do
    [ -e "$file" ] || continue
    "$program" emit dpi-bind -q --core "$file" --scope top -o other.sv
    grep -q '^bind top ' other.sv || fail "$file: no bind"
    sed '/^bind/,/^);/d' other.sv >module.sv
    verilator --lint-only --assert -Wno-fatal module.sv || fail "$file"
done
