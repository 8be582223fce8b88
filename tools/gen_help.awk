# SPDX-License-Identifier: MIT
# Texts of helps, one a file, as one array of characters with a NUL after each, and a row for each:
# its name, which is that of the file, and where it begins.
FNR == 1 {
    if (count) { print "'\\0',"; end++ }
    name = FILENAME
    sub(/.*\//, "", name); sub(/\.help$/, "", name)
    names[++count] = name; begin[count] = end; has[count] = 0
    if (count == 1) print "static const char help_text[] = {"
}
$0 == "OPTIONS" { has[count] = 1 }
length($0) > 80 {
    print FILENAME ":" FNR ": wider than 80 columns" > "/dev/stderr"
    failed = 1; exit 1
}
{
    line = ""
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        line = line "'" (c == "'" || c == "\\" ? "\\" : "") c "',"
    }
    print line "'\\n',"
    end += length($0) + 1
}
END {
    if (failed) exit 1
    print "'\\0' };\nstatic const struct {\n    const char *name;\n    size_t begin;\n} help_rows[] = {"
    for (i = 1; i <= count; i++) {
        if (!has[i]) { print names[i] ".help: no line OPTIONS" > "/dev/stderr"; exit 1 }
        printf "    { \"%s\", %d },\n", names[i], begin[i]
    }
    print "};"
}
