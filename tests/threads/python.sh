#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads of Python use devices, units and waveforms of their own, and one that is shared, while ThreadSanitizer looks at the library: the
# interpreter is not compiled with it, so what it reports is of the library's own accesses.
#   python.sh CC PYTHON LIBRARY SOURCES CFLAGS LINK_FLAG...
set -eu
cc=$1
python=$2
library=$3
root=$4
flags=$5
shift 5
skip() {
    echo "*** SKIP Python's threads under ThreadSanitizer: $1 ***" >&2
    exit 77
}
case $flags in
*-fsanitize=thread*) ;;
*) skip 'this build has none (make check-full); tests/python has the threads without' ;;
esac
"$python" -c 'import cffi, numpy' 2>/dev/null || skip "$python has no cffi or numpy"
runtime=$("$cc" -print-file-name=libtsan.so)
[ -e "$runtime" ] || skip "$cc has no libtsan.so"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cc" -shared -fsanitize=thread -o "$work/libpcounter.so" -Wl,--whole-archive "$library" -Wl,--no-whole-archive "$@"
cp -r "$root/python/pcounter" "$work/pcounter"
"$python" "$root/python/interface.py" "$cc" "$root/include" "$work/pcounter/_interface.py"
cd "$work"
export PYTHONPATH="$work" PCOUNTER_LIBRARY="$work/libpcounter.so" PYTHONDONTWRITEBYTECODE=1
LD_PRELOAD=$(realpath "$runtime") TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=1 exitcode=66 report_signal_unsafe=0" \
    "$python" - "$root/examples/soc" <<'END'
import sys
import threading
import numpy as np
import pcounter

soc = sys.argv[1]
clock = "posedge soc_tb.clk iff soc_tb.rst_n"
signal = np.random.default_rng(1).random(5000) < 0.5
shared, unit, wave = pcounter.Gpu("G92"), pcounter.Unit("G92"), pcounter.Wave(f"{soc}/soc.fst")
pcounter.compile("G92", {"n": "rise(s10)"}, domain=1).apply(shared)
counts = []


def work():
    own = pcounter.Gpu("G92")
    pcounter.compile("G92", {"n": "rise(s10)"}, domain=1).apply(own)
    for _ in range(5):
        for device in (shared, own):
            device.play(0x10, signal, domain=1)
            device.run(5000, domain=1)
            device.save()
        unit.run(5000, {1: {0x10: signal}})
    counts.append(sum(block.value["hit"][0].ones() for block in wave.blocks(clock, "hit")))
    counts.append(pcounter.stat(f"{soc}/soc.vcd.gz", clock, ["hit"])[1]["value"])


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert counts == [4824] * 8, counts
assert unit.cycle(1) == 4 * 5 * 5000
print("4 threads, the same counts")
END
