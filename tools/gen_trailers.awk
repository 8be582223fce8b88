# SPDX-License-Identifier: MIT
# data/trailers.csv -> rows of the trailer table of src/model/chips/variant.c
BEGIN { FS = ","; print "/* generated from data/trailers.csv by tools/gen_trailers.awk */" }
NR == 1 { next }
NF != 5 { printf "data/trailers.csv:%d: %d fields, expected 5\n", NR, NF > "/dev/stderr"; exit 1 }
{ printf "{ PC_ORDER_%s, PC_ORDER_%s, 0x%s, PC_SIG_%s, %s },\n", $1, $2 == "-" ? "END" : $2, $3, $4, $5 }
