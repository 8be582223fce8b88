#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter bus` finds the clock of a bus by when its signals change.  Two clocks of names that say
# nothing: each edge of the slow one is also one of the fast one.
#   bus_clock.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head_of() {
    cat <<'VCD'
$timescale 1ns $end
$scope module tb $end
$var wire 1 c clk_a $end
$var wire 1 d clk_b $end
$var wire 1 v in_valid $end
$var wire 1 r in_ready $end
$upscope $end
$enddefinitions $end
#0
0c
0d
0v
1r
VCD
}

# regular MOVES LATE: valid changes so often, LATE after edges of clk_a
regular() {
    head_of
    awk -v moves="$1" -v late="$2" 'BEGIN {
        for (t = 10; t < 2000; t++) {
            s = ""
            if (t % 20 == 10) s = s "1c\n"
            if (t % 20 == 0) s = s "0c\n"
            if (t % 10 == 0) s = s "1d\n"
            if (t % 10 == 5) s = s "0d\n"
            k = int((t - late - 10) / 60)
            if ((t - late - 10) % 60 == 0 && k >= 1 && k <= moves) s = s (k % 2) "v\n"
            if (s != "") printf "#%d\n%s", t, s
        }
        print "#2000" }'
}

# ahead: an edge of clk_a comes 2 after each change, however long the one before was ago; none comes
# after the last change. clk_b is regular.
ahead() {
    head_of
    awk 'BEGIN {
        t = 20
        for (k = 1; k <= 120; k++) {
            t += 20 + k * k % 17
            at[t] = at[t] (k % 2) "v\n"
            if (k < 120) {
                at[t + 2] = at[t + 2] "1c\n"
                at[t + 9] = at[t + 9] "0c\n"
            }
        }
        for (i = 7; i < t; i += 14) {
            at[i] = at[i] "1d\n"
            at[i + 7] = at[i + 7] "0d\n"
        }
        for (i = 1; i <= t + 20; i++)
            if (i in at) printf "#%d\n%s", i, at[i]
        printf "#%d\n", t + 40 }'
}

# clock_is WANTED WHAT: of the wave on standard input
clock_is() {
    cat >"$work/wave.vcd"
    got=$("$program" bus -q --format json "$work/wave.vcd" | sed -n 's/.*"clock": "\([^"]*\)".*/\1/p' | head -n 1)
    [ "$got" = "$1" ] || { echo "$2: clock $got, not $1"; exit 1; }
}

# Six changes at edges of the slow one may be chance (1 in 64), seven may not (1 in 128).
regular 6 0 | clock_is tb.clk_b "six changes"
regular 7 0 | clock_is tb.clk_a "seven changes"
regular 20 0 | clock_is tb.clk_a "twenty changes"
# Each as long after an edge, at a time when no clock has one
regular 20 3 | clock_is tb.clk_a "3 after an edge"
regular 6 3 | clock_is tb.clk_b "six changes, 3 after an edge"
ahead | clock_is tb.clk_a "2 before an edge"

# says TEXT: among what is said of the bus in the wave on standard input
says() {
    cat >"$work/wave.vcd"
    "$program" bus "$work/wave.vcd" >"$work/out"
    grep -qF "$1" "$work/out" || { echo "not said: $1"; cat "$work/out"; exit 1; }
}

# A reset by its name that is none by what it does
with_reset() { sed "s/^\\\$upscope/\$var wire 1 n rst_n \$end\n\$upscope/; s/^1r\$/1r\n$1n/"; }
regular 20 0 | with_reset 0 | says 'no reset: all edges count; tb.rst_n: never moves'
