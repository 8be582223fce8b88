#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts events in the bundled waveform with PROGRAM and compares the counts with those
# that the simulated design made itself; and shows its buses. Exit 1 if one differs, 2 if something else failed.
#   tools/demo.sh PROGRAM
set -eu
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: tools/demo.sh PROGRAM (build/release/cli/pcounter after make)" >&2
    exit 2
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
trace=examples/soc/soc.vcd.gz
truth=examples/soc/soc.truth.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The command as one would type it, an event a line.
show() {
    printf '$ pcounter stat --clock '\''%s'\'' \\\n' "$1"
    shift
    for event in "$@"; do printf '      -e '\''%s'\'' \\\n' "$event"; done
    printf '      %s\n' "$trace"
}

# count CSV CLOCK EVENT...: shows and runs the command, as text for the reader and as CSV for us.
count() {
    csv=$1
    clock=$2
    shift 2
    show "$clock" "$@"
    for event in "$@"; do
        shift
        set -- "$@" -e "$event"
    done
    "$program" stat --clock "$clock" "$@" "$trace" || exit 2
    "$program" stat --format csv --clock "$clock" "$@" "$trace" >"$csv" || exit 2
    echo
}

count "$work/main.csv" 'posedge soc_tb.clk iff soc_tb.rst_n' \
    'requests=grant != 0' \
    'contention_cycles=contention' \
    'dma_bursts=rise(dma.req_valid)' \
    'dma_waits=dma.req_valid & !dma.req_ready' \
    'fifo_full_cycles=fifo_level == 16' \
    'fifo_high_cycles=fifo_level[4:2] == 3' \
    'hits=hit' \
    'repeated_hits=hit & prev(hit)' \
    'misses=miss' \
    'evictions=evict' \
    'refills=rise(refill_busy)' \
    'stall_cycles=stall' \
    'blocked_cycles=stall & !fifo_empty' \
    'responses=resp_valid'

count "$work/mem.csv" 'posedge soc_tb.mem_clk iff soc_tb.mem_rst_n' \
    'mem_reads=mem_read' \
    'mem_writes=mem_write' \
    'row_hits=row_hit' \
    'row_misses=cmd_take & !row_hit' \
    'mem_busy_cycles=mem_busy' \
    'refreshes=rise(refresh)'

# The truth has one `name value` a line. A column is found by its heading; what stands
# before the last one, the expression, has no quotes or commas inside here.
awk -v truth="$truth" '
    BEGIN { while ((getline line < truth) > 0) { split(line, part, " "); own[part[1]] = part[2] } }
    function compare(name, value) {
        if (name in own && own[name] == value) { equal++; return }
        printf "%s: pcounter counts %s, the design %s\n", name, value, \
            name in own ? own[name] : "has no such register"
        different++
    }
    FNR == 1 {
        for (i = 1; i <= NF; i++) column[$i] = i
        file++
        next
    }
    $column["kind"] == "cycles" { next } # compared at the end, for each clock
    {
        compare($column["name"], $column["value"])
        cycles[file] = $column["cycles"]
    }
    END {
        compare("cycles", cycles[1])
        compare("mem_cycles", cycles[2])
        if (different) { printf "%d of %d counts differ\n", different, equal + different; exit 1 }
        if (equal != 22) { printf "%d counts came back, 22 were expected\n", equal; exit 1 }
        printf "%d counts equal the registers of the design itself (%s).\n", equal, truth
    }' FS=, "$work/main.csv" "$work/mem.csv"

# Where it loses its cycles.
printf '\n$ pcounter bus %s\n' "$trace"
"$program" bus "$trace" || exit 2
