#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden tests of the command line: each tests/cli/VERB/NAME.args holds the arguments of one
# run (as shell words), NAME.out what it prints and its exit code, NAME.in its standard
# input if it has one. Runs happen in tests/cli/data.
#
#   golden.sh PROGRAM [accept] [DIRECTORY]...     accept: what comes out becomes right; stat
#                                                 if no directory is given
set -eu
program=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
mode=check
if [ "${1-}" = accept ]; then
    mode=accept
    shift
fi
[ $# -gt 0 ] || set -- "$here/stat"
got=$(mktemp)
errors=$(mktemp)
trap 'rm -f "$got" "$errors"' EXIT
bad=0
count=0

# Arguments, standard input -> what came out, in $got. The version is not part of it.
run() {
    input=/dev/null
    [ ! -e "${1%.args}.in" ] || input=${1%.args}.in
    code=0
    (
        words=$(cat "$1")
        cd "$here/data"
        eval "set -- $words"
        NO_COLOR=1 "$program" "$@" <"$input" 2>"$errors"
    ) >"$got" || code=$?
    {
        echo '--- stderr'
        cat "$errors"
        echo "--- exit $code"
    } >>"$got"
    sed -i 's/pcounter [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*/pcounter VERSION/' "$got"
}

for directory; do
    for args in "$directory"/*.args; do
        [ -e "$args" ] || continue
        count=$((count + 1))
        run "$args"
        out=${args%.args}.out
        if [ "$mode" = accept ]; then
            cmp -s "$got" "$out" || { cp "$got" "$out" && echo "accepted $out"; }
        elif ! diff -u "$out" "$got" >&2; then
            echo "FAILED $args" >&2
            bad=1
        fi
    done
    for out in "$directory"/*.out; do
        if [ -e "$out" ] && [ ! -e "${out%.out}.args" ]; then
            echo "FAILED $out belongs to no run" >&2
            bad=1
        fi
    done
done
echo "$count runs"
[ "$count" -gt 0 ] || bad=1
exit $bad
