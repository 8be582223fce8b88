# SPDX-License-Identifier: MIT
# data/signals.csv -> rows of the signals of src/model/gpu/ptimer.c: a chip each
BEGIN { FS = ","; print "/* generated from data/signals.csv by tools/gen_ptimer_signal.awk */" }
$4 == "ptimer.time_b12" {
    n = split($1, chip, " ")
    for (i = 1; i <= n; i++)
        printf "{ \"%s\", %d, 0x%s },\n", chip[i], $2, $3
}
