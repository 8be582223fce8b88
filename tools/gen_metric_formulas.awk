# SPDX-License-Identifier: MIT
# data/metric_formulas.csv -> rows of the table of src/lang/metric/table.c
BEGIN { FS = ","; print "/* generated from data/metric_formulas.csv by tools/gen_metric_formulas.awk */" }
NR == 1 { next }
NF != 4 { printf "data/metric_formulas.csv:%d: %d fields, expected 4\n", NR, NF > "/dev/stderr"; exit 1 }
{ printf "{ \"%s\", \"%s = %s %s\" },\n", $1, $2, $3, $4 }
