#!/bin/sh
# SPDX-License-Identifier: MIT
# The program of examples/rtl for Linux compiles without warnings as its head says, counts on
# `pcounter card`, writes what `pcounter compile` prints, and says what it cannot do.
#   uio.sh PCOUNTER CC ROOT
set -eu
pcounter=$(realpath "${1:?usage: uio.sh PCOUNTER CC ROOT}")
cc=${2:?usage: uio.sh PCOUNTER CC ROOT}
root=$(realpath "${3:?usage: uio.sh PCOUNTER CC ROOT}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$root/examples/rtl/uio.c" .
"$pcounter" emit c-header -a G84 -o g84_pcounter.h
events='busy=s00, idle=!s00, both=s00 & s01, never=s01 & s02'
"$pcounter" compile -q -a G84 -d 1 -e "$events" -o program.h
"$cc" -std=c17 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -o uio uio.c

# On the model of a card, as BAR0 has the registers
printf 'set 1 00 1\nset 1 01 1\n' > stimulus
"$pcounter" card -q -a G84 --with stimulus -- \
    ./uio /sys/bus/pci/devices/0000:01:00.0/resource0 0xa000 0.01 > said
cat said
awk '{ n[$1] = $2 }
     END { exit !(n["cycles"] > 0 && n["pre"] == n["cycles"] && n["start"] == 0 &&
                  n["event"] == n["cycles"] && n["stop"] == 0 && NR == 5) }' said

# A file in the place of the device: it has no cycles, but keeps what was written.
truncate -s 4096 file
if ./uio file 0 0.01 2> error; then
    echo "a file counts" >&2
    exit 1
fi
grep -q "file: domain 1 has no cycles" error
"$pcounter" compile -q -a G84 -d 1 -e "$events" --format script |
    sed -n 's/^w 00a\([0-9a-f]*\) \([0-9a-f]*\).*/\1 \2/p' > writes
[ "$(wc -l < writes)" -gt 8 ]
while read -r offset value; do
    got=$(od -A n -t x4 -j $((0x$offset)) -N 4 file | tr -d ' ')
    [ "$got" = "$value" ] || {
        echo "$offset has $got, not $value" >&2
        exit 1
    }
done < writes

if ./uio ./none 2> error; then exit 1; fi
grep -q "none: No such file" error
if ./uio 2> error; then exit 1; fi
grep -q usage error
