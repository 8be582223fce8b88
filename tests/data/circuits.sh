#!/bin/sh
# SPDX-License-Identifier: MIT
# circuits.sh PROGRAM FILE: the program finds what the file has, line by line.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" >"$work/found"
diff -u "$2" "$work/found"
test "$(wc -l <"$work/found")" -eq 223
