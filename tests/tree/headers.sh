#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles by itself, twice in a row, in C and in C++, without a warning, and holds
# everything that it names inside its C++ guard.    headers.sh CC INCLUDE_FOLDER
set -eu
cc=$1
include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wundef -Wcast-qual -Werror'
passed=0
# try LANGUAGE COMPILER FLAG...: a file that includes $header twice
try() {
    language=$1
    shift
    printf '#include <pcounter/%s>\n#include <pcounter/%s>\nextern int used;\n' "$header" "$header" >"$work/use.$language"
    # shellcheck disable=SC2086 # words on purpose
    "$@" $warnings -I"$include" -fsyntax-only "$work/use.$language" || { echo "$header: $*" >&2; exit 1; }
    passed=$((passed + 1))
}
for path in "$include"/pcounter/*.h "$include"/pcounter/unstable/*.h; do
    header=${path#"$include/pcounter/"}
    try c "$cc" -std=c17 -Wstrict-prototypes -Wshadow
    try c "$cc" -std=c99 -Wstrict-prototypes
    if command -v c++ >/dev/null 2>&1; then
        try cpp c++ -std=c++11 -Wold-style-cast -Wshadow
        try cpp c++ -std=c++17 -Wold-style-cast -Wshadow
    fi
    grep -q 'extern "C" {' "$path" || [ "$header" = pcounter.h ] || { echo "$header: no extern \"C\"" >&2; exit 1; }
    # pcounter.h is all that is promised, but for what simulators call
    case $header in unstable/*)
        ! grep -q "#include \"pcounter/$header\"" "$include/pcounter/pcounter.h" ||
            { echo "$header is unstable, and is in pcounter.h" >&2; exit 1; }
        continue ;;
    esac
    grep -q "#include \"pcounter/$header\"" "$include/pcounter/pcounter.h" ||
        [ "$header" = pcounter.h ] || [ "$header" = pcounter_dpi.h ] ||
        { echo "$header is not in pcounter.h" >&2; exit 1; }
done
[ $passed -ge 40 ] || { echo 'too few headers were tried' >&2; exit 1; }
command -v c++ >/dev/null 2>&1 || echo '*** SKIP the headers in C++: no c++ here ***' >&2
echo "$passed passed, 0 failed"
