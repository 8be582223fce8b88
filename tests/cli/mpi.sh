#!/bin/sh
# SPDX-License-Identifier: MIT
# pcounter-mpi: one to four ranks print what pcounter prints, to the byte; a rank that fails, dies
# or reads something else ends the run with an error, and nothing is written.
#
#   mpi.sh PROGRAM MPI_PROGRAM MPIRUN SHARED
set -eu
program=$1
mpi=$2
mpirun=$3
shared=$4
if [ -z "$mpi" ]; then
    echo 'SKIP: pcounter-mpi was not built, libopenmpi-dev is not installed'
    exit 77
fi
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=0

fail() {
    echo "$1" >&2
    exit 1
}

# MPI's own memory at the end is not ours to count, in a build with sanitizers.
export LSAN_OPTIONS="detect_leaks=0"
options=--oversubscribe
[ "$(id -u)" != 0 ] || options="$options --allow-run-as-root"

# A command by one process, and by these numbers of ranks.  On an exit code mpirun has to say
# something itself, so that messages are compared where there is none, and without what it says
# when it was stopped and goes on.
same() {
    ranks=$1
    shift
    code=0
    "$program" "$@" >"$work/out" 2>"$work/err" || code=$?
    for n in $ranks; do
        got=0
        # shellcheck disable=SC2086
        "$mpirun" $options -n "$n" "$mpi" "$@" >"$work/out.$n" 2>"$work/err.$n" || got=$?
        [ $got = $code ] || fail "exit code $got of $n ranks, $code of pcounter: $*"
        cmp "$work/out" "$work/out.$n" || fail "$n ranks print something else: $*"
        grep -v '^mpi[a-z]*: Forwarding signal' "$work/err.$n" >"$work/said" || :
        [ $code != 0 ] || diff "$work/err" "$work/said" || fail "$n ranks, other messages: $*"
    done
    runs=$((runs + 1))
}

sh "$here/make_vcd.sh" 250001 0 >"$work/known.vcd"
sh "$here/make_vcd.sh" 140010 2 >"$work/unknown.vcd"
sh "$here/make_vcd.sh" 40 1 >"$work/short.vcd"
echo nothing >"$work/bad.vcd"
events='a&b,rise(a),prev(prev(prev(b)))&a,v==3,v[9:5]<v[4:0],edge(v[2])'

# One waveform is rank 0's; several are dealt out, more or fewer of them than there are ranks.
same "1 3" stat --clock clk -e "$events" -I 20000 --format csv "$work/unknown.vcd"
same 3 stat --clock clk -e "$events" --format json "$work/known.vcd"
same 3 stat --clock nothing -e a "$work/short.vcd"
same 3 stat --clock clk -e "$events" -I 5000 --format json "$work/known.vcd" "$work/short.vcd"
same "1 4" stat --clock clk -e "$events" --format json "$work/known.vcd" "$work/short.vcd" \
    "$work/unknown.vcd"
same "2 3" stat --clock clk -e a -j 2 --format csv "$work/short.vcd" "$work/known.vcd" "$work/short.vcd" \
    "$work/unknown.vcd" "$work/short.vcd" "$work/short.vcd" "$work/unknown.vcd" "$work/short.vcd"
# One that fails ends the run, in its place; a check goes on.
same "2 3" stat --clock clk -e a "$work/short.vcd" "$work/bad.vcd" "$work/known.vcd" "$work/short.vcd"
if [ -d "$shared/waves" ]; then
    same 2 check --core cv64a6_imafdc_sv39 --profile rtl "$shared"/waves/cva6/cva6_towers.fst
    same 3 check --core cv64a6_imafdc_sv39 --profile spec "$shared"/waves/cva6/cva6_towers.fst \
        "$shared"/waves/cva6/cva6_median.fst "$work/short.vcd"
else
    echo 'SKIP: waveforms of ../shared are not there; made ones are compared'
fi

# Nothing on standard output, nothing left of -o, an exit code, and the error.
fails() {
    error=$1
    shift
    code=0
    # shellcheck disable=SC2086
    timeout -k 5 100 "$mpirun" $options "$@" >"$work/out" 2>"$work/err" || code=$?
    [ $code != 124 ] || fail "mpirun does not end on $error"
    [ $code != 0 ] || fail "no failure where $error was due"
    grep -q "$error" "$work/err" || fail "not $error, but $(cat "$work/err")"
    [ ! -s "$work/out" ] || fail "something was written in spite of $error"
    [ -z "$(find "$work" -name 'report*')" ] || fail "a file was left behind by $error"
    runs=$((runs + 1))
}

# check into a file, whole or not at all.
vectors=$here/../hpm/check/good.txt
"$program" check --format json "$vectors" "$vectors" "$vectors" >"$work/out"
# shellcheck disable=SC2086
"$mpirun" $options -n 2 "$mpi" check -o "$work/checked.json" "$vectors" "$vectors" "$vectors" >"$work/got"
[ ! -s "$work/got" ] || fail 'check -o by two ranks prints something'
cmp "$work/out" "$work/checked.json" || fail 'check -o by two ranks'

set -- stat --clock clk -e "$events" -o "$work/report.json"
fails 'PC-E0903.*rank 2 of 3' -n 2 "$mpi" "$@" "$work/short.vcd" "$work/known.vcd" : \
    -n 1 "$mpi" stat --oops "$work/short.vcd"
fails PC-E0502 -n 2 "$mpi" "$@" "$work/known.vcd" "$work/bad.vcd" "$work/short.vcd" "$work/known.vcd"

# A rank that is killed. All have joined when one of them opens the pipe, and none has ended before
# something comes through it: a rank that dies before it has joined may leave mpirun waiting forever.
# shellcheck disable=SC2016
echo 'echo $$ >"$1"; shift; exec "$@"' >"$work/tell_pid"
mkfifo "$work/pipe.vcd"
{
    exec 3>"$work/pipe.vcd"
    kill -9 "$(cat "$work/pid")"
    sleep 100 # the pipe stays open
} &
waits=$!
fails '[a-z]' -n 1 "$mpi" "$@" "$work/known.vcd" "$work/pipe.vcd" : \
    -n 1 sh "$work/tell_pid" "$work/pid" "$mpi" "$@" "$work/known.vcd" "$work/pipe.vcd"
kill "$waits"
wait "$waits" || :
echo "$runs runs"
