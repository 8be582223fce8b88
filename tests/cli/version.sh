#!/bin/sh
# SPDX-License-Identifier: MIT
# pcounter version says of each optional part what the build says.
#   version.sh PROGRAM PART=1|0...
set -eu
program=$1
shift
said=$("$program" version)
for part in "$@"; do
    case $part in
    *=1) want="  ${part%=*}  *yes" ;;
    *) want="  ${part%=*}  *no (needs .*)" ;;
    esac
    echo "$said" | grep -qx "$want" || { echo "no line \"$want\" in:"; echo "$said"; exit 1; } >&2
done
[ "$(echo "$said" | wc -l)" = $(($# + 1)) ] || { echo "$said"; exit 1; } >&2
