#!/bin/sh
# SPDX-License-Identifier: MIT
# Without waves no library of the readers is looked for.  That the models link without them is for
# install.sh; here a part is compiled, and the rest has what it is made of.
#   no_waves.sh CC   (in the root of the sources)
set -eu
cc=${1:?usage: no_waves.sh CC}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S . -B "$work/build" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 \
    -DPC_WAVES=OFF -DPC_TESTS=OFF >"$work/log" 2>&1
cmake --build "$work/build" --target pc_lang >>"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
if grep -i 'zlib\|lz4\|zstd\|deflate\|libzip\|lzma\|bzip2\|isal' "$work/build/CMakeCache.txt" | grep -v '^PC_WAVES\|^//'; then
    echo 'a library of the readers was looked for' >&2
    exit 1
fi
ninja -C "$work/build" -t targets all >"$work/log"
for file in libpcounter.a libpcounter-model.a libpcounter-lang.a; do
    grep -q "^$file: C_STATIC" "$work/log" || { echo "$file would not be built" >&2; exit 1; }
done
if grep 'libpcounter-wave\|cli/pcounter' "$work/log"; then
    echo 'what reads waveforms would be built' >&2
    exit 1
fi
# tests cannot be asked for
if cmake -S . -B "$work/build" -DPC_TESTS=ON >"$work/log" 2>&1; then
    echo 'tests without the program were configured' >&2
    exit 1
fi
grep -q 'PC_TESTS=OFF' "$work/log"
echo '6 passed, 0 failed'
