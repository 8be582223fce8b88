#!/bin/sh
# SPDX-License-Identifier: MIT
# The block in Verilator beside its description, as it should be and with the bug.
#   lockstep.sh PCOUNTER LIBRARIES DIRECTORY
# LIBRARIES are the words that link libpcounter_dpi and libpcounter, DIRECTORY takes what is built.
set -eu
pcounter=$1
libraries=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
cd "$3"

"$pcounter" emit dpi-bind --core "$here/hits.yaml" --scope hits -o bind.sv
# KEEP are words for make: objects that need not be made again, for those of Verilator take longest.
run() {
    keep=$1
    shift
    verilator --binary --timing --trace -j 2 --Mdir obj --top-module lockstep -Wno-fatal -CFLAGS -O0 \
        -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $keep" "$@" \
        "$here/hits.v" "$here/lockstep.sv" bind.sv -LDFLAGS "$libraries" >build.log 2>&1 || {
        cat build.log >&2
        exit 1
    }
    obj/Vlockstep
}
echo 'as it should be:'
run ''
echo 'with the bug (counter 1 forgets its inhibit bit):'
code=0
run '-o verilated.o -o verilated_dpi.o -o verilated_vcd_c.o -o verilated_timing.o -o verilated_threads.o' +define+BUG || code=$?
[ $code != 0 ]
