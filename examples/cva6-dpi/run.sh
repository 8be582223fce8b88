#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the lock-step check under Verilator, with the counters as they should be and
# with the seeded bug.
#   run.sh PCOUNTER LIBRARIES INCLUDE DIRECTORY
# LIBRARIES are the words that link libpcounter_dpi and libpcounter, INCLUDE is the folder of
# the headers, DIRECTORY takes what is built.
set -eu
pcounter=$1
libraries=$2
include=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$4"
cd "$4"

"$pcounter" emit dpi-bind --core cv64a6_imafdc_sv39 -o bind.sv

# build KEEP OPTION...: obj/Vtb. KEEP are words for make: objects that need not be made again,
# for the library of Verilator takes longest and is the same in both.
build() {
    keep=$1
    shift
    verilator --cc --exe --build -j 2 --Mdir obj --top-module tb -Wno-fatal --assert "$@" \
        -CFLAGS "-O0 -I$include" -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $keep" \
        "$here/ariane_pkg.sv" "$here/perf_counters.sv" "$here/tb.sv" bind.sv "$here/main.cpp" \
        -LDFLAGS "$libraries" >build.log 2>&1 || {
        cat build.log >&2
        exit 1
    }
}

build ''
echo 'as they should be:'
obj/Vtb
build '-o main.o -o verilated.o -o verilated_dpi.o -o verilated_threads.o' +define+PCOUNTER_BUG
echo 'with a seeded bug (counters run on in debug mode):'
code=0
obj/Vtb || code=$?
[ $code != 0 ]
