#!/bin/sh
# SPDX-License-Identifier: MIT
# Every note and warning that the program can print is explained: remarks.sh PROGRAM SOURCES
set -eu
program=$1
missing=0
count=0
for code in $(cat "$2"/*.c "$2"/*/*.c | tr -d ' \n' | grep -oE 'cli_(note|warning)\([0-9]+,' |
              sed 's/cli_note(\([0-9]*\),/N\1/; s/cli_warning(\([0-9]*\),/W\1/' | sort -u); do
    count=$((count + 1))
    "$program" explain "PC-$code" >/dev/null 2>&1 || { echo "PC-$code is not explained"; missing=$((missing + 1)); }
done
echo "$((count - missing)) passed, $missing failed"
[ "$count" -gt 0 ] && [ "$missing" = 0 ]
