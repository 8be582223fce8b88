# SPDX-License-Identifier: MIT
# data/chips.csv -> rows of the CHIP table of src/model/chips/variant.c
# Fields hold no quotes and no commas; lists inside a field are separated by ";", none is "-".
BEGIN { FS = ","; print "/* generated from data/chips.csv by tools/gen_chips.awk */" }
NR == 1 { next }
NF != 17 { printf "data/chips.csv:%d: %d fields, expected 17\n", NR, NF > "/dev/stderr"; exit 1 }
function none(s) { return s == "-" ? "" : s }
{
    split($7, range, ":"); from = range[1]; sub(/-$/, "", from)
    features = $6 == "none" ? "0" : "F_" from
    printf "{ .order = %s, .name = \"%s\", .id = 0x%s, .aliases = \"%s\", .family = \"%s\",\n", $1, $2, $3, none($4), $5
    printf "  .layout = PC_LAYOUT_%s, .range = \"%s\", .features = %s, .domains = %s,\n", toupper($6), $7, features, $8
    printf "  .domain = {\n"
    n = split($9, size, ";"); split($10, base, ";"); split($12, clock, ";"); users = split($11, user, ";")
    for (i = 1; i <= $8; i++) {
        u0 = u1 = "-"
        if ($11 != "-") { split(user[i], u, "/"); u0 = u[1]; u1 = u[2] }
        printf "    { .size = 0x%s, .trailer_base = 0x%s, .user = { %s, %s }, .clock = \"%s\", .assumed = %s },\n", \
            size[i], base[i], u0 == "-" ? "-1" : "0x" u0, u1 == "-" ? "-1" : "0x" u1, clock[i], $13 ? "true" : "false"
    }
    if ($8 == 0) printf "    { .user = { -1, -1 } },\n"
    printf "  },\n  .pm_trigger_raw = %s, .idle_counters = %s,\n", $14 == "-" ? "-1" : "0x" $14, $15
    printf "  .evidence = \"%s\",\n  .notes = \"%s\" },\n", none($16), none($17)
}
