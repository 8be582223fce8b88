#!/bin/sh
# SPDX-License-Identifier: MIT
# One rule for all lists where nothing matches: exit code 1, a note, no text, and in CSV and JSON a
# table without rows: list_none.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

fail() {
    echo "FAILED: $*" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
}

for topic in chips 'registers -a G92' 'registers -a GK104' options 'domains -a G92' 'signals -a G92' \
    'signals -a G92 -d 1' sources 'sources -a G92' filters 'filters -a GK104' metrics 'metrics -a G92' profiler \
    'profiler -a GK104' cores events 'events --core cv64a6_imafdc_sv39' quirks; do
    for format in text csv json; do
        code=0
        # shellcheck disable=SC2086
        "$program" list $topic nothing-is-called-so --format $format >"$work/out" 2>"$work/err" || code=$?
        [ $code = 1 ] || fail "$topic: exit code $code"
        grep -q '^pcounter: note\[PC-N0202\]: no .* matches "nothing-is-called-so"' "$work/err" || fail "$topic: no note"
        [ "$(wc -l <"$work/err")" = 1 ] || fail "$topic: more than a note"
        case $format in
        text) [ ! -s "$work/out" ] ;;
        csv) [ "$(wc -l <"$work/out")" = 1 ] ;;
        json) [ "$(tr -d '\n' <"$work/out" | sed 's/.*"data"://')" = ' []}' ] ;;
        esac || fail "$topic: $format"
        # shellcheck disable=SC2086
        "$program" list -q $topic nothing-is-called-so >"$work/out" 2>&1 && fail "$topic: -q"
        [ ! -s "$work/out" ] || fail "$topic: -q is not quiet"
        passed=$((passed + 1))
    done
done
echo "$passed passed, 0 failed"
