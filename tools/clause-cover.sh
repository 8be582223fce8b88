#!/bin/sh
# SPDX-License-Identifier: MIT
# clause-cover.sh [--src] ROOT: which clauses and decisions of docs/hardware does nobody mention?
#
# Lists the clauses (clauses.md, clauses-pdaemon.md) without a mention in src/ (a report; a
# failure with --src) and those without one in tests/ (a failure).  A clause may instead stand in
# the table "Tested elsewhere", whose test must then exist.  Ids that are no clause, or that two
# clauses share, are failures, too.
#
# Decisions (D-01, decisions.md): each one that the tree cites has an entry, and src/ or tests/ cite
# each entry, unless it stands in the table "Entries without code", where none stands for nothing.
set -eu

strict=no
if [ "${1:-}" = --src ]; then
    strict=yes
    shift
fi
root=${1:-.}
decisions=$root/docs/hardware/decisions.md
doc="$root/docs/hardware/clauses.md $root/docs/hardware/clauses-pdaemon.md"

clauses() {
    # shellcheck disable=SC2086 # two files
    sed -n 's/^| \(P[CD]\.[A-Z0-9]*\.[0-9][0-9]*\) |.*/\1/p' $doc
}

# mentioned FOLDER: all ids in its sources, one a line.
mentioned() {
    find "$root/$1" \( -name '*.[ch]' -o -name '*.def' \) -exec cat {} + |
        grep -oE 'P[CD]\.[A-Z0-9]+\.[0-9]+' | sort -u
}

# Rows of "Tested elsewhere" as FILE TEST ID...
elsewhere() {
    # shellcheck disable=SC2086 # two files
    sed -n '/^## Tested elsewhere/,$s/^| \(tests[^ ]*\) | \([^ ]*\) | \(.*\) |$/\1 \2 \3/p' $doc
}

# without LIST: ids of standard input that are not among the lines of LIST.
without() {
    { printf '%s\n' "$1" | sed 's/^/-/'; cat; } |
        awk '/^-/ { seen[substr($0, 2)] = 1; next } !($0 in seen)'
}

# report TITLE LIST
report() {
    printf '%s: %s of %s\n' "$1" "$(printf '%s' "$2" | grep -c . || true)" "$total"
    [ -z "$2" ] || printf '%s\n' "$2" | sed 's/^/  /'
}

# Decisions that have an entry, and those that need no code, one a line.
entries() {
    sed -n 's/^\*\*\(P\{0,1\}D-[0-9][0-9]*[a-z]\{0,1\}\) .*/\1/p' "$decisions"
}
without_code() {
    sed -n '/^## Entries without code/,$s/^| \(P\{0,1\}D-[0-9][0-9]*[a-z]\{0,1\}\) | ..* |$/\1/p' "$decisions"
}

# cited FOLDER...: decisions that its files name, one a line.
cited() {
    (cd "$root" && grep -rhoIwE 'P?D-[0-9]+[a-z]?' "$@" | sort -u)
}

status=0
complain() { # complain TITLE LIST: a failure, if there is anything in the list
    [ -n "$2" ] || return 0
    printf '%s\n%s\n' "$1" "$2" | sed '2,$s/^/  /'
    status=1
}

all=$(clauses)
total=$(printf '%s\n' "$all" | grep -c . || true)
in_src=$(mentioned src)
in_tests=$(mentioned tests)
linked=$(elsewhere | tr ' ' '\n' | grep '^P[CD]\.' || true)
broken=$(elsewhere | while read -r file test _; do
    grep -q "[^a-z_]$test(" "$root/$file" 2>/dev/null || echo "$file: $test"
done)
no_src=$(printf '%s\n' "$all" | without "$in_src")
no_test=$(printf '%s\n' "$all" | without "$in_tests
$linked")
unknown=$(printf '%s\n%s\n%s\n' "$in_src" "$in_tests" "$linked" | sort -u | grep . | without "$all")

report 'clauses without a mention in src/' "$no_src"
report 'clauses without a test' "$no_test"
[ "$total" -gt 0 ] || complain 'no clause found in' "$doc"
complain 'ids of two clauses:' "$(printf '%s\n' "$all" | sort | uniq -d)"
complain 'ids that are no clause:' "$unknown"
complain 'tests that do not exist:' "$broken"

entries=$(entries)
in_code=$(cited src tests)
exempt=$(without_code)
[ -n "$entries" ] || complain 'no decision found in' "$decisions"
complain 'decisions with two entries:' "$(printf '%s\n' "$entries" | sort | uniq -d)"
complain 'decisions that are cited, without an entry:' \
    "$(cited src cli include tests docs man data bench examples | without "$entries")"
complain 'decisions that neither src/ nor tests/ cite:' "$(printf '%s\n' "$entries" | without "$in_code
$exempt")"
complain '"Entries without code" that have code, or no entry:' \
    "$(printf '%s\n' "$exempt" | grep . | awk -v code="$in_code" -v entries="$entries" '
        BEGIN { n = split(code, a, "\n"); for (i = 1; i <= n; i++) cited[a[i]] = 1
                n = split(entries, a, "\n"); for (i = 1; i <= n; i++) entry[a[i]] = 1 }
        ($0 in cited) || !($0 in entry)')"
printf 'decisions: %s, without code: %s\n' "$(printf '%s\n' "$entries" | grep -c .)" \
    "$(printf '%s\n' "$exempt" | grep -c .)"
[ -z "$no_test" ] || status=1
[ $strict = no ] || [ -z "$no_src" ] || status=1
exit $status
