# SPDX-License-Identifier: MIT
# A man page of section 3 from a public header: its functions with their comments, as they are there.
#   awk -v name=pcounter-unit -v date="January 1, 2026" -v others="base chips" -f gen_man3.awk include/pcounter/unit.h
# Of pcounter.h, whose text is the contract of all of them: name=libpcounter.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    return text ~ /^[.']/ ? "\\\\&" text : text
}

# A line of a comment without its marks.
function bare(text) {
    sub(/^ *\/?\*+\/? ?/, "", text)
    sub(/ *\*\/$/, "", text)
    return text
}

/SPDX-License-Identifier/ { next }
# The first comment: what the header is.
!begun && !opened && /^\/\*/ { opened = 1 }
opened && !begun {
    line = bare($0)
    head[++heads] = line
    if ($0 ~ /\*\/ *$/) begun = 1
    next
}
begun && /^#(ifndef|define) PCOUNTER_[A-Z_]*H$/ { next }
# What only a compiler reads.
/^#ifdef __cplusplus/ { skipping = 1 }
skipping { if (/^#endif/) skipping = 0; next }
begun { body[++lines] = $0 }

END {
    for (i = 1; i <= heads; i++) all = all (all == "" || head[i] == "" ? "" : " ") head[i]
    sub(/ *\(see pcounter\.h\)/, "", all)
    brief = all
    sub(/[.:;] .*$/, "", brief)
    if (brief ~ /^[A-Za-z]+$/ && match(all, /: /)) { # "Unit: one PCOUNTER domain set"
        brief = substr(all, RSTART + 2)
        sub(/[.:;] .*$/, "", brief)
    }
    sub(/\.$/, "", brief)
    print ".\\\" SPDX-License-Identifier: MIT"
    print ".\\\" Made of a header by tools/gen_man3.awk: change that."
    print ".Dd " date
    print ".Dt " toupper(name) " 3"
    print ".Os"
    print ".Sh NAME"
    print ".Nm " name
    print ".Nd " escaped(brief)
    print ".Sh LIBRARY"
    print "pcounter"
    print ".Pq libpcounter, \\-lpcounter; pkg-config and CMake: pcounter"
    print ".Sh SYNOPSIS"
    print ".In pcounter/pcounter.h"
    print ".Sh DESCRIPTION"
    if (name == "libpcounter") {
        print ".Bd -literal"
        for (i = 1; i <= heads; i++) if (i > 1 || head[i] != "") print escaped(head[i])
        print ".Ed"
    } else {
        print "What all functions have in common is in"
        print ".Xr libpcounter 3 ."
        print "These are the declarations of"
        print ".In " path " ."
        print ".Bd -literal"
        for (i = 1; heads > 3 && i <= heads; i++) # more than a title
            if (head[i] != "") print "   " escaped(head[i])
        while (lines && (body[lines] == "" || body[lines] ~ /^#endif/)) lines--
        for (i = 1; i <= lines; i++) {
            if (body[i] == "" && (last == "" || i == 1)) continue
            last = body[i]
            print escaped(body[i])
        }
        print ".Ed"
    }
    print ".Sh SEE ALSO"
    print ".Xr pcounter 1 ,"
    if (name != "libpcounter") print ".Xr libpcounter 3 ,"
    n = split(others, other, " ")
    for (i = 1; i <= n; i++)
        if ("pcounter-" other[i] != name) list[++count] = ".Xr pcounter-" other[i] " 3"
    for (i = 1; i <= count; i++) print list[i] (i < count ? " ," : "")
}
