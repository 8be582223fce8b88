# SPDX-License-Identifier: MIT
# src/model/regs/map_*.def -> an entry a 32-bit word of a range, without gaps: C++ has no arrays by index.
#   AT(offset, domains, stride, ...)       { number of the row from 1 on, domain }, and 0 where there is no register
#   AT(offset, word, register, from)       { register, word, first chip }, and 0
function hex(text,    i, value) {
    value = 0
    for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
function put(offset, text,    w) {
    w = offset / 4
    if (w in entry) { print FILENAME ": two registers at " offset > "/dev/stderr"; failed = 1; exit 1 }
    entry[w] = text
    if (w >= words) words = w + 1
}
BEGIN { FS = "[(), ]+" }
/^AT\(0x/ {
    rows++
    if ($5 + 0 == $5) {
        for (d = 0; d < $3; d++) put(hex($2) + d * hex($4), "{ " rows ", " d " },")
        none = "{ 0, 0 },"
    } else {
        put(hex($2), "{ PC_R_" $4 ", " $3 ", PC_ORDER_" $5 " },")
        none = "{ 0, 0, 0 },"
    }
}
END {
    if (failed) exit 1
    for (w = 0; w < words; w++) print w in entry ? entry[w] : none
}
