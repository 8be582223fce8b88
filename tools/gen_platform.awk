# SPDX-License-Identifier: MIT
# data/platform.csv -> rows of the platform register table of src/model/gpu/device.c
BEGIN { FS = ","; print "/* generated from data/platform.csv by tools/gen_platform.awk */" }
NR == 1 { next }
NF != 4 { printf "data/platform.csv:%d: %d fields, expected 4\n", NR, NF > "/dev/stderr"; exit 1 }
{ printf "{ \"%s\", 0x%s, 0x%s }, /* %s */\n", $1, $2, $3, $4 }
