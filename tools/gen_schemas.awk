# SPDX-License-Identifier: MIT
# JSON Schemas, one a file, as one array of characters, and a row for each: its name, which is that
# of the file and its "$id"; its title, what prints such a JSON; where its text begins and ends.
BEGIN { print "static const char schema_text[] = {"; end = 0 }
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name); sub(/\.json$/, "", name)
    names[++count] = name; begin[count] = end; id = 0
}
/^  "\$id": / && index($0, "\"" name "\"") { id = 1 }
/^  "title": / { title = $0; sub(/^  "title": "/, "", title); sub(/",$/, "", title); titles[count] = title }
FNR == 4 && (!id || titles[count] == "" || titles[count] ~ /["\\]/) {
    print FILENAME ": line 3 is not its \"$id\", or line 4 no plain \"title\"" > "/dev/stderr"
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
    ends[count] = end
}
END {
    if (failed) exit 1
    print "};\nstatic const struct schema schemas[] = {"
    for (i = 1; i <= count; i++)
        printf "    { \"%s\", \"%s\", %d, %d },\n", names[i], titles[i], begin[i], ends[i]
    print "};"
}
