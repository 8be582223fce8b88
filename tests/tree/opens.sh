#!/bin/sh
# SPDX-License-Identifier: MIT
# Files are opened by few functions of the program, which note what is read and what is written
# (cli/process/same_file.c): here are the lines of others, each with its reason. What cli/card opens is the card's
# own, in folders that it makes.
#   opens.sh   (in the root of the sources)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# file: how often; why
cat >"$work/allowed" <<'END'
cli/wave/read_options.c 1 cli_wave_open() itself
cli/text/read_text.c 1 cli_read_file() itself
cli/process/output.c 10 cli_out_open() itself, and the copy into its target
cli/decode/decode_read.c 1 looks at the beginning of a file that is claimed afterwards
cli/decode/decode_trace.c 1 of decode_inputs_read(), which has claimed it
cli/bus/bus_evidence.c 1 once more the waveform that is open
cli/check/cmd_check.c 1 looks at the beginning of a file that is claimed afterwards
cli/record/record_buffer.c 1 after cli_claim_input()
cli/replay/replay_drive.c 1 after cli_claim_input()
cli/process/interrupt.c 1 /dev/null
cli/process/converter.c 3 /dev/null, a pipe, and its file in a folder that it made
cli/process/simulation.c 1 /dev/null
cli/process/simulation_keeper.c 2 /dev/null, and a file of /proc
cli/mpi_main.c 1 /dev/null
cli/complete/complete.c 1 /dev/null
cli/pci/pci_open.c 2 registers and numbers of a PCI device
END
grep -rEn '(^|[^_a-zA-Z.>"`])(pc_wave_open|pc_trace_open|pc_wave_[a-z]+_open|fopen|freopen|open|openat|creat|mkstemp|fdopen)\(' \
    cli --include='*.c' | grep -v '^cli/card/' |
    grep -vE ':[0-9]+:( \*|/\*|static bool open\(|static void open\(|    open\(r, o\))' | sed 's/:.*//' | sort | uniq -c |
    awk '{ print $2, $1 }' >"$work/found"
[ "$(wc -l <"$work/found")" -gt 10 ] || { echo 'too few calls were found' >&2; exit 1; }
cut -d' ' -f1,2 "$work/allowed" | sort >"$work/want"
if ! diff -u "$work/want" "$work/found"; then
    echo 'open files by cli_wave_open(), cli_read_file() or cli_out_open(), or after cli_claim_input() and with a row here' >&2
    exit 1
fi
echo "$(awk '{ n += $2 } END { print n }' "$work/found") passed, 0 failed"
