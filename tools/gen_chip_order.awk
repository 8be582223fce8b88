# SPDX-License-Identifier: MIT
# data/chips.csv -> constants PC_ORDER_<chip>, for the ranges "NV30:NV40" of the register rows
BEGIN { FS = ","; print "/* generated from data/chips.csv by tools/gen_chip_order.awk */" }
NR == 1 { next }
{ printf "PC_ORDER_%s = %s,\n", $2, $1 }
END { print "PC_ORDER_END = 255," }
