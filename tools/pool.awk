# SPDX-License-Identifier: MIT
# Strings of a table, each once, in one array of characters: rows hold offsets into it.  It keeps
# the rows small, and free of pointers that a shared library would have to relocate.
BEGIN { pool_size = 1; pool_text[0] = "" } # offset 0 is ""
function intern(s) {
    if (s == "") return 0
    if (!(s in pool_at)) {
        pool_at[s] = pool_size; pool_list[++pool_count] = s
        pool_size += length(s) + 1
    }
    return pool_at[s]
}
function pool_print(name,    i, j, s, c, line) {
    printf "static const char %s[%d] = {\n    0,", name, pool_size
    for (i = 1; i <= pool_count; i++) {
        s = pool_list[i]; line = "\n   "
        for (j = 1; j <= length(s); j++) {
            c = substr(s, j, 1)
            line = line " '" (c == "'" || c == "\\" ? "\\" : "") c "',"
        }
        printf "%s 0,", line
    }
    print "\n};"
    if (pool_size > 65535) { print name ": more than 65535 characters" > "/dev/stderr"; exit 1 }
}
# "hub2" -> "PC_SET_HUB, 2"; "3" -> "PC_SET_ALL, 3"; "*" is any domain
function set_and_domain(s) {
    if (s == "*") return "PC_SET_ALL, ANY_DOMAIN"
    if (s ~ /^[0-9]$/) return "PC_SET_ALL, " s
    if (s ~ /^hub[0-9]$/) return "PC_SET_HUB, " substr(s, 4)
    if (s ~ /^gpc[0-9]$/) return "PC_SET_GPC, " substr(s, 4)
    if (s ~ /^part[0-9]$/) return "PC_SET_PART, " substr(s, 5)
    printf "%s:%d: \"%s\" is not a domain\n", FILENAME, FNR, s > "/dev/stderr"
    exit 1
}
function need_fields(n) {
    if (NF == n) return
    printf "%s:%d: %d fields, expected %d\n", FILENAME, FNR, NF, n > "/dev/stderr"
    exit 1
}
