#!/bin/sh
# SPDX-License-Identifier: MIT
# Gives the output of `pcounter emit` to the tools that read it: the C compiler, xmllint, dtc. The blob
# that dtc makes says the same as the source, and a damaged blob is refused.
#   tools.sh PROGRAM CC SOURCES
set -eu
program=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cores='cv64a6_imafdc_sv39 cv64a60ax cv32a6_imac_sv32 cv32a60x cv64a6_mmu cv64a6_imafdc_sv39_wb'

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# exit code of a run whose output is in `out`
code_of() {
    code=0
    "$@" >out 2>err || code=$?
    echo $code
}

# perf-json: four files, whole; a second run says the same
"$program" emit perf-json --core cv64a6_imafdc_sv39 -o perf
[ "$(cd perf && echo *)" = 'instructions.json memory.json metrics.json microarch.json' ] || fail 'the perf files'
cp -r perf again
"$program" emit perf-json --core cv64a6_imafdc_sv39 -o perf
diff -r perf again || fail 'two runs differ'
: >plain
[ "$(code_of "$program" emit perf-json --core cv64a6_imafdc_sv39 -o plain)" = 2 ] ||
    fail 'a file taken for a directory'

# wrong calls
[ "$(code_of "$program" emit perf-json --core cv64a6_imafdc_sv93)" = 2 ] || fail 'an unknown core'
grep -q 'cv64a6_imafdc_sv39' err || fail 'no near name'
[ "$(code_of "$program" emit json --core cv64a60ax)" = 2 ] || fail 'an unknown format'
[ "$(code_of "$program" emit devicetree)" = 2 ] || fail 'no core'
[ "$(code_of "$program" emit dpi-bind --core cv32a60x)" = 3 ] || fail 'a checker of nothing'

# c-header: alone in C, and its values
for core in $cores; do
    "$program" emit c-header --core "$core" -o cva6_hpm.h
    {
        echo '#include "cva6_hpm.h"'
        echo '#include "cva6_hpm.h"'
        echo 'typedef char address[CVA6_CSR_MCYCLE == 0xb00 && CVA6_CSR_MCOUNTINHIBIT == 0x320 ? 1 : -1];'
        echo '#if CVA6_HPM_COUNTERS > 0'
        echo 'typedef char event[CVA6_EVENT_PIPELINE_STALL == 22 && CVA6_CSR_MHPMEVENT8 == 0x328 ? 1 : -1];'
        echo '#elif defined CVA6_EVENT_NONE || defined CVA6_CSR_MHPMEVENT3'
        echo '#error "events without counters"'
        echo '#endif'
    } >use.c
    "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only use.c || fail "the header of $core"
done

