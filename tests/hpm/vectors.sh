#!/bin/sh
# SPDX-License-Identifier: MIT
# Replays every file of vectors in a folder: profile rtl must agree on every value, and spec must
# not (the recordings are of the RTL), which shows that a difference is noticed.
#   vectors.sh PROGRAM FOLDER
set -eu
program=${1:?usage: vectors.sh PROGRAM FOLDER}
folder=${2:?usage: vectors.sh PROGRAM FOLDER}
files=$(ls "$folder"/*.txt "$folder"/*.txt.gz 2>/dev/null || true)
if [ -z "$files" ]; then
    printf '\n*** SKIP vectors of CVA6: none in %s ***\n\n' "$folder" >&2
    exit 77
fi
bad=0
count=0
for file in $files; do
    count=$((count + 1))
    code=0
    "$program" check "$file" || code=$?
    if [ $code -ne 0 ]; then
        echo "FAILED: exit $code: $file" >&2
        bad=$((bad + 1))
    fi
    code=0
    "$program" check --profile spec "$file" >/dev/null || code=$?
    if [ $code -ne 1 ]; then
        echo "FAILED: profile spec: exit $code, not 1: $file" >&2
        bad=$((bad + 1))
    fi
done
echo "$count files, $bad failed"
[ $bad -eq 0 ]
