# SPDX-License-Identifier: MIT
# One file of many: each is written where it is included, headers once, files without a guard (rows, tables)
# each time. What a .c file defines for itself is undefined at its end.
#   awk -v title=TEXT -v path=include -f amalgamate.awk HEADER... > pcounter-model.h
#   awk -v title=TEXT -v path=src:build/tables:include -v known=include/pcounter \
#       -v header=pcounter-model.h -f amalgamate.awk FILE... > pcounter-model.c
# Headers below `known` are left out: they are in pcounter-model.h. Functions that it does not have become static.

function fail(text) { print "amalgamate: " text > "/dev/stderr"; bad = 1; exit 1 }

function there(name,    line, result) {
    result = (getline line < name) >= 0
    close(name)
    return result
}

function find(name, from,    i, n, folder, parts) {
    folder = from
    sub(/[^\/]*$/, "", folder)
    if (there(folder name)) return folder name
    n = split(path, parts, ":")
    for (i = 1; i <= n; i++)
        if (there(parts[i] "/" name)) return parts[i] "/" name
    fail(from " includes " name ", which is nowhere")
}

function guarded(name,    line, result) {
    result = 0
    while ((getline line < name) > 0)
        if (line ~ /^#ifndef [A-Z0-9_]+_H$/) { result = 1; break }
    close(name)
    return result
}

# The name of the function that a line at the left margin declares or defines; "" if it does not, or is static.
function function_of(line) {
    if (line ~ /^[a-z0-9_]+_fn [a-z0-9_]+;/) sub(/;/, "(", line) # by its type
    if (line !~ /^[a-z][a-z0-9_]*[a-z0-9_ *]*[ *][a-z0-9_]+\(/ || line ~ /^(static|typedef|else|return|extern) /) return ""
    sub(/\(.*/, "", line)
    sub(/.*[ *]/, "", line)
    return line
}

function read_public(    line, rest) {
    while ((getline line < header) > 0)
        if (sub(/^PC_API (PC_MUST_CHECK )?/, "", line)) {
            if (line !~ /\(/) { getline rest < header; line = line " " rest } # a long name has a line of its own
            public[function_of(line)] = 1
        }
    close(header)
}

function put(name,    line, target, macro, macros, i, n) {
    if (guarded(name)) {
        if (name in done) return
        done[name] = 1
    }
    n = 0
    while ((getline line < name) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            target = line
            sub(/^[^"]*"/, "", target)
            sub(/".*$/, "", target)
            target = find(target, name)
            if (known == "" || index(target, known) != 1) put(target)
            continue
        }
        if (line ~ /SPDX-License-Identifier/ || line ~ /^\/\* clang-format o/) continue
        if (name ~ /\.c$/ && line ~ /^#[ \t]*define[ \t]/) {
            macro = line
            sub(/^#[ \t]*define[ \t]+/, "", macro)
            sub(/[^A-Za-z0-9_].*$/, "", macro)
            macros[++n] = macro
        }
        if (known != "" && function_of(line) != "" && !(function_of(line) in public)) line = "static " line
        print line
    }
    close(name)
    for (i = 1; i <= n; i++) print "#undef " macros[i]
}

BEGIN {
    print "/* SPDX-License-Identifier: MIT */"
    print "/* " title ", made of many files of its sources: change those. */"
    if (known != "") {
        print "#define __USE_MINGW_ANSI_STDIO 1 /* %zu is known on Windows, too */"
        print "#define PC_PORTABLE            1 /* without what has files of its own: loops for one kind of CPU */"
        print "#ifdef __GNUC__ /* a library in one file has small functions that it does not use itself */"
        print "#pragma GCC diagnostic ignored \"-Wunused-function\""
        print "#endif"
        print "#if defined(__cplusplus) && defined(__GNUC__) /* initialisers by index and compound literals: g++ and clang++ have C's */"
        print "#pragma GCC diagnostic ignored \"-Wmissing-field-initializers\""
        print "#pragma GCC diagnostic ignored \"-Wpedantic\""
        print "#endif"
        print "#if defined(__cplusplus) && defined(__clang__) /* the same */"
        print "#pragma clang diagnostic ignored \"-Wc99-designator\""
        print "#pragma clang diagnostic ignored \"-Wc99-extensions\""
        print "#endif"
        print "#include \"pcounter-model.h\""
        read_public()
    }
    for (i = 1; i < ARGC; i++) put(ARGV[i])
    exit bad
}
