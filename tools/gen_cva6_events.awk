# SPDX-License-Identifier: MIT
# data/cva6_events.csv -> rows of the event table of src/model/hpm/event.c
# Fields hold no quotes and no commas: ";" stands for a comma in expressions and texts, "-" for none.
BEGIN { FS = ","; print "/* generated from data/cva6_events.csv by tools/gen_cva6_events.awk */" }
NR == 1 { next }
NF != 16 { printf "data/cva6_events.csv:%d: %d fields, expected 16\n", NR, NF > "/dev/stderr"; exit 1 }
function text(field) { gsub(/; */, ", ", field); return "\"" (field == "-" ? "" : field) "\"" }
{
    printf "{ .id = %s, .name = \"%s\", .short_name = \"%s\", .seed_name = %s, .topic = PC_HPM_%s, .unit = PC_HPM_%s,\n", \
        $1, $2, $3, text($4), $5, $6
    printf "  .expression = %s,\n  .strict = %s, .wire = %s, .need = PC_HPM_NEEDS_%s, .of_instructions = %s,\n", \
        text($7), text($8), text($9), $10, $11
    printf "  .line = %s,\n  .about = %s,\n  .about_shared_tlb = %s },\n", text($12), text($13), text($14)
}
