#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands that README.md shows in ```console blocks work and print what it shows: every
# shown line must come, in that order (a block may leave lines out).
#   readme.sh PROGRAM     run in the root of the sources
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/pcounter"
PATH=$work/bin:$PATH
awk -v work="$work" '
    /^```console/ { inside = 1; next }
    /^```/ { inside = 0; next }
    inside && /^\$ / { n++; print substr($0, 3) > (work "/" n ".cmd"); printf "" > (work "/" n ".want"); next }
    inside && n { print > (work "/" n ".want") }
    END { print n + 0 }' README.md >"$work/count"
count=$(cat "$work/count")
failed=0
for i in $(seq 1 "$count"); do
    if ! sh "$work/$i.cmd" >"$work/got" 2>"$work/err"; then
        echo "FAILED: $(cat "$work/$i.cmd")"
        cat "$work/err"
        failed=$((failed + 1))
        continue
    fi
    if ! awk 'FILENAME == ARGV[1] { want[++n] = $0; next }
              { sub(/\r$/, "") } # rows of CSV
              at < n && $0 == want[at + 1] { at++ }
              END { if (at < n) { print "missing: " want[at + 1]; exit 1 } }' "$work/$i.want" "$work/got"; then
        echo "FAILED: $(cat "$work/$i.cmd")"
        failed=$((failed + 1))
    fi
done
echo "$((count - failed)) passed, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" = 0 ]
