# SPDX-License-Identifier: MIT
# data/signals.csv -> rows of the signal table of src/lang/names/open.c, and their strings
# A position is "2a", "2a-2d" for signals that are numbered through, or "t1f" from the trailer base.
# "mux_{0}" counts in decimal, "vfetch_{00}" in two hexadecimal digits, from the value in braces.
BEGIN { FS = ","; print "/* generated from data/signals.csv by tools/gen_signals.awk */" }
NR == 1 { next }
{
    need_fields(10)
    if (!($1 in list)) {
        list[$1] = lists++
        list_text = list_text sprintf("    %d,\n", intern($1))
    }
    trailer = $3 ~ /^t/
    places = $3; gsub(/t/, "", places)
    n = split(places, at, "-")
    rows = rows sprintf("    { %s, 0x%s, 0x%s, %d, PC_CONF_%s, %d, %s, %d, %d, %d, %d, %d },\n", \
        set_and_domain($2), at[1], at[n], list[$1], toupper($8), trailer, \
        $7 ~ /^[0-9]+$/ ? $7 : -1, intern($4), intern($5), intern($6), origin($9), intern($10))
}
function origin(s) { gsub(/\+/, " ", s); return intern(s) }
END {
    if (lists > 255) { print "data/signals.csv: more than 255 lists of chips" > "/dev/stderr"; exit 1 }
    pool_print("signal_pool")
    printf "enum { CHIP_LISTS = %d };\n", lists
    printf "static const uint16_t chip_lists[] = {\n%s};\n", list_text
    printf "static const struct signal_row signal_rows[] = {\n%s};\n", rows
}
