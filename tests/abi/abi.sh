#!/bin/sh
# SPDX-License-Identifier: MIT
# The promised interface against its kept description, by libabigail: what pcounter/pcounter.h includes, its functions and all types that they
# lead to. Something new is a note, to be kept with --accept before a release; a function that is gone, or a type that changed, fails.
#   abi.sh [--accept] CC INCLUDE_FOLDER KEPT
# A changed description is the first of another soname (docs/adr/062).
set -eu
accept=no
[ "$1" != --accept ] || { accept=yes && shift; }
cc=$1
include=$2
kept=$3
skip() {
    echo "*** SKIP the binary interface: $1 ***" >&2
    exit 77
}
[ $accept = yes ] || [ -n "${PC_TEST_LONG:-}" ] || skip 'a long test (make check-long)'
command -v abidw >/dev/null || skip 'abidw of abigail-tools is not installed'
[ "$(uname -m)" = x86_64 ] || skip "the kept description is of x86-64, this is $(uname -m)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# describe INCLUDE OUT: a pointer to each function of the headers in a library of its own; structs of the sources stay unknown, as they
# are to a user. tests/tree/exports.sh shows that the library has these functions.
describe() {
    # shellcheck disable=SC2046 # a file a word
    (cd "$1" && cat $(sed -n 's/^#include "\(pcounter.*\)"$/\1/p' pcounter/pcounter.h)) | tr '\n' ' ' | sed 's/PC_API/\n&/g' |
        sed -n 's/^PC_API[^(;]*[ *]\(pc_[a-z0-9_]*\)(.*/\1/p' | sort >"$work/functions"
    [ "$(wc -l <"$work/functions")" -gt 200 ] || { echo 'too few functions were found in the headers' >&2 && exit 1; }
    {
        echo '#include "pcounter/pcounter.h"'
        sed 's/.*/__typeof__(\&&) abi_&;/' "$work/functions"
    } >"$work/abi.c"
    (cd "$work" && "$cc" -std=gnu17 -g -O0 -fPIC -shared -I "$1" abi.c -o libpcounter-abi.so)
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --type-id-style hash --out-file "$2" \
        "$work/libpcounter-abi.so"
}
# compare OLD NEW: what is gone or changed; the status is that of abidiff, without what is new.
compare() {
    abidiff --no-added-syms "$1" "$2" >"$work/report" 2>&1
}

describe "$include" "$work/now.abi"
if [ $accept = yes ]; then
    cp "$work/now.abi" "$kept"
    echo "$(wc -l <"$work/functions") functions are kept in $kept"
    exit 0
fi
compare "$kept" "$work/now.abi" || {
    cat "$work/report" >&2
    echo 'the promised interface is not that of the kept description: take the change back, or see docs/adr/062.' \
        "Until 1.0.0 is out: tests/abi/abi.sh --accept $cc include tests/abi/libpcounter.so.1.abi" >&2
    exit 1
}
abidiff "$kept" "$work/now.abi" >"$work/report" 2>&1 || {
    grep -A100 'Added' "$work/report" || true
    echo "note: keep what is new before a release: tests/abi/abi.sh --accept $cc include tests/abi/libpcounter.so.1.abi"
}

# The test sees what it is for: a member in a struct, another type of an argument, a function that is gone; and lets one pass that is new.
# change NAME FILE SED-SCRIPT
change() {
    rm -rf "$work/include"
    cp -r "$include" "$work/include"
    sed -i "$3" "$work/include/pcounter/$2"
    ! cmp -s "$include/pcounter/$2" "$work/include/pcounter/$2" || { echo "$1: nothing was changed" >&2 && exit 1; }
    describe "$work/include" "$work/$1.abi"
}
for spoiled in 'member s/^struct pc_unit_desc {/&\n    int more;/' 'type s/pc_unit_write(struct pc_unit \*unit, uint32_t/pc_unit_write(struct pc_unit *unit, uint64_t/' \
    'gone /^PC_API void pc_unit_destroy(/d'; do
    name=${spoiled%% *}
    change "$name" unit.h "${spoiled#* }"
    if compare "$work/now.abi" "$work/$name.abi"; then
        echo "$name: a harmful change of the interface was not seen" >&2
        exit 1
    fi
done
change new unit.h 's/^PC_API void pc_unit_destroy(/PC_API void pc_unit_more(void);\n&/'
compare "$work/now.abi" "$work/new.abi" || { echo 'a function that is new was taken for harm' >&2 && exit 1; }
echo "$(wc -l <"$work/functions") functions, 0 changed"
