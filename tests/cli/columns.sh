#!/bin/sh
# SPDX-License-Identifier: MIT
# The columns of CSV that --help and the man pages name are those that the program prints.
#   columns.sh PROGRAM FOLDER_OF_MAN_PAGES     (in the root of the sources)
set -eu
program=$(realpath "${1:?usage: columns.sh PROGRAM FOLDER_OF_MAN_PAGES}")
man=$(realpath "${2:?usage: columns.sh PROGRAM FOLDER_OF_MAN_PAGES}")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
tried=0

# Words of a text from after FROM to before TO (both sed's): "a, b (c, d) and e" is a,b,e.
words() {
    tr '\n' ' ' | sed -n "s/.*$1\\(.*\\)/\\1/p" | sed "s/$2.*//; s/([^)]*)//g; s/ and / , /g; s/ //g; s/,,*/,/g; s/^,//; s/,\$//"
}

same() { # WHAT PRINTED NAMED
    tried=$((tried + 1))
    [ -n "$2" ] && [ "$2" = "$3" ] && return
    echo "FAILED: $1: the program prints \"$2\", named are \"$3\""
    bad=1
}

header() { "$program" "$@" 2> "$work/errors" | head -n 1 | tr -d '\r'; }
help() { "$program" "$1" --help | words 'CSV columns:' '[.;]'; }
# Macros of a man page as text: .Ql x is x, .Pq and .Fl lines are in brackets.
page() { sed 's/^\.Pq \(.*\)\( [,.;]\)$/(\1)\2/; s/^\.Pq \(.*\)/(\1)/; /^\.\\"/d; s/^\.[A-Z][a-z] //' "$man/$1"; }

set -- stat -q --clock sample -e cs_n examples/capture/spi.csv --format csv
stat=$(header "$@")
same 'stat --help' "$stat" "$(help stat)"
same 'pcounter(1)' "$stat" "$(page pcounter.1 | words 'after those of every run, which are' ';')"
same 'stat -I' "$stat,interval,time,seconds" "$(header "$@" -I 10)"
same 'stat --help, -I' interval,time,seconds "$("$program" stat --help | words 'With  *-I also' ', empty')"
same 'pcounter(1), -I' interval,time,seconds "$(page pcounter.1 | words 'CSV has the columns' 'after those')"

idle=$(header idle -q --script --format csv --window 21600000c --governor gk20a --start-level 6 examples/idle/frames.pcs)
same 'idle --help' "$idle" "$(help idle)"

plan=$(header plan -q -a G92 -d 1 -e 's10, s11' --format csv)
same 'plan --help' "$plan" "$(help plan)"
same 'compile --help' "$(header compile -a G92 event=s10 --format csv)" "$(help compile)"

same 'run --help' "$(header run -q --format csv examples/scripts/nv34-quad-pm-trigger.pcs)" "$(help run)"
same 'replay --help' "$(header replay -q --format csv tests/cli/regs/counters.mmt)" "$(help replay)"

record=$(header record -q -c t.clk --stop t.s --format csv tests/cli/data/record.vcd)
same 'record --help' "$record" "$(help record)"

same 'settle --help' "$(header settle -a G92 --format csv quad-exit)" "$(help settle)"

diff=$(header diff --format csv tests/cli/diff/units.json tests/cli/diff/units_other.json)
same 'diff --help' "$diff" "$(help diff)"
same 'pcounter(1), diff' "$diff" "$(page pcounter.1 | words 'Rows of csv have the columns' ';')"

# no verb that names columns is left out
for verb in $("$program" -h | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    case $verb in stat | record | idle | plan | compile | run | replay | diff | settle) continue ;; esac
    "$program" "$verb" --help 2> /dev/null | grep -q 'CSV columns' || continue
    echo "FAILED: $verb --help names columns, and this test does not look"
    bad=1
done
echo "$tried tried"
[ $bad -eq 0 ]