# c-header of a chip: every macro of a register gives the address of `pcounter list`
cat >use.awk <<'END'
FILENAME == "chip.h" {
    if (match($0, /^#define [A-Z0-9]+_PCOUNTER_[A-Z0-9_]+\([a-z, ]+\) /)) {
        split(substr($0, 9), part, /[()]/)
        arguments[part[1]] = part[2]
    }
    next
}
FNR > 1 {
    name = $1
    place = ""
    if (match(name, /^(gpc|part|hub)[0-9.]*\./)) {
        place = toupper(substr(name, 1, 3) == "par" ? "part" : substr(name, 1, 3)) "_"
        split(substr(name, length(place)), number, ".")
        unit = place == "HUB_" ? 0 : number[1]
        domain = place == "HUB_" ? number[1] : number[2]
        name = substr(name, RLENGTH + 1)
    }
    n = split(name, index_, /[][]+/)
    if (place == "") domain = index_[2]
    word = place == "" && index_[1] !~ /^MAIN_/ ? index_[3] : index_[2]
    macro = chip "_PCOUNTER_" place index_[1]
    call = macro
    if (macro in arguments) {
        call = "(" arguments[macro] ")"
        sub(/gpc|part/, unit, call)
        sub(/domain/, domain, call)
        sub(/word/, word, call)
        call = macro call
    }
    printf "typedef char r%d[%s == %s ? 1 : -1];\n", FNR, call, $2
}
END
headers=0
for chip in $("$program" list chips --format csv | awk -F, '$5 == "yes" { print $1 }'); do
    "$program" emit c-header -a "$chip" -o chip.h
    {
        echo '#include "chip.h"'
        echo '#include "chip.h"'
        # those of the unit: what is around it has no clause of PCOUNTER
        "$program" list registers -a "$chip" --format csv |
            awk -F, '$6 == "clause" || $6 ~ /^PC/' >registers.csv
        awk -F, -v chip="$chip" -f use.awk chip.h registers.csv
    } >use.c
    [ "$(grep -c typedef use.c)" -gt 20 ] || fail "registers of $chip"
    "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only use.c || fail "the header of $chip"
    headers=$((headers + 1))
done
[ $headers -gt 40 ] || fail 'too few chips'
printf 'G92,4,0x00,mem.read,"reads */ of any client"\n' >g92.csv
"$program" emit c-header -a G92 --signals g92.csv -o chip.h
{
    echo '#include "chip.h"'
    echo 'typedef char a[G92_PCOUNTER_SIGNAL_4_MEM_READ == 0 && G92_PCOUNTER_SIGNAL_1_PGRAPH_IDLE == 0xbd ? 1 : -1];'
    echo 'typedef char b[G92_PCOUNTER_CTRL_CTR_MODE_EVENT_B6 == 0x20 && G92_PCOUNTER_CTRL_CTR_MODE_MASK == 0x70 ? 1 : -1];'
    echo 'typedef char c[G92_PCOUNTER_CTRL_KEPT == 0x40f12973 && G92_PCOUNTER_CTRL_SINGLE_STATE_SHIFT == 28 ? 1 : -1];'
} >use.c
"$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only use.c || fail 'values of the header of G92'

# the example that uses it sets up what it says
examples=$3/examples/names
"$program" emit c-header -a G92 -o g92_pcounter.h
"$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -I. -o pgraph_idle "$examples/pgraph_idle.c" ||
    fail 'the example does not compile'
./pgraph_idle | "$program" decode -i - >out
sed -n '/^    G92 domain 1:/,/STOP/s/^    //p' "$examples/README.md" | cmp - out || fail 'the example'

# rnndb: well-formed for a parser that is not ours
"$program" emit rnndb -o pcounter.xml
if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout pcounter.xml || fail 'rnndb is not well-formed'
else
    echo '*** SKIP xmllint (libxml2-utils) is not installed; emit_rnndb checks the structure ***' >&2
fi

command -v dtc >/dev/null 2>&1 || {
    echo '*** SKIP the device tree part: dtc (device-tree-compiler) is not installed ***' >&2
    exit 77
}
for core in $cores; do
    "$program" emit devicetree --core "$core" -o pmu.dts
    dtc -q -I dts -O dtb -o pmu.dtb pmu.dts || fail "dtc refuses the node of $core"
    printf '/dts-v1/;\n/include/ "pmu.dts"\n/ { model = "board"; };\n' >board.dts
    dtc -q -I dts -O dtb -o board.dtb board.dts || fail "dtc refuses a board with the node of $core"
    "$program" check --devicetree pmu.dts --core "$core" >source.txt || fail "hazards of $core"
    tail -n 1 source.txt | grep -q '^0 hazards' || fail "hazards of $core"
    [ "$(code_of "$program" check --devicetree pmu.dtb --core "$core")" = 2 ] &&
        grep -q PC-E1315 err && continue # built without libfdt
    tail -n 1 out | cmp - "$(tail -n 1 source.txt >last && echo last)" || fail "source and blob of $core"
done

# one hazard in a blob
sed 's/<0x00005 0x0 0x09>,//' pmu.dts >bad.dts
dtc -q -I dts -O dtb -o bad.dtb bad.dts
[ "$(code_of "$program" check --devicetree bad.dts --core cv64a6_imafdc_sv39_wb)" = 1 ] ||
    fail 'the hazard in the source'
grep -q 'unmapped-event' out || fail 'the name of the hazard'
if "$program" check --devicetree pmu.dtb --core cv64a6_imafdc_sv39_wb >out 2>&1; then
    [ "$(code_of "$program" check --devicetree bad.dtb --core cv64a6_imafdc_sv39_wb)" = 1 ] ||
        fail 'the hazard in the blob'
    grep -q 'unmapped-event' out || fail 'the name of the hazard in the blob'
    # cut off anywhere: refused
    size=$(wc -c <pmu.dtb)
    for cut in 4 7 20 39 40 41 60 100 200 $((size / 2)) $((size - 1)); do
        head -c "$cut" pmu.dtb >cut.dtb
        [ "$(code_of "$program" check --devicetree cut.dtb --core cv64a60ax)" = 2 ] ||
            fail "a blob cut at $cut"
    done
else
    grep -q PC-E1315 out || fail 'the blob'
    echo '*** SKIP blobs: the program was built without libfdt ***' >&2
fi
echo 'all formats pass the tools that read them'
