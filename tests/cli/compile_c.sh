#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of `pcounter compile --format c` is C99 without a warning, and does the writes of
# --format script, in the same order.
#   compile_c.sh PROGRAM CC
set -eu
program=$(realpath "${1:?usage: compile_c.sh PROGRAM CC}")
cc=${2:?usage: compile_c.sh PROGRAM CC}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/main.c" << 'END'
#include <stdio.h>
#include "program.h"
int main(void)
{
    size_t i;
    for (i = 0; i < sizeof pcounter_writes / sizeof pcounter_writes[0]; i++) {
        printf("w %06x %08x", pcounter_writes[i].address, pcounter_writes[i].value);
        if (pcounter_writes[i].mask != 0xffffffff)
            printf(" %08x", pcounter_writes[i].mask);
        printf("\n");
    }
    return 0;
}
END
# check NAME ARGUMENT...
check() {
    name=$1
    shift
    "$program" compile "$@" --format c -o "$work/program.h"
    "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/program" "$work/main.c"
    "$work/program" > "$work/from_c"
    "$program" compile "$@" --format script | sed -n 's/ *#.*//; /^w /p' > "$work/from_script"
    [ -s "$work/from_c" ]
    diff "$work/from_c" "$work/from_script"
    echo "$name: $(wc -l < "$work/from_c") writes"
}
check quad -a G92 -e '{hits=s10 & s11, misses:stop=s10 & !s11}'
check muxes -a G92 --mux 0x402ca4=5/0x7fff --mux 0x408808=1 event='rise(s10)'
check single -a NV20 -m single --threshold 0x123456789 pre=s10 event='s11 ^ s12'
check swap -a GF108 -d gpc0.0 event=s10
grep -q '^enum { pcounter_swap_address = 0x1800ec, pcounter_swap_value = 0x00000011 };$' "$work/program.h"
check record -a G92 -m record --record 's10, s11' --record-buffer 0x100000:0x10fff0
check sums -a GK104 -d gpc0.0 pre='sum(s[21:16])' event='sum(s[29:24]) iff s1a'
check lines -a G92 'event=s10
& s11'
