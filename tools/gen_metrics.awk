# SPDX-License-Identifier: MIT
# data/metrics.csv -> rows of src/lang/names/known.c, and their strings
BEGIN { FS = ","; print "/* generated from data/metrics.csv by tools/gen_metrics.awk */" }
NR == 1 { next }
function four(first, given,    i, s) { # every second field; those that are empty are 0
    for (i = 0; i < 4; i++)
        s = s (i ? ", " : "") ($(first + 2 * i) == "" ? (given ? "" : "0") : given ? 2 ^ i " | " : $(first + 2 * i))
    if (given) { gsub(/, /, "", s); s = s "0" }
    return s
}
{
    need_fields(17)
    rows = rows sprintf("    { { %s }, { %s }, %s, %s, %s, PC_CONF_%s, %d, %d, %d, %d, %d, %d, %d },\n", \
        four(5, 0), four(6, 0), four(5, 1), four(6, 1), set_and_domain($3), toupper($15), \
        intern($1), intern($2), intern($4), intern($13), intern($14), intern($16), intern($17))
}
END {
    pool_print("metric_pool")
    printf "static const struct metric_row metric_rows[] = {\n%s};\n", rows
}
