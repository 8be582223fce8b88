# SPDX-License-Identifier: MIT
# Experiments, one a file, as one array of characters with a NUL after each, and a row for each: its
# name, which is that of the file, and where it begins.
FNR == 1 {
    if (count) { print "'\\0',"; end++ }
    name = FILENAME
    sub(/.*\//, "", name); sub(/\.pcs$/, "", name)
    names[++count] = name; begin[count] = end
    if (count == 1) print "static const char experiment_text[] = {"
}
/[^ -~]/ || length($0) > 110 {
    print FILENAME ":" FNR ": at most 110 characters of ASCII a line" > "/dev/stderr"
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
    print "'\\0' };\nstatic const struct {\n    const char *name;\n    size_t begin;\n} experiment_rows[] = {"
    for (i = 1; i <= count; i++) printf "    { \"%s\", %d },\n", names[i], begin[i]
    print "};"
}
