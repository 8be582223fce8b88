#!/bin/sh
# SPDX-License-Identifier: MIT
# Known configurations of every chip in one plan: what is refused lacks registers in its table or a
# domain in the model (PC-E1507), all else has counters, passes and register writes.
#   plan_rows.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
planned=0
refused=0
chips=0
for chip in $("$program" list chips --format csv | tail -n +2 | cut -d, -f1); do
    # names with braces or slashes are not written without a backslash
    "$program" list metrics -a "$chip" --format csv >"$work/rows" 2>/dev/null || continue
    awk -F, 'NR > 1 && $1 != "" && $3 != "" && $2 !~ /[{}"]/ { print $2 }' "$work/rows" >"$work/names"
    [ -s "$work/names" ] || continue
    chips=$((chips + 1))
    while :; do
        code=0
        "$program" plan -a "$chip" -e "$(paste -sd, "$work/names")" --format json >"$work/plan" \
            2>"$work/err" || code=$?
        [ $code -ne 0 ] || break
        name=$(sed -n 's/^pcounter: error\[PC-E1507\]: \([^:]*\): .*/\1/p' "$work/err")
        if [ -z "$name" ] || [ $code -ne 3 ]; then
            echo "$chip: exit $code" >&2
            cat "$work/err" >&2
            exit 1
        fi
        grep -vxF "$name" "$work/names" >"$work/rest" || true
        refused=$((refused + 1))
        mv "$work/rest" "$work/names"
        [ -s "$work/names" ] || break
    done
    [ -s "$work/names" ] || continue
    if grep -q '"writes": \[ \]' "$work/plan"; then
        echo "$chip: a domain without register writes" >&2
        exit 1
    fi
    count=$(grep -c '"counter": ' "$work/plan")
    names=$(wc -l <"$work/names")
    if [ "$count" -lt "$names" ]; then
        echo "$chip: $names configurations, $count counters" >&2
        exit 1
    fi
    planned=$((planned + names))
done
echo "$planned configurations of $chips chips are planned, $refused are refused"
[ "$planned" -gt 500 ] && [ "$chips" -gt 10 ]
