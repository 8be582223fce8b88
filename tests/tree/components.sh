#!/bin/sh
# SPDX-License-Identifier: MIT
# Which functions each library has, by the headers of its list, and that it calls no other one than it may:
# the model calls libc alone, lang the model, wave the model and the libraries of its formats.
#   components.sh MODEL LANG WAVE INCLUDE_FOLDER
set -eu
model=$1
lang=$2
wave=$3
include=$4/pcounter
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
bad=0
tried=0

defined() { nm --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[A-Z]$/ { print $3 }' | sort -u; }
wanted() { nm --undefined-only "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u; }
# declared HEADER...: the functions behind PC_API
declared() {
    for header in "$@"; do cat "$include/$header.h"; done | tr '\n' ' ' | sed 's/PC_API/\n&/g' |
        sed -n 's/^PC_API[^(;]*[ *]\(pc_[a-z0-9_]*\)(.*/\1/p' | sort -u
}

# has LIBRARY HEADER...: all of the headers' functions are in it
has() {
    library=$1
    shift
    declared "$@" >"$work/declared"
    defined "$library" | comm -23 "$work/declared" - >"$work/missing"
    tried=$((tried + $(wc -l <"$work/declared")))
    [ ! -s "$work/missing" ] || { echo "${library##*/} lacks, of $*: $(tr '\n' ' ' <"$work/missing")" >&2; bad=1; }
}

# calls LIBRARY ALLOWED...: what it wants is in it, in the ALLOWED, or is no function of ours
calls() {
    library=$1
    defined "$model" "$lang" "$wave" | grep '^[a-z]*_' >"$work/ours"
    defined "$@" >"$work/there"
    wanted "$library" | comm -12 - "$work/ours" | comm -23 - "$work/there" >"$work/strange"
    [ ! -s "$work/strange" ] || { echo "${library##*/} calls: $(tr '\n' ' ' <"$work/strange")" >&2; bad=1; }
}

has "$model" base chips registers unit run live gpu idle hpm
has "$lang" names expr compile plan metric
has "$wave" wave trace
calls "$model"
calls "$lang" "$model"
calls "$wave" "$model"
# libc alone: none of the libraries that readers need
for symbol in $(wanted "$model" "$lang"); do
    case $symbol in
    inflate* | deflate* | LZ4* | ZSTD* | libdeflate* | dlopen | dlsym | pthread_create)
        echo "${model##*/} wants $symbol" >&2
        bad=1
        ;;
    esac
done
[ "$tried" -gt 100 ] || { echo 'too few functions were found' >&2; bad=1; }
[ "$bad" = 0 ] && echo "$tried passed, 0 failed"
exit "$bad"
