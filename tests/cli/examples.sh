#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples of the helps and of the man pages are calls that the program takes: run where their
# files are missing, each works, or says of a file that it is not there.
#   examples.sh PROGRAM
# shellcheck disable=SC2016 # no expansions in patterns
set -u
program=$(realpath "${1:?usage: examples.sh PROGRAM}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin
ln -s "$program" bin/pcounter
PATH=$work/bin:$PATH

# helps: two blanks before the call, comments two blanks behind it
for verb in $("$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$program" "$verb" --help | sed -n 's/^  \(pcounter [^|]*[^| ]\).*/&/p' |
        sed 's/^  //; s/   *[A-Za-z].*$//; s/ | .*$//'
done >calls
# pages: displayed lines and blocks, continued ones joined, \e is a backslash
for page in "$root"/man/*.[157]; do
    sed -n 's/^\.Dl \(pcounter .*\)/\1/p; /^\.Bd -literal/,/^\.Ed/p' "$page" |
        sed 's/\\e/\\/g; s/\\&//g; s/\\-/-/g' | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' |
        sed -n '/^pcounter /p' | sed 's/ | .*$//'
done >>calls
run=0
bad=0
while read -r call; do
    case $call in
    *...* | *NAME* | *ADDR:SIZE*) continue ;; # a form, not a call
    esac
    run=$((run + 1))
    message=$(eval "$call" 2>&1 >/dev/null </dev/null)
    code=$?
    case $code:$message in
    0:* | 1:*) ;;
    *"this build has no"*) echo "SKIP: $call: $message" >&2 ;;
    *PC-E0500* | *PC-E0906* | *PC-E1023* | *PC-E0507* | *PC-E0801*) ;;
    *PC-E2101* | *PC-E210[2-4]*) ;; # no card there, or one that a driver has
    *) echo "FAILED: $call: $message" >&2; bad=$((bad + 1)) ;;
    esac
done <calls
# READMEs of the examples: in their folder, where their own files are
for page in "$root"/examples/*/README.md; do
    sed 's/^    //; s/^\$ //' "$page" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' |
        sed -n '/^pcounter /p' | sed 's/ | .*$//; s/  # .*//' >calls
    while read -r call; do
        case $call in
        *...* | *NAME* | *' >'* | *' -o '* | *--log*) continue ;; # a form, or it writes
        esac
        run=$((run + 1))
        message=$(cd "$(dirname "$page")" && eval "$call" 2>&1 >/dev/null </dev/null)
        code=$?
        case $code:$message in
        0:* | 1:* | 3:*) ;;
        *PC-E0500* | *PC-E0906* | *PC-E1023* | *PC-E1320*) ;;
        *) echo "FAILED: $page: $call: $message" >&2; bad=$((bad + 1)) ;;
        esac
    done <calls
done
echo "$((run - bad)) of $run examples are calls"
[ $bad -eq 0 ] && [ $run -gt 60 ]
