#!/bin/sh
# SPDX-License-Identifier: MIT
# Every error of the catalogue can happen, as some source has its number; and every number that stands
# behind `err` in a call is in the catalogue.    codes.sh   (in the root of the sources)
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat src/base/errors*.def | sed -n 's/^E(\([0-9]*\),.*/\1/p' | sort >"$work/rows"
find src cli \( -name '*.c' -o -name '*.h' -o -name '*.def' \) ! -path 'src/base/errors*' -exec cat {} + |
    grep -o '\b[0-9][0-9]*\b' | sort -u >"$work/given"
rows=$(wc -l <"$work/rows")
[ "$rows" -gt 200 ] || { echo 'too few rows were found' >&2; exit 1; }
comm -23 "$work/rows" "$work/given" >"$work/never"
[ ! -s "$work/never" ] || { echo "nothing gives these errors: $(tr '\n' ' ' <"$work/never")" >&2; exit 1; }
find src cli -name '*.[ch]' -exec cat {} + | tr '\n' ' ' |
    grep -oE 'fail[a-z_]*\([a-z>&-]*err[a-z]*, *[0-9]{3,4}' | grep -oE '[0-9]+$' | sort -u >"$work/raised"
[ "$(wc -l <"$work/raised")" -gt 100 ] || { echo 'too few calls were found' >&2; exit 1; }
comm -13 "$work/rows" "$work/raised" >"$work/unknown"
[ ! -s "$work/unknown" ] || { echo "not in the catalogue: $(tr '\n' ' ' <"$work/unknown")" >&2; exit 1; }
echo "$rows passed, 0 failed"
