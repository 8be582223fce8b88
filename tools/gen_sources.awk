# SPDX-License-Identifier: MIT
# data/sources.csv -> rows of src/lang/names/known.c, and their strings
BEGIN { FS = ","; print "/* generated from data/sources.csv by tools/gen_sources.awk */" }
NR == 1 { next }
{
    need_fields(9)
    rows = rows sprintf("    { %s, %s, %d, %d, PC_CONF_%s, %d, %d, %d, %d },\n", $3, $4, $5, $6, \
        toupper($8), intern($1), intern($2), intern($7), intern($9))
}
END {
    pool_print("source_pool")
    printf "static const struct source_row source_rows[] = {\n%s};\n", rows
}
