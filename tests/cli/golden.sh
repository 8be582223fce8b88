#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden tests of the command line: each DIRECTORY/NAME.args holds the arguments of one run (as
# shell words, no expansions; @EXAMPLES@ is the folder of examples), NAME.out what it prints and
# its exit code, NAME.in its standard input if it has one.
#
#   golden.sh [--accept] [-C FOLDER] [-v VERB] PROGRAM DIRECTORY
#     --accept   what comes out becomes right
#     -C FOLDER  runs happen there, instead of in DIRECTORY
#     -v VERB    what stands before the arguments
set -eu
accept=no
folder=
verb=
while :; do
    case ${1-} in
    --accept) accept=yes ;;
    -C) folder=$2; shift ;;
    -v) verb=$2; shift ;;
    *) break ;;
    esac
    shift
done
usage='usage: golden.sh [--accept] [-C FOLDER] [-v VERB] PROGRAM DIRECTORY'
program=$(realpath "${1:?$usage}")
directory=$(realpath "${2:?$usage}")
examples=$(realpath "$(dirname "$0")/../../examples")
cd "${folder:-$directory}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=0
bad=0
for args in "$directory"/*.args; do
    name=$(basename "$args" .args)
    line=$(sed "s|@EXAMPLES@|$examples|g" "$args")
    input=/dev/null
    [ ! -e "${args%.args}.in" ] || input=${args%.args}.in
    set -f
    eval "set -- $verb $line"
    set +f
    code=0
    NO_COLOR=1 "$program" "$@" >"$work/out" 2>"$work/err" <"$input" || code=$?
    {
        cat "$work/out"
        echo '--- stderr'
        cat "$work/err"
        echo "--- exit $code"
    } | sed "s/pcounter [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*/pcounter VERSION/; s|$examples|@EXAMPLES@|g" >"$work/got"
    run=$((run + 1))
    if [ $accept = yes ]; then
        cp "$work/got" "${args%.args}.out"
    elif ! diff -u "${args%.args}.out" "$work/got"; then
        echo "FAILED: pcounter $verb $line ($name)" >&2
        bad=$((bad + 1))
    fi
done
for out in "$directory"/*.out; do
    if [ ! -e "${out%.out}.args" ]; then
        echo "FAILED: $out belongs to no case" >&2
        bad=$((bad + 1))
    fi
done
echo "$((run - bad)) passed, $bad failed"
[ $bad -eq 0 ] && [ $run -gt 0 ]
