#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs examples: the lines `# $ pcounter compile ...` of a file are compiled, the rest of the file
# follows as a script, and `pcounter run` holds what is read against what stands there.
#   run.sh [-p PROGRAM] FILE...
set -eu
program=pcounter
if [ "${1-}" = -p ]; then
    program=$2
    shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$@"; do
    : > "$work/script"
    sed -n 's/^# \$ pcounter //p' "$file" > "$work/commands"
    while IFS= read -r line; do
        eval "set -- $line"
        "$program" "$@" --format script > "$work/part"
        if [ -s "$work/script" ]; then # the chip is named once
            sed -i '/^chip /d' "$work/part"
        fi
        cat "$work/part" >> "$work/script"
    done < "$work/commands"
    cat "$file" >> "$work/script"
    "$program" run "$work/script" > "$work/out" || {
        cat "$work/out"
        echo "$file: differs" >&2
        exit 1
    }
    echo "$file: $(grep -c '^r ' "$file") values as expected"
done
