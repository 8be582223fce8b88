# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: MIT
# Sourced by tests that set $program and $work: a report of a running simulation is the report of the waveform that the same run dumped, but
# for the name of its input.
fail() {
    echo "FAIL: $1" >&2
    exit 1
}

checks=0
# WAVEFORM VERB OPTION... -- SIMULATION
equal() {
    wave=$1 verb=$2
    shift 2
    n=0
    for word in "$@"; do
        [ "$word" != -- ] || break
        n=$((n + 1))
    done
    "$program" "$verb" "$@" >"$work/live" 2>"$work/err" ||
        { cat "$work/err" >&2; fail "$verb $*: exit code"; }
    # the options again, with the waveform in place of the command
    while [ $# -gt "$n" ]; do
        last=$#
        i=0
        for word in "$@"; do
            i=$((i + 1))
            [ "$i" -eq 1 ] && set --
            [ "$i" -eq "$last" ] || set -- "$@" "$word"
        done
    done
    "$program" "$verb" "$wave" "$@" >"$work/dumped" 2>"$work/err" ||
        { cat "$work/err" >&2; fail "$verb $wave $*: exit code"; }
    for report in live dumped; do
        sed -E 's/"(trace|waveform|file)": "[^"]*"//; s/^Counts of [^ ]+ at/Counts at/
            s,^(vvp|soc|/[^,]*/soc.vcd)\,,\,,' \
            "$work/$report" >"$work/$report.same"
    done
    diff "$work/dumped.same" "$work/live.same" >&2 || fail "$verb $*: the reports differ"
    checks=$((checks + 1))
}

need() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "SKIP $2: $1 (Debian: $3) is not installed;"
        echo "SKIP $2: a running simulation of it is not compared with its waveform."
        exit 77
    }
}
