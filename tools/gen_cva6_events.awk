# SPDX-License-Identifier: MIT
# data/cva6_events.csv -> rows of the event table of src/model/hpm/event.c
# Fields hold no quotes and no commas; ";" stands for a comma in the last two.
BEGIN { FS = ","; print "/* generated from data/cva6_events.csv by tools/gen_cva6_events.awk */" }
NR == 1 { next }
NF != 7 { printf "data/cva6_events.csv:%d: %d fields, expected 7\n", NR, NF > "/dev/stderr"; exit 1 }
{
    gsub(/; */, ", ", $6)
    gsub(/; */, ", ", $7)
    printf "{ .id = %s, .name = \"%s\", .seed_name = \"%s\", .topic = PC_HPM_%s, .unit = PC_HPM_%s,\n", \
        $1, $2, $3 == "-" ? "" : $3, $4, $5
    printf "  .line = \"%s\",\n  .about = \"%s\" },\n", $6, $7
}
