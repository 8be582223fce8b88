#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: run_golden.sh PCOUNTER [--accept]
#
# Runs `pcounter run` for each run-*.pcs beside this file and compares what it says with
# run-*.out: standard output, standard error (lines with "! " before them), files it
# wrote (@TMP@ is their folder), exit code. A script may hold lines of the form
#   # args: OPTIONS     instead of the script's name alone; @FILE@ is that name
#   # stdin             the script comes through standard input
set -u
program=$1
accept=${2:-}
cd "$(dirname "$0")" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

one() {
    file=$1
    rm -rf "$scratch/files"
    mkdir "$scratch/files"
    arguments=$(sed -n 's/^# args: *//p' "$file")
    arguments=$(printf '%s\n' "${arguments:-@FILE@}" |
        sed "s|@FILE@|$file|g; s|@TMP@|$scratch/files|g")
    input=/dev/null
    grep -q '^# stdin' "$file" && input=$file
    # shellcheck disable=SC2086 # the words of the line are the arguments
    "$program" run $arguments <"$input" >"$scratch/stdout" 2>"$scratch/stderr"
    code=$?
    sed "s/pcounter [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*/pcounter VERSION/" "$scratch/stdout"
    sed "s|$scratch/files|@TMP@|g; s/^/! /" "$scratch/stderr"
    for written in "$scratch"/files/*; do
        [ -f "$written" ] || continue
        echo "file $(basename "$written")"
        od -A x -t x1 "$written"
    done
    echo "exit $code"
}

failed=0
count=0
for file in run-*.pcs; do
    expected=${file%.pcs}.out
    one "$file" >"$scratch/got"
    count=$((count + 1))
    if [ "$accept" = --accept ]; then
        cp "$scratch/got" "$expected"
    elif ! diff -u "$expected" "$scratch/got"; then
        echo "FAILED $file"
        failed=1
    fi
done
echo "$count cases"
[ "$count" -gt 0 ] || failed=1
exit "$failed"
