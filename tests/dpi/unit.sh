#!/bin/sh
# SPDX-License-Identifier: MIT
# A design of one's own beside the model of PCOUNTER, the example, under Verilator: no difference in 20,000 clocks; the
# seeded bug is told, by the first counter that is read behind a swap that came with an event.
#   unit.sh LIBRARIES SOURCE DIRECTORY
set -eu
for tool in verilator g++ make; do
    command -v $tool >/dev/null 2>&1 || {
        echo "*** SKIP the design beside the model: $tool is not installed ***" >&2
        exit 77
    }
done
rm -rf "$3"
mkdir -p "$3"
"$2/examples/pcounter-dpi/run.sh" "$1" "$2/include" "$3" >"$3/out" 2>&1 || {
    cat "$3/out" "$3/build.log" >&2
    exit 1
}
good=$(sed '/^with a seeded bug/,$d' "$3/out")
bad=$(sed '1,/^with a seeded bug/d' "$3/out")
cat "$3/out"
echo "$good" | grep -q '^20000 clocks, no difference$'
[ "$(echo "$good" | grep -c '^clock')" = 0 ]
[ "$(echo "$bad" | grep -c '^clock')" = 1 ]
# as the README of the example shows it
line=$(echo "$bad" | grep '^clock')
grep -qFx "$line" "$2/examples/pcounter-dpi/README.md"
