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
events='a&b,rise(a),prev(prev(prev(b)))&a,v==3,v[9:5]<v[4:0],edge(v[2])'

# Rows are held in a temporary file until all have ended well: where that has no room, none is printed.
code=0
# shellcheck disable=SC2086
(ulimit -f 20000 && "$mpirun" $options -n 2 "$mpi" stat -q --clock clk -e a -I 1 --format json "$work/known.vcd") \
    >"$work/out" 2>"$work/err" || code=$?
[ $code != 0 ] || fail 'rows without room: no error'
grep -q 'cannot write the rows to a temporary file: File too large' "$work/err" || fail "rows without room: $(cat "$work/err")"
[ ! -s "$work/out" ] || fail 'rows without room: some were printed'

# A plain VCD is read together; what is compressed is read by each and counted together.
gzip -c "$work/known.vcd" >"$work/known.vcd.gz"
gzip -c "$work/unknown.vcd" >"$work/unknown.vcd.gz"
for suffix in vcd vcd.gz; do
    known=$work/known.$suffix
    unknown=$work/unknown.$suffix
    same "1 2 3 4" stat --clock clk -e "$events" "$known"
    same 3 stat --clock clk -e "$events" --format json "$unknown"
    same 3 stat --clock clk -e "$events" --format csv --swap-every 100000 -j 2 "$known"
    same 3 stat --clock clk -e "$events" --from 70000 --to 0.2ms "$known"
    same "1 3" stat --clock clk -e "$events" -I 20000 --format csv "$unknown"
    same 2 stat --clock clk -e "$events" -I 70us "$known"
    same 3 stat --clock clk -e "$events,a,b,v[0],v[1]" --multiplex=1000 "$known"
    same 3 stat --clock clk -e "$events" --x error "$unknown"
    same "2 4" stat --clock "negedge clk iff a" -e "b, v==5" "$known"
    same 2 stat --clock "b'" -e "a" "$known"
done
{
    head -c 1500000 "$work/known.vcd"
    # shellcheck disable=SC2016
    printf '\n$comment #12345 in between $end\n'
    tail -c +1500001 "$work/known.vcd"
} >"$work/broken.vcd"
same "2 3" stat --clock clk -e "$events" "$work/broken.vcd"
same 3 stat --clock clk -e "$events" "$work/short.vcd"
same 3 stat --clock clk -e "$events" -I 5000 --format json "$work/known.vcd" "$work/short.vcd"
same 3 stat --clock clk -e "$events" -I 5000 --format jsonl "$work/known.vcd"
same "1 4" stat --clock clk -e "$events" --format json "$work/known.vcd" "$work/short.vcd" \
    "$work/unknown.vcd"
same 3 stat --clock nothing -e a "$work/short.vcd"
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
    [ $code != 124 ] || return 124 # it does not end
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

set -- stat --clock clk -e "$events"
fails 'PC-E0903.*rank 1 of 2' -n 1 "$mpi" "$@" "$work/known.vcd" : \
    -n 1 "$mpi" "$@" "$work/missing.vcd"
set -- stat --clock clk -e "$events" -o "$work/report.json"
fails 'PC-E0903.*rank 2 of 3' -n 2 "$mpi" "$@" "$work/short.vcd" : \
    -n 1 "$mpi" stat --oops "$work/short.vcd"
fails 'PC-E0500' -n 1 "$mpi" "$@" "$work/missing.vcd" : -n 2 "$mpi" "$@" "$work/known.vcd"
fails 'PC-E0535' -n 1 "$mpi" "$@" "$work/known.vcd" : -n 1 "$mpi" "$@" "$work/unknown.vcd"
fails 'PC-E0904' -n 1 "$mpi" "$@" "$work/known.vcd.gz" : -n 1 "$mpi" "$@" "$work/unknown.vcd.gz"
fails 'PC-E0904' -n 1 "$mpi" "$@" "$work/known.vcd" : -n 1 "$mpi" "$@" "$work/known.vcd.gz"
fails 'PC-E0904' -n 1 "$mpi" "$@" "$work/known.vcd.gz" : -n 1 "$mpi" "$@" "$work/known.vcd"
fails 'PC-E0904' -n 1 "$mpi" "$@" "$work/short.vcd" : -n 1 "$mpi" "$@" "$work/known.vcd"
sh "$here/make_vcd.sh" 50 1 >"$work/longer.vcd"
fails 'PC-E0904' -n 1 "$mpi" "$@" "$work/short.vcd" : -n 1 "$mpi" "$@" "$work/longer.vcd"
fails 'PC-E0903.*rank 1' -n 1 "$mpi" "$@" "$work/short.vcd" "$work/known.vcd" : \
    -n 1 "$mpi" "$@" "$work/short.vcd" "$work/missing.vcd"

# A rank that is killed: the second one, as soon as it runs. If that is before it has joined the
# others, mpirun has its own words for it, or waits forever for ranks that have all ended: it is asked
# again then.
# shellcheck disable=SC2016
echo 'echo $$ >"$1"; shift; exec "$@"' >"$work/tell_pid"
for try in 1 2 3; do
    rm -f "$work/pid" "$work"/report*
    {
        while [ ! -s "$work/pid" ]; do sleep 0.05; done
        kill -9 "$(cat "$work/pid")"
    } &
    fails '[a-z]' -n 1 "$mpi" "$@" "$work/known.vcd" : \
        -n 1 sh "$work/tell_pid" "$work/pid" "$mpi" "$@" "$work/known.vcd" && break
    wait
    [ "$try" != 3 ] || fail 'mpirun does not end when a rank was killed'
done
wait
echo "$runs runs"
