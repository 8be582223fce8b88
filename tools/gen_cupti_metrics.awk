# SPDX-License-Identifier: MIT
# data/cupti_metrics.csv -> rows of src/lang/names/known.c, and their strings
BEGIN { FS = ","; print "/* generated from data/cupti_metrics.csv by tools/gen_cupti_metrics.awk */" }
NR == 1 { next }
{
    need_fields(7)
    rows = rows sprintf("    { %d, PC_CONF_%s, %d, %d, %d, %d, %d },\n", $3, toupper($6), \
        intern($1), intern($2), intern($4), intern($5), intern($7))
}
END {
    pool_print("profiler_pool")
    printf "static const struct profiler_row profiler_rows[] = {\n%s};\n", rows
}
