#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh NATIVE COMMAND...: both print the same, line by line.
set -eu
native=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$native" >"$work/native"
"$@" >"$work/other"
diff -u "$work/native" "$work/other"
test -s "$work/native"
