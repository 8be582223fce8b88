#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages are without complaint of mandoc and show something; each verb that `pcounter -h` lists
# stands in pcounter(1), has a page, and that names all options of --help. Each header that pcounter/pcounter.h includes has a
# page, and that each of its functions, types and constants.
#   man.sh PROGRAM FOLDER_OF_PAGES FOLDER_OF_MADE_PAGES FOLDER_OF_PAGES_OF_THE_LIBRARY INCLUDE_FOLDER
set -eu
program=$(realpath "$1")
written=$(realpath "$2")
made=$(realpath "$3")
library=$(realpath "$4")
include=$(realpath "$5")
bad=0
verbs=0
fail() { echo "FAILED: $*"; bad=$((bad + 1)); }
for verb in $("$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    verbs=$((verbs + 1))
    grep -Eq "^\.It Cm $verb\b" "$made/pcounter.1" || fail "pcounter(1) lacks $verb"
    [ -s "$made/pcounter-$verb.1" ] || fail "$verb has no page"
    for option in $("$program" "$verb" --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z0-9-]*\).*/\2/p'); do
        sed 's/\\-/-/g' "$made/pcounter-$verb.1" | grep -Eq "Fl -$option( |\$)" || fail "$verb: no --$option"
    done
done
[ "$verbs" -gt 10 ] || fail "$verbs verbs"
[ -s "$library/libpcounter.3" ] || fail 'the library has no page'
headers=0
# shellcheck disable=SC2013 # a name a word
for header in $(sed -n 's|^#include "pcounter/\(.*\)\.h"$|\1|p' "$include/pcounter/pcounter.h"); do
    page=$library/pcounter-$header.3
    headers=$((headers + 1))
    [ -s "$page" ] || { fail "$header.h has no page"; continue; }
    # shellcheck disable=SC2013 # the same
    for name in $(sed 's|//.*||' "$include/pcounter/$header.h" | grep -oE '\b(pc|PC)_[A-Za-z0-9_]+' | sort -u); do
        grep -qw "$name" "$page" || fail "$page: no $name"
    done
    grep -q "pcounter-$header 3" "$library/libpcounter.3" || fail "libpcounter(3) does not name pcounter-$header(3)"
done
[ $headers -gt 10 ] || fail "$headers headers"
command -v mandoc >/dev/null 2>&1 || { echo '*** SKIP man pages: mandoc is not installed ***'; exit $((bad ? 1 : 77)); }
pages=0
for page in "$made"/*.1 "$written"/*.[157] "$library"/*.3; do
    [ "$page" != "$written/pcounter.1" ] || continue # the made one has the verbs
    # missing cross references are no complaint: the pages may not be installed yet
    complaints=$(mandoc -T lint -W warning "$page" | grep -v 'referenced manual not found' || true)
    [ -z "$complaints" ] || { echo "$complaints"; bad=$((bad + 1)); }
    # .Ql takes what else stands on its line, .Ql of it as well
    nested=$(mandoc -T utf8 "$page" | grep "’’" || true)
    [ -z "$nested" ] || fail "$page: quotes in quotes: $nested"
    [ "$(mandoc -T ascii "$page" | wc -l)" -gt 20 ] || fail "$page shows nothing"
    pages=$((pages + 1))
done
echo "$pages pages, $verbs verbs, $bad failed"
[ $bad -eq 0 ] && [ $pages -gt 10 ]
