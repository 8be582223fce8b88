#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks what the library exports and imports: a shared library of its objects exports exactly the functions that
# the public headers mark PC_API; nothing in it can be written to (no globals), and it does not
# call what prints, ends or starts a process, nor what asks the locale.    exports.sh CC LIBRARY INCLUDE_FOLDER LINK_FLAG...
set -eu
cc=$1
library=$2
include=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
fail() { echo "$*" >&2; exit 1; }

case $library in
*.a)
    shared=$work/libpcounter.so
    "$cc" -shared -o "$shared" -Wl,--whole-archive "$library" -Wl,--no-whole-archive "$@"
    ;;
*) shared=$library ;;
esac

# declared: the name behind each PC_API, up to its bracket
{ cat "$include"/pcounter/*.h "$include"/pcounter/unstable/*.h | tr '\n' ' '; echo; } | sed 's/PC_API/\n&/g' |
    sed -n 's/^PC_API[^(;]*[ *]\(pc_[a-z0-9_]*\)(.*/\1/p' | sort >"$work/declared"
nm -D --defined-only "$shared" | sed 's/.* //' | grep -v '^_' | sort >"$work/exported"
[ "$(wc -l <"$work/declared")" -gt 150 ] || fail 'too few functions were found in the headers'
uniq -d "$work/declared" | grep . && fail 'declared twice'
diff -u "$work/declared" "$work/exported" || fail 'the headers (-) and the library (+) differ'
# PC_API is nowhere but before functions
[ "$(cat "$include"/pcounter/*.h "$include"/pcounter/unstable/*.h | grep -c '^PC_API')" -eq "$(wc -l <"$work/declared")" ] ||
    fail 'a PC_API was not understood'

# Writable data; tables of pointers, which only the loader writes to (.data.rel.ro), are none.
nm "$shared" | awk '$2 ~ /^[bBdDsS]$/ { print $3 }' | sed 's/\.[0-9]*$//' |
    grep -v '^_\|^completed$\|^__' >"$work/data" || true
objdump -t "$shared" | awk '$4 == ".data.rel.ro" || $5 == ".data.rel.ro" { print $NF }' | sed 's/\.[0-9]*$//' |
    sort -u >"$work/constant"
sort -u "$work/data" | comm -23 - "$work/constant" >"$work/globals"
[ ! -s "$work/globals" ] || { cat "$work/globals" >&2; fail 'the library has globals'; }

nm -D --undefined-only "$shared" | sed 's/.* //; s/@.*//' >"$work/wanted"
if grep -xE 'v?f?printf|puts|putc|putchar|fputs|fwrite|perror|stdout|stderr|exit|_exit|abort|system|popen|execv?[a-z]*|fork|posix_spawn[a-z]*|signal|sigaction|setlocale|setenv|strtok|rand|srand|__(v?f?printf)_chk' "$work/wanted"; then
    fail 'the library must not call these'
fi
# These functions depend on the locale that the caller's program has set (src/base/text.h), as formats with %f would.
if grep -xE 'tolower|toupper|isalpha|isalnum|isspace|isprint|strtod|strtof|strtold|atof|strcoll|strcasecmp|strncasecmp|__ctype_.*_loc|localeconv' "$work/wanted"; then
    fail 'the library must not ask the locale'
fi
echo "$(wc -l <"$work/declared") passed, 0 failed"
