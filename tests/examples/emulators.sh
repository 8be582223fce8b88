#!/bin/sh
# SPDX-License-Identifier: MIT
# The files for QEMU's and xemu's sources compile with the models' header, without either: their names are in qemu_names.h.
#   emulators.sh EXAMPLES MODELS CC
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$1"/qemu_nvcard.c "$1"/xemu_pcounter.c; do
    sed -n 's/^#include "\(.*\)"$/\1/p' "$file" | grep -v pcounter-model.h | while read -r header; do
        mkdir -p "$work/$(dirname "$header")"
        : >"$work/$header"
    done
    "$3" -std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -Werror -include "$here/qemu_names.h" -I "$work" -I "$2" -c "$file" -o "$work/out.o"
done
