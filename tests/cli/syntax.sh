#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the messages of `pcounter compile` for wrong arguments, one case in each line of syntax.txt: the column, what
# was expected, what to do instead; syntax.out has it.  Nothing may be on standard output, and
# the exit code is 2, or 3 where the chip cannot do it.
#   syntax.sh [--accept] PROGRAM
set -eu
accept=no
if [ "${1-}" = --accept ]; then
    accept=yes
    shift
fi
program=$(realpath "${1:?usage: syntax.sh [--accept] PROGRAM}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
while IFS= read -r line; do
    case $line in
    '#'*)
        printf '%s\n' "$line"
        continue
        ;;
    esac
    eval "set -- $line"
    code=0
    NO_COLOR=1 "$program" compile -a G92 -d 1 "$@" > "$work/out" 2> "$work/err" || code=$?
    if [ -s "$work/out" ] || { [ $code != 2 ] && [ $code != 3 ]; }; then
        echo "FAILED: compile $line: exit $code, or something on standard output" >&2
        exit 1
    fi
    printf '\ncompile %s: exit %d\n' "$line" "$code"
    cat "$work/err"
    count=$((count + 1))
    echo "$count" > "$work/count"
done < syntax.txt > "$work/all"
if [ $accept = yes ]; then
    cp "$work/all" syntax.out
elif ! diff -u syntax.out "$work/all"; then
    exit 1
fi
echo "$(cat "$work/count") refusals as expected"
