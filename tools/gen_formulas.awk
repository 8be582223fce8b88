# SPDX-License-Identifier: MIT
# data/formulas.csv -> rows of the shapes of src/lang/expr/formula.c; ? is escaped against trigraphs
BEGIN { FS = ","; print "/* generated from data/formulas.csv by tools/gen_formulas.awk */" }
NR == 1 { next }
NF != 3 { printf "data/formulas.csv:%d: %d fields, expected 3\n", NR, NF > "/dev/stderr"; exit 1 }
{ gsub(/\?/, "\\?", $3); printf "{ %s, \"%s\" },\n", $1, $3 }
