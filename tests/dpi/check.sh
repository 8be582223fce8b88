#!/bin/sh
# SPDX-License-Identifier: MIT
# The lock-step example under Verilator: no difference in 20,000 clocks of the counters as they
# should be; the seeded bug is told at the very clock that makes it, by the rule that it breaks.
#   check.sh PROGRAM LIBRARIES SOURCE DIRECTORY
set -eu
for tool in verilator g++ make; do
    command -v $tool >/dev/null 2>&1 || {
        echo "*** SKIP the lock-step example: $tool is not installed ***" >&2
        exit 77
    }
done
rm -rf "$4"
mkdir -p "$4"
# profile spec looks at rs1, which the core has and the example leaves out
"$1" emit dpi-bind --core cv64a6_imafdc_sv39 --profile spec -o "$4/spec.sv"
sed 's/logic \[5:0\] rd;/logic [5:0] rd, rs1;/' "$3/examples/cva6-dpi/ariane_pkg.sv" >"$4/pkg.sv"
grep -q 'commit_instr_i\[1\]\.rs1' "$4/spec.sv"
verilator --lint-only --top-module tb --assert -Wno-fatal "$4/pkg.sv" \
    "$3/examples/cva6-dpi/perf_counters.sv" "$3/examples/cva6-dpi/tb.sv" "$4/spec.sv"
"$3/examples/cva6-dpi/run.sh" "$1" "$2" "$3/include" "$4" >"$4/out" 2>&1 || {
    cat "$4/out" "$4/build.log" >&2
    exit 1
}
good=$(sed '/^with a seeded bug/,$d' "$4/out")
bad=$(sed '1,/^with a seeded bug/d' "$4/out")
cat "$4/out"
echo "$good" | grep -q '^20000 clocks, no difference$'
[ "$(echo "$good" | grep -c '^pcounter:')" = 0 ]
[ "$(echo "$bad" | grep -c '^pcounter: ')" = 1 ]
echo "$bad" | grep -q '^pcounter: clock 777: mhpmcounter3 is .*; HPM\.DEBUG\.1: '
echo "$bad" | grep -q '^    in .*tb\.dut\.pcounter_check$'
