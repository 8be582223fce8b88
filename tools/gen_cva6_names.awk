# SPDX-License-Identifier: MIT
# data/cva6_events.csv -> what others call the events, for cli/emit: SBI(index, event, name) by ascending index, and
# WHISPER(event, name).  The field sbi has "INDEX NAME", the index in five digits, and ";" between several.
BEGIN { FS = ","; print "/* generated from data/cva6_events.csv by tools/gen_cva6_names.awk */" }
NR == 1 { next }
$15 != "-" {
    n = split($15, part, /; */)
    for (i = 1; i <= n; i++) {
        if (part[i] !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f] [A-Za-z0-9-]+$/) {
            printf "data/cva6_events.csv:%d: \"%s\" is not INDEX NAME\n", NR, part[i] > "/dev/stderr"
            exit 1
        }
        at = ++rows
        for (; at > 1 && row[at - 1] > part[i]; at--) {
            row[at] = row[at - 1]
            event[at] = event[at - 1]
        }
        row[at] = part[i]
        event[at] = $1
    }
}
$16 != "-" { whisper[++classes] = sprintf("WHISPER(%s, \"%s\")", $1, $16) }
END {
    print "#ifdef SBI"
    for (i = 1; i <= rows; i++)
        printf "SBI(0x%s, %s, \"%s\")\n", substr(row[i], 1, 5), event[i], substr(row[i], 7)
    print "#endif\n#ifdef WHISPER"
    for (i = 1; i <= classes; i++)
        print whisper[i]
    print "#endif"
}
