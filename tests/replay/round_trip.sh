#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: round_trip.sh PCOUNTER
#
# Logs a run of every example script without a waveform and replays it: all reads agree.
# Then one read of the log is changed, and the replay has to find that line.
set -u
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
count=0

complain() {
    echo "FAILED $1"
    failed=1
}

for script in "$root"/examples/scripts/*.pcs "$root"/examples/sequences/*.pcs; do
    grep -q '^wave ' "$script" && continue
    name=$(basename "$script" .pcs)
    log=$scratch/$name.mmt
    set --
    [ ! -e "${script%.pcs}.stimulus" ] || set -- --with "${script%.pcs}.stimulus"
    "$program" run -q "$@" --log "mmiotrace=$log" "$script" >/dev/null || complain "$name: run"
    "$program" replay -q --expect-reads --strict --keep-going "$log" ||
        complain "$name: replay"
    case $script in
    */scripts/*)
        gzip -c "$log" | "$program" replay -q --expect-reads --strict - ||
            complain "$name: replay of gzip through a pipe"
        ;;
    esac

    line=$(grep -n '^R ' "$log" | tail -1 | cut -d: -f1)
    sed "${line}s/ 0x[0-9a-f]* 0x0 0\$/ 0x5a5a1234 0x0 0/" "$log" >"$scratch/changed"
    "$program" replay -q --expect-reads --strict --format csv "$scratch/changed" \
        >"$scratch/said"
    [ $? -eq 1 ] || complain "$name: a changed read was not noticed"
    sed -n 2p "$scratch/said" | grep -q "^$line,.*,differs," || complain "$name: wrong line"
    count=$((count + 1))
done
echo "$count scripts"
[ "$count" -ge 35 ] || failed=1
exit "$failed"
