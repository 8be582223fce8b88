#!/bin/sh
# SPDX-License-Identifier: MIT
# A waveform with two bits and a vector of ten, that change now and then; UNKNOWN of 97 changes of
# one bit are to x.
#
#   make_vcd.sh EDGES UNKNOWN >FILE
awk -v edges="$1" -v unknown="$2" 'BEGIN {
    print "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end"
    print "$var wire 1 # a $end\n$var wire 1 $ b $end\n$var wire 10 % v $end"
    print "$upscope $end\n$enddefinitions $end\n#0\n0!\n0#\n0$\nb0 %"
    seed = 7
    for (t = 1; t < 2 * edges; t++) {
        printf "#%d\n%d!\n", t, t % 2
        if (t % 2)
            continue
        seed = (seed * 16807) % 2147483647
        if (seed % 3 == 0)
            print (int(seed / 64) % 97 < unknown ? "x" : int(seed / 8) % 2) "#"
        if (seed % 11 == 0)
            print int(seed / 32) % 2 "$"
        if (seed % 5 == 0) {
            v = "b"
            for (i = 0; i < 10; i++)
                v = v int(seed / 2 ^ (i + 5)) % 2
            print v " %"
        }
    }
}'
