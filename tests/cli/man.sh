#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages are without complaint of mandoc and show something; each verb that `pcounter -h` lists
# stands in pcounter(1).
#   man.sh PROGRAM FOLDER
set -eu
program=$(realpath "$1")
cd "$2"
bad=0
verbs=0
for verb in $("$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    verbs=$((verbs + 1))
    if ! grep -Eq "^\.It Cm $verb\b" pcounter.1; then
        echo "FAILED: pcounter(1) lacks $verb"
        bad=1
    fi
done
[ "$verbs" -gt 10 ] || { echo "FAILED: $verbs verbs"; bad=1; }
command -v mandoc >/dev/null 2>&1 || { echo '*** SKIP man pages: mandoc is not installed ***'; exit $((bad ? 1 : 77)); }
pages=0
for page in ./*.[157]; do
    # missing cross references are no complaint: the pages may not be installed yet
    complaints=$(mandoc -T lint -W warning "$page" | grep -v 'referenced manual not found' || true)
    [ -z "$complaints" ] || { echo "$complaints"; bad=1; }
    # .Ql takes what else stands on its line, .Ql of it as well
    nested=$(mandoc -T utf8 "$page" | grep "’’" || true)
    [ -z "$nested" ] || { echo "FAILED: $page: quotes in quotes: $nested"; bad=1; }
    [ "$(mandoc -T ascii "$page" | wc -l)" -gt 20 ] || { echo "FAILED: $page shows nothing"; bad=1; }
    pages=$((pages + 1))
done
echo "$pages pages, $verbs verbs, $bad failed"
[ $bad -eq 0 ] && [ $pages -gt 10 ]
