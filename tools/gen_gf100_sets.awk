# SPDX-License-Identifier: MIT
# data/gf100_sets.csv -> rows of the domain set table of src/model/chips/variant.c
# sizes are "domain:size" in hexadecimal; what is not listed is the default of D-15, 100.
# The trailer is the last 40 signals, so its base is the size less 40.
BEGIN { FS = ","; print "/* generated from data/gf100_sets.csv by tools/gen_gf100_sets.awk */" }
function hex(s,    i, v) {
    v = 0
    for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
    return v
}
NR == 1 { next }
NF != 5 { printf "data/gf100_sets.csv:%d: %d fields, expected 5\n", NR, NF > "/dev/stderr"; exit 1 }
{
    split("", known); n = split($5, list, ";")
    for (i = 1; i <= n; i++) if (split(list[i], p, ":") == 2) known[p[1]] = hex(p[2])
    printf "{ \"%s\", { PC_SET_%s, %s, %s, {\n", $1, $2, $3, $4
    for (d = 0; d < $4; d++) {
        size = (d in known) ? known[d] : 256
        printf "    { .size = %d, .trailer_base = %d, .user = { -1, -1 }, .clock = \"\", .assumed = %s },\n", \
            size, size - 64, (d in known) ? "false" : "true"
    }
    print "} } },"
}
