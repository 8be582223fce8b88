# SPDX-License-Identifier: MIT
# data/filter_sources.csv -> rows of src/lang/names/known.c, and their strings
BEGIN { FS = ","; print "/* generated from data/filter_sources.csv by tools/gen_filter_sources.awk */" }
NR == 1 { next }
{
    need_fields(6)
    rows = rows sprintf("    { %s, %d, PC_CONF_%s, %d, %d, %d },\n", set_and_domain($2), $3, \
        toupper($5), intern($1), intern($4), intern($6))
}
END {
    pool_print("filter_pool")
    printf "static const struct filter_row filter_rows[] = {\n%s};\n", rows
}
