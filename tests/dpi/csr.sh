#!/bin/sh
# SPDX-License-Identifier: MIT
# The lock-step check of csr_regfile under Verilator: no difference with the counters as they should be;
# a gate that lets U mode read too much is told as a trap that is missing.
#   csr.sh PROGRAM LIBRARIES SOURCE DIRECTORY
set -eu
for tool in verilator g++ make; do
    command -v $tool >/dev/null 2>&1 || {
        echo "*** SKIP the lock-step check of csr_regfile: $tool is not installed ***" >&2
        exit 77
    }
done
rm -rf "$4"
mkdir -p "$4"
cd "$4"
# the part for csr_regfile alone: there is no perf_counters here
"$1" emit dpi-bind --core cv64a6_imafdc_sv39 | sed -n '/^`ifdef PCOUNTER_CSR/,$p' >bind.sv
build() {
    keep=$1
    shift
    verilator --cc --exe --build -j 2 --Mdir obj --top-module tb -Wno-fatal --assert +define+PCOUNTER_CSR "$@" \
        -CFLAGS "-O0 -I$source/include" -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $keep" \
        "$source/tests/dpi/csr_regfile.sv" bind.sv "$source/examples/cva6-dpi/main.cpp" \
        -LDFLAGS "$libraries" >build.log 2>&1 || {
        cat build.log >&2
        exit 1
    }
}
source=$3
libraries=$2
build ''
obj/Vtb | tee good
[ "$(grep -v '^- ' good)" = '20000 clocks, no difference' ]
build '-o main.o -o verilated.o -o verilated_dpi.o -o verilated_threads.o' +define+PCOUNTER_BUG
code=0
obj/Vtb >bad 2>&1 || code=$?
cat bad
[ $code != 0 ]
grep -q '^pcounter: clock [0-9]*: the trap of 0xc0[02] is 0x0, the model has 0x2' bad
