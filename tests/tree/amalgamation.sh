#!/bin/sh
# SPDX-License-Identifier: MIT
# The models as one file compile alone, without warnings, by every compiler that is there, as C17 and as C++20, and do
# the same; it shows the functions of its header, and of its data names that begin with pc_; it needs libc and nothing else. examples/emulator runs on it (tests/examples).
#   amalgamation.sh FOLDER CARD.C
set -eu
folder=$1
card=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
flags="-Wall -Wextra -Wpedantic -Werror"

# compiles NAME COMPILER FLAG...: the object work/NAME.o, and the card with it
compiles() {
    name=$1
    compiler=$2
    shift 2
    command -v "$compiler" >/dev/null || {
        echo "*** SKIP the models by $compiler: it is not installed ***" >&2
        return
    }
    # shellcheck disable=SC2086 # words on purpose
    "$compiler" $flags "$@" -c "$folder/pcounter-model.c" -o "$work/$name.o"
    # shellcheck disable=SC2086 # the same
    "$compiler" $flags "$@" -I "$folder" "$card" "$work/$name.o" -o "$work/$name"
    tried=$((tried + 1))
}
compiles gcc gcc -std=c17 -O1
compiles clang clang -std=c17
compiles mingw x86_64-w64-mingw32-gcc -std=c17
compiles aarch64 aarch64-linux-gnu-gcc -std=c17

# The file is also C++20, with initialisers that both compilers have beyond that
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086 # words on purpose
    "$compiler" -x c++ -std=c++20 -O0 $flags -c "$folder/pcounter-model.c" -o "$work/$compiler.o"
    gcc -I "$folder" -c "$card" -o "$work/card.o"
    "$compiler" "$work/card.o" "$work/$compiler.o" -o "$work/$compiler"
    "$work/gcc" G80 GT215 GF100 >"$work/c.out" 2>&1 || true
    "$work/$compiler" G80 GT215 GF100 >"$work/c++.out" 2>&1 || true
    cmp "$work/c.out" "$work/c++.out"
    grep -q "each access" "$work/c.out"
    tried=$((tried + 1))
done

# The header in C++20, and a program of both
cat >"$work/main.cpp" <<'END'
#include "pcounter-model.h"
int main() { return pc_chip_find("G92") == nullptr || pc_chip_count() < 50; }
END
for compiler in g++ clang++; do
    # shellcheck disable=SC2086 # words on purpose
    "$compiler" -std=c++20 $flags -I "$folder" "$work/main.cpp" "$work/gcc.o" -o "$work/main"
    "$work/main"
    tried=$((tried + 1))
done

# Names for the linker
tr '\n' ' ' <"$folder/pcounter-model.h" | sed 's/PC_API/\n&/g' | sed -n 's/^PC_API[^(;]*[ *]\(pc_[a-z0-9_]*\)(.*/\1/p' |
    LC_ALL=C sort >"$work/declared"
for object in gcc g++; do
    nm -g --defined-only "$work/$object.o" >"$work/names"
    awk '$2 == "T" { print $3 }' "$work/names" | LC_ALL=C sort | diff "$work/declared" - >&2
    if grep -v ' pc_' "$work/names" >&2; then exit 1; fi
done

# libc, and the compiler's own
gcc -nodefaultlibs -I "$folder" "$card" "$work/gcc.o" -o "$work/card" -lc -lgcc
echo "$tried compilers passed"
