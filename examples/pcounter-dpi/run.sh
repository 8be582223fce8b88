#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the design beside the model under Verilator, as it should be and with the seeded bug.
#   run.sh LIBRARIES INCLUDE DIRECTORY
# LIBRARIES are the words that link libpcounter_dpi and libpcounter, INCLUDE is the folder of
# the headers, DIRECTORY takes what is built.
set -eu
libraries=$1
include=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
cd "$3"

# build KEEP OPTION...: obj/Vtb. KEEP are words for make: objects that need not be made again,
# for the library of Verilator takes longest and is the same in both.
build() {
    keep=$1
    shift
    verilator --cc --exe --build -j 2 --Mdir obj --top-module tb -Wno-fatal --assert "$@" \
        -CFLAGS "-O0 -I$include" -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $keep" \
        "$here/pcounter_dpi.sv" "$here/quad_domain.sv" "$here/tb.sv" "$here/../cva6-dpi/main.cpp" \
        -LDFLAGS "$libraries" >build.log 2>&1 || {
        cat build.log >&2
        exit 1
    }
}

build ''
echo 'as it should be:'
obj/Vtb
build '-o main.o -o verilated.o -o verilated_dpi.o -o verilated_threads.o' +define+PCOUNTER_BUG
echo 'with a seeded bug (what happens in the clock of a swap is not counted):'
code=0
obj/Vtb || code=$?
[ $code != 0 ]
