# SPDX-License-Identifier: MIT
# data/host_bus.csv -> rows of the host bus table of src/model/gpu/device.c
BEGIN { FS = ","; print "/* generated from data/host_bus.csv by tools/gen_host_bus.awk */" }
NR == 1 { next }
NF != 6 { printf "data/host_bus.csv:%d: %d fields, expected 6\n", NR, NF > "/dev/stderr"; exit 1 }
{ printf "{ \"%s\", %s, 0x%s, 0x%s, 0x%s, %s },\n", $1, $2, $3, $4, $5, $6 == "" ? "-1" : "0x" $6 }
