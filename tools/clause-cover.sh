#!/bin/sh
# SPDX-License-Identifier: MIT
# clause-cover.sh ROOT: which clauses of docs/clauses.md does nobody mention?
# Prints those without a mention in src/ (a report) and those without one in tests/ (a
# failure).  With --src, a clause without a mention in src/ fails as well.
set -eu

strict=no
if [ "${1:-}" = --src ]; then
    strict=yes
    shift
fi
root=${1:-.}

clauses() {
    sed -n 's/^| \(PC\.[A-Z0-9]*\.[0-9][0-9]*\) |.*/\1/p' "$root/docs/clauses.md"
}

# All ids that the C files of a folder mention, one a line.
mentioned() {
    find "$root/$1" -name '*.[ch]' -o -name '*.def' | sort |
        xargs grep -hoE 'PC\.[A-Z0-9]+\.[0-9]+' | sort -u
}

# Ids of standard input that the folder does not mention.
missing() {
    mentioned "$1" | awk 'NR == FNR { seen[$0] = 1; next } !($0 in seen)' - "$2"
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
clauses >"$list"

total=$(wc -l <"$list")
twice=$(sort "$list" | uniq -d)
unknown=$( (mentioned src; mentioned tests) | sort -u |
    awk 'NR == FNR { seen[$0] = 1; next } !($0 in seen)' "$list" -)
no_src=$(missing src "$list")
no_test=$(missing tests "$list")

report() { # report TITLE LIST
    printf '%s: %s of %s\n' "$1" "$(printf '%s' "$2" | grep -c . || true)" "$total"
    [ -z "$2" ] || printf '%s\n' "$2" | sed 's/^/  /'
}
report 'clauses without a mention in src/' "$no_src"
report 'clauses without a test' "$no_test"
status=0
if [ "$total" -eq 0 ]; then
    echo 'docs/clauses.md holds no clause' && status=1
fi
[ -z "$twice" ] || { printf 'ids used twice:\n%s\n' "$twice" && status=1; }
[ -z "$unknown" ] || { printf 'ids that are no clause:\n%s\n' "$unknown" && status=1; }
[ -z "$no_test" ] || status=1
[ $strict = no ] || [ -z "$no_src" ] || status=1
exit $status
