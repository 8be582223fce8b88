# SPDX-License-Identifier: MIT
# data/idle_signals.csv -> rows of the idle signal table of src/model/unit/pdaemon.c
BEGIN { FS = ","; print "/* generated from data/idle_signals.csv by tools/gen_idle_signals.awk */" }
NR == 1 { next }
NF != 4 { printf "data/idle_signals.csv:%d: %d fields, expected 4\n", NR, NF > "/dev/stderr"; exit 1 }
{
    range = $4 == "-" ? $3 "-" : $3 ":" $4
    printf "{ { %s, \"%s\", \"%s\" }, PC_ORDER_%s, PC_ORDER_%s },\n", $1, $2, range, $3, $4 == "-" ? "END" : $4
}
