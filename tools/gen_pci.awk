# SPDX-License-Identifier: MIT
# data/pci.csv -> rows of the table of src/model/chips/pci.c
BEGIN { FS = ","; print "/* generated from data/pci.csv by tools/gen_pci.awk */" }
NR == 1 { next }
NF != 3 || $2 !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/ { printf "data/pci.csv:%d: not a row\n", NR > "/dev/stderr"; exit 1 }
{ printf "{ \"%s\", 0x%s, \"%s\" },\n", $1, $2, $3 }
