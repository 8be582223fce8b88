#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/generated/*.md must be what the rows print today.
#   docs_fresh.sh PRINT_DOCS            compares
#   docs_fresh.sh --accept PRINT_DOCS   writes them anew
set -eu
accept=no
if [ "${1:-}" = --accept ]; then
    accept=yes
    shift
fi
program=${1:?usage: docs_fresh.sh [--accept] PRINT_DOCS}
docs=$(dirname "$0")/../../docs/generated
mkdir -p "$docs"
bad=0
for name in variants registers; do
    if [ $accept = yes ]; then
        "$program" $name >"$docs/$name.md"
    elif ! "$program" $name | diff -u "$docs/$name.md" -; then
        echo "docs/generated/$name.md is not up to date: run tests/regs/docs_fresh.sh --accept $program" >&2
        bad=1
    fi
done
exit $bad
