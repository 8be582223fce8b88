#!/bin/sh
# SPDX-License-Identifier: MIT
# compile(decode(x)): every configuration of the example scripts and traces, decoded to a command
# line, compiles; and what comes out decodes to the same command line again.
#   decode_compile.sh PROGRAM
set -eu
program=$(realpath "${1:?usage: decode_compile.sh PROGRAM}")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for file in examples/*/*.pcs tests/cli/regs/counters.mmt; do
    "$program" decode -i "$file" --format command > "$work/commands" 2> /dev/null || continue
    while read -r line; do
        eval "set -- ${line#pcounter }"
        "$program" "$@" --format script > "$work/script" || {
            echo "$file: does not compile again: $line"
            exit 1
        }
        "$program" decode -i "$work/script" --format command > "$work/again"
        if [ "$(cat "$work/again")" != "$line" ]; then
            echo "$file: is not the same again:"
            echo "  $line"
            cat "$work/again"
            exit 1
        fi
        count=$((count + 1))
    done < "$work/commands"
done
echo "$count configurations decoded and compiled again"
[ "$count" -ge 60 ]
