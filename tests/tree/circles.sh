#!/bin/sh
# SPDX-License-Identifier: MIT
# No files of the library call each other in a circle: each can be read after those that it needs.
#   circles.sh OBJECT...   (all of the library)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
for object in "$@"; do
    file=${object##*.dir/}
    nm "$object" | awk -v file="${file%.o}" 'NF > 1 { print $(NF - 1), $NF, file }'
done >"$work/symbols"
awk '$1 ~ /^[BCDRT]$/ { home[$2] = $3 }
     $1 == "U" { from[++n] = $3; name[n] = $2 }
     END { for (i = 1; i <= n; i++)
               if (name[i] in home && home[name[i]] != from[i]) print from[i], home[name[i]], name[i] }' \
    "$work/symbols" | sort >"$work/calls"
[ "$(wc -l <"$work/calls")" -gt 500 ] || { echo 'too few calls were found' >&2; exit 1; }
if ! cut -d' ' -f1,2 "$work/calls" | tsort >/dev/null 2>"$work/circle"; then
    sed -n 's/^tsort: \(.*\.c\)$/\1/p' "$work/circle" >"$work/files"
    echo 'these call each other in a circle: file, whom, what' >&2
    awk 'NR == FNR { in_circle[$1] = 1; next } $1 in in_circle && $2 in in_circle' \
        "$work/files" "$work/calls" >&2
    exit 1
fi
echo "$(wc -l <"$work/calls") passed, 0 failed"
