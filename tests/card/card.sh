#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that know nothing of the model find the card, and count on it.
#   card.sh PROGRAM CC...
set -u
program=$1
shift
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
bad=0 passed=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
is() { # what, have, want
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: $2, expected $3"; fi
}

if ! "$program" card -a G92 -- true 2>"$work/err" && grep -q "a file system of its own" "$work/err"; then
    echo "*** SKIP: $(cat "$work/err") ***" >&2
    exit 77
fi

# The exit code is the command's.
"$program" card -a G92 -- sh -c 'exit 7' 2>/dev/null
is "exit code" $? 7
"$program" card -a G92 -- sh -c 'kill -9 $$' 2>/dev/null
is "killed" $? 137
is "a file of the bus" "$("$program" card -a G92 -- cat /sys/bus/pci/devices/0000:01:00.0/vendor)" 0x10de

"$program" card -a G92 -o "$work/report" -- od -An -tx1 -N4 /sys/bus/pci/devices/0000:01:00.0/config >"$work/out" 2>"$work/err"
is "bytes of config" "$(xargs <"$work/out")" "de 10 10 04"
is "-o without an access" "$(cat "$work/report" "$work/err")" ""

# Wrong calls
refused() { # code, text, arguments
    code=$1 text=$2
    shift 2
    "$program" card "$@" >"$work/out" 2>"$work/err"
    is "code of $*" $? "$code"
    grep -q -e "$text" "$work/err" || fail "$*: $(cat "$work/err")"
}
refused 2 "unknown chip" -a G93 -- true
refused 2 "the chip is missing" -- true
refused 2 "the command is missing" -a G92
refused 2 "command not found: nosuch" -a G92 -- nosuch
refused 2 "command not found: /dev/null" -a G92 -- /dev/null
cp /bin/true "$work/valgrind"
refused 2 "valgrind cannot run a program" -a G92 -- "$work/valgrind"
refused 2 "Hz are expected" -a G92 --hz 0 -- true
refused 2 "Hz are expected" -a G92 --hz 5G -- true
refused 2 "a time is expected" -a G92 --access-time 5 -- true
refused 2 "exclude" -a G92 --hz 1M --access-time 1us -- true
refused 2 "exclude" -a G92 --hz 1M --clock 27M -- true
refused 2 "Hz are expected" -a G92 --clock 0=27X -- true
refused 2 "G92 has no domain 9" -a G92 --clock 9=27M -- true
refused 2 "no whole period" -a G92 --clock 4294967291 --clock 1=4294967279 -- true
refused 2 "mmiotrace=FILE is expected" -a G92 --log x -- true
refused 2 "a file is expected" -a G92 --log mmiotrace=- -- true
refused 2 "would both be written" -a G92 --log mmiotrace=x -o ./x -- true
refused 2 "cannot write /dev/full" -a G92 --log mmiotrace=/dev/full -- true
refused 2 "No such file" -a G92 --log mmiotrace=/nosuch/x -- true
refused 2 "No such file" -a G92 --with nosuch.pcs -- true
printf 'set 0 10 1\nset 0 e0 1\n' >"$work/bad.pcs"
refused 2 "bad.pcs:2:7" -a G92 --with "$work/bad.pcs" -- true
printf 'w a400 1\n' >"$work/bad.pcs"
refused 2 "an access or a waveform" -a G92 --with "$work/bad.pcs" -- true
printf '# nothing\n' >"$work/bad.pcs"
refused 2 "it has no command" -a G92 --with "$work/bad.pcs" -- true
refused 3 "the PCI card of RSX is not known" -a RSX -- true
printf 'int main(void) { return 0; }\n' >"$work/static.c"
"$1" -static -o "$work/static" "$work/static.c" && refused 2 "static program" -a G92 -- "$work/static"
cp /bin/true "$work/setuid"
chown 65534 "$work/setuid" 2>/dev/null && chmod 4755 "$work/setuid" && refused 2 "setuid program" -a G92 -- "$work/setuid"

# A replay of a command's log does what the command has done.
replayed() { # what, log, reads
    "$program" replay --expect-reads --strict "$2" >"$work/out" 2>&1 || fail "$1: replay: $(cat "$work/out")"
    grep -q " $3 reads\{0,1\} compared, 0 differ" "$work/out" || fail "$1: $(cat "$work/out")"
    passed=$((passed + 1))
}

# Signals that follow a waveform count what `pcounter stat` counts of it; a clock of 1 MHz has a cycle an access.
soc=$here/../../examples/soc/soc.vcd.gz
refused 2 "belong together" -a G92 --bind '0 clock clk' -- true
refused 2 "belong together" -a G92 --wave "$soc" -- true
refused 2 "file not found: nosuch.vcd" -a G92 --wave nosuch.vcd --bind '0 clock clk' -- true
refused 2 "bind '0 clock nosuch'" -a G92 --wave "$soc" --bind '0 clock nosuch' -- true
refused 2 "bind '0 e0 hit'" -a G92 --wave "$soc" --bind '0 clock clk' --bind '0 e0 hit' -- true
refused 2 "the clock of domain 0 is bound, and none of its signals is" -a G92 --wave "$soc" --bind '0 clock clk' -- true
refused 2 "its clock is not" -a G92 --wave "$soc" --bind '0 10 hit' -- true
refused 2 "exclude each other" -a G92 --hz 1M --wave "$soc" --bind '0 clock clk' --bind '0 10 hit' -- true
printf 'wave soc.vcd.gz\nclock all 1MHz\nbind 1 clock clk\nbind 1 10 hit\nbind 0 clock negedge clk\nbind 0 5 video.req_valid\nbind 0 4 dma.req_valid\n' >"$work/wave.pcs"
ln -s "$(realpath "$soc")" "$work/soc.vcd.gz"
refused 2 "and another in" -a G92 --wave "$soc" --bind '0 clock clk' --bind '0 10 hit' --with "$work/wave.pcs" -- true
# No output replaces what is read, by whatever name; nor does a command begin.
cp "$soc" "$work/own.gz"
ln -s own.gz "$work/other.gz"
printf 'wave own.gz\nbind 0 clock clk\nbind 0 10 hit\n' >"$work/own.pcs"
for output in "-o $work/other.gz" "--log mmiotrace=$work/other.gz"; do
    # shellcheck disable=SC2086 # two words
    refused 2 "gz is read by this call, and would be replaced" -a G92 $output --wave "$work/own.gz" --bind '0 clock clk' --bind '0 10 hit' \
        -- touch "$work/begun"
    # shellcheck disable=SC2086
    refused 2 "gz is read by this call, and would be replaced" -a G92 $output --with "$work/own.pcs" -- touch "$work/begun"
done
refused 2 "pcs is read by this call, and would be replaced" -a G92 -o "$work/own.pcs" --with "$work/own.pcs" -- touch "$work/begun"
cmp "$soc" "$work/own.gz" || fail "a waveform is replaced"
[ ! -e "$work/begun" ] || fail "the command was begun"
printf 'wave\town.gz\nbind\t0 clock clk\nbind 0 10 hit\n' >"$work/own.pcs" # tabs
refused 2 "and another in" -a G92 --wave "$soc" --bind '0 clock clk' --bind '0 10 hit' --with "$work/own.pcs" -- true
if command -v python3 >/dev/null; then
    cat >"$work/count.py" <<'END'
import mmap, os, sys
bar = mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 0x1000000)
words = memoryview(bar).cast("I")
for domain, signals in (0, (4, 5)), (1, (0x10, 0x10)):
    words[(0xa7c0 + 4 * domain) // 4] = 1
    for at, signal in zip((0xa400, 0xa440), signals):
        words[(at + 4 * domain) // 4] = signal
        words[(at + 0x20 + 4 * domain) // 4] = 0xaaaa
for i in range(2):
    words[0x400084 // 4] = 0x20
    if i == 0:
        for _ in range(int(sys.argv[1])):
            words[0]
for _ in range(8):
    words[0]
print(words[0xa700 // 4], words[0xa6c0 // 4], words[0xa704 // 4])
END
    "$program" card -q -a G92 --with "$work/wave.pcs" -- python3 "$work/count.py" 100100 >"$work/out" 2>"$work/err"
    events() { # clock, events
        clock=$1
        shift
        for event; do set -- "$@" -e "$event"; shift; done
        "$program" stat -q --format csv -c "$clock" "$@" "$soc" | awk -F, '$2 == "event" { print $4 }'
    }
    want=$(events 'negedge clk' dma.req_valid video.req_valid; events clk hit)
    is "signals of a waveform" "$(cat "$work/out" "$work/err" | xargs)" "$(echo "$want" | xargs)"
fi

# The signal finder over libpciaccess
if "$1" -O2 -o "$work/client" "$here/client.c" -lpciaccess 2>"$work/why"; then
    for chip in G80:"201 1001 1202 3003" G92:"201 1001 1202 3003" GT215:"201 1001 1202"; do
        "$program" card -a "${chip%%:*}" --log "mmiotrace=$work/log" -- "$work/client" signals >"$work/found" 2>"$work/err"
        # Bit 12 of PTIMER is a signal, too, and its count depends on when it is looked at.
        is "signals of ${chip%%:*}" "$(sort -n "$work/found" | grep -Ev ' (27|34|a3)$' | cut -d' ' -f1 | xargs)" "${chip#*:}"
        is "PTIMER's bit in ${chip%%:*}" "$(grep -Ec '^[0-9]{6} (27|34|a3)$' "$work/found")" 1
        grep -q "64,449 reads, 13,504 writes" "$work/err" || fail "accesses: $(cat "$work/err")"
        replayed "log of ${chip%%:*}" "$work/log" 64,449
    done
    printf 'play 0 5 0101 # twice\n\nset 0 6 1\nrun 100\n' >"$work/with.pcs"
    "$program" card -q -a G80 --clock 100M --clock 1=27MHz --access-time 250ns --with "$work/with.pcs" \
        --log "mmiotrace=$work/log" -- "$work/client" signals >/dev/null 2>&1
    is "setup in the log" "$(grep -c '^MARK 0.000000 pcounter: ' "$work/log")" 6
    grep -q '^R 8 0\.[0-9]*250 ' "$work/log" || fail "no access after 250 ns"
    replayed "clocks and stimulus" "$work/log" 64,449
    "$program" card -q -a GT215 --hz 400M --log "mmiotrace=$work/log" -- "$work/client" clock >/dev/null 2>&1
    replayed "the wall clock's time" "$work/log" '[0-9]*'
    # nvatiming's method: the clock by PTIMER lies in what two looks at each end allow, however busy the machine is.
    for chip in G80 G92 GT215 GF108:180000 GF108:1a0000 GK104:1b0400; do
        domain=${chip#*:}
        [ "$domain" = "$chip" ] && domain=0
        "$program" card -q -a "${chip%%:*}" --hz 400M -- "$work/client" clock "$domain" >"$work/out" 2>/dev/null
        { read -r least most <"$work/out" && [ "$least" -le 400100 ] && [ "$most" -ge 399900 ]; } ||
            fail "400 MHz of $chip: $(cat "$work/out")"
        passed=$((passed + 1))
    done
    # nouveau's PERFMON: what is driven counts every cycle, what is not never does.
    "$1" -O2 -o "$work/perfmon" "$here/perfmon.c" -lpciaccess 2>"$work/why" || fail "perfmon: $(cat "$work/why")"
    perfmon() { # chip, domain, family, address, size, counts
        printf 'set %s 2 1\nset %s 4 1\n' "$2" "$2" >"$work/with.pcs"
        "$program" card -a "$1" --with "$work/with.pcs" -- "$work/perfmon" "$3" "$4" "$5" 2 3 4 5 >"$work/out" 2>"$work/err"
        is "PERFMON of $1 $2" "$(awk '{ print $1, $2 == $3 ? "all" : $2 }' "$work/out" | xargs)" "$6"
    }
    all="2 all 3 0 4 all 5 0"
    for chip in G80 G92 GT215; do
        perfmon $chip 0 nv40 0 0 "$all"
        perfmon $chip 1 nv40 1 0 "$all"
    done
    for chip in GF108 GK104; do
        perfmon $chip part0.0 gf100 1a0000 60 "$all"
    done
    perfmon GF108 gpc0.0 gf100 180000 e0 "$all"
    perfmon GF108 part0.0 gf100 1a0000 e0 "again all" # the size of another domain
    grep -q "SWAP_SRC is signal c7, and its signals end at 5f" "$work/err" || fail "PERFMON: $(cat "$work/err")"
else
    echo "SKIP: clients of libpciaccess (libpciaccess-dev): $(head -1 "$work/why")" >&2
fi

# Every form of an access, by each compiler; two threads; the program's own faults
for cc in "$@"; do
    for o in 0 2 3; do
        "$cc" -O$o -o "$work/forms" "$here/forms.c" -lpthread || fail "$cc -O$o"
        is "$cc -O$o" "$("$program" card -a G92 -- "$work/forms" 2a 37 2>"$work/err")" "all as expected"
        grep FAILED "$work/err" >&2
    done
done

if command -v lspci >/dev/null 2>&1; then
    is lspci "$("$program" card -a G92 -- lspci -n 2>/dev/null)" "01:00.0 0300: 10de:0410 (rev a1)"
    is "setpci" "$("$program" card -a G80 -- setpci -s 01:00.0 VENDOR_ID DEVICE_ID 2>/dev/null | xargs)" "10de 0190"
    is "another board" "$("$program" card -a MCP79 -- lspci -n 2>/dev/null)" "01:00.0 0300: 10de:0860 (rev a1)"
else
    echo "SKIP: lspci and setpci (pciutils)" >&2
fi
python=$(command -v python3) && {
    "$program" card -a G92 -- "$python" -c '
import mmap, os
file = os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR)
bar = mmap.mmap(file, 0x1000000)
bar[0xa400:0xa404] = bytes([5, 0, 0, 0])
print(bar[0:4].hex(), bar[0xa400:0xa404].hex(), bar[0x600001])' >"$work/out" 2>"$work/err"
    is "Python's mmap" "$(cat "$work/out")" "a1002009 05000000 0"
    grep -q "nothing decodes 0x600000 (1)" "$work/err" || fail "undecoded: $(cat "$work/err")"
    "$program" card -a G92 -o "$work/report" -- "$python" -c '
import mmap, os
mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 0x1000000)[0]' 2>"$work/err"
    is "-o" "$(cat "$work/report")" "pcounter card: G92: 1 read, 0 writes"
    is "nothing on stderr" "$(cat "$work/err")" ""
    # Outside of BAR0, against the mapping's protection, and to a word that keeps nothing
    is "beyond BAR0" "$("$program" card -q -a G92 -- "$python" -c '
import ctypes, mmap, os
file = os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
def map(length, protection, offset):
    at = libc.mmap(None, ctypes.c_size_t(length), protection, mmap.MAP_SHARED, file, ctypes.c_long(offset))
    return at if at != 2**64 - 1 else os.strerror(ctypes.get_errno())
print(map(0x1001000, 3, 0), map(0x2000, 3, 0xfff000), map(0, 3, 0), sep=", ")
at = map(0x3000, 3, 0xffd000)
libc.munmap(ctypes.c_void_p(at + 0x1000), ctypes.c_size_t(0x1000))
print(ctypes.c_uint32.from_address(at).value, ctypes.c_uint32.from_address(at + 0x2ffc).value)
print(ctypes.c_uint32.from_address(map(0x1000, 1, 0)).value)' 2>&1)" "Invalid argument, Invalid argument, Invalid argument
0 0
153092257"
    "$program" card -a G92 -- "$python" -c '
import ctypes, mmap, os
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
file = os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR)
at = libc.mmap(None, ctypes.c_size_t(0x1000), 1, 1, file, 0)
ctypes.c_uint32.from_address(at).value = 1' 2>/dev/null
    is "a write to a mapping for reads" $? 139
    "$program" card -a G92 -- "$python" -c '
import mmap, os
bar = mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 0x1000000)
bar[0] = bar[0xa603] = bar[0xa400] = bar[0xa603] = 1' 2>"$work/err"
    is "read-only words" "$(cat "$work/err")" "pcounter card: G92: 0 reads, 4 writes; nothing is stored at 0x000000 (1), 0x00a600 (2)"
    # What the model noticed is told, also if the engine was switched off since: a swap source beyond the domain
    "$program" card -a GF108 -- "$python" -c '
import mmap, os, struct
bar = mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 0x1000000)
words = memoryview(bar).cast("I")
for address, value in (0x1a009c, 0x40002), (0x1a006c, 0xc7), (0x1a00ec, 0x11), (0x200, 0), (0x200, 0x10000000), (0x180040, 0xf0):
    words[address // 4] = value' 2>"$work/err"
    is "notices" "$(cat "$work/err")" "pcounter card: GF108: 0 reads, 6 writes
pcounter card: GF108: domain part0.0: USER_TRIGGER swapped nothing, so no period has ended: SWAP_SRC is signal c7, and its signals end at 5f
pcounter card: GF108: domain gpc0.0: a selection of signal f0 reads 0: its signals end at df"

    # All processes have one card, one time and one log. memcpy() of 4 bytes makes two accesses.
    cat >"$work/fork.py" <<'END'
import mmap, os, sys
bar = mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 0x1000000)
bar[0xa400] = 5
if os.fork() == 0:
    bar[0xa404] = 7
    print(bar[0xa400], bar[0xa404])
    sys.exit(0)
os.wait()
print(bar[0xa400], bar[0xa404])
bar[0x180000] = 1
sys.stdout.flush()
os.kill(os.getpid(), 9)
END
    "$program" card -a G92 --log "mmiotrace=$work/two" -- "$python" "$work/fork.py" >"$work/out" 2>"$work/err"
    is "killed, with a log" $? 137
    is "one card for a process and its child" "$(xargs <"$work/out")" "5 7 5 7"
    is "accesses of both" "$(cat "$work/err")" "pcounter card: G92: 4 reads, 3 writes; nothing decodes 0x180000 (2)"
    is "rows of both" "$(grep -c '^[RW] 1' "$work/two")" 7
    replayed "both" "$work/two" 4
    echo old >"$work/two"
    "$program" card -q -a G92 --log "mmiotrace=$work/two" -- sh -c 'exit 3'
    is "no access" "$?$(grep -c '^[RW]' "$work/two")" 31
}

# Signals are the command's; nothing is left. A shell starts what is in its background with SIGINT ignored: Python starts it otherwise.
[ -z "$python" ] || is "signals" "$("$python" - "$program" "$work/tmp" <<'END'
import os, signal, subprocess, sys, time
for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT:
    child = subprocess.Popen([sys.argv[1], "card", "-a", "G92", "--log", "mmiotrace=" + sys.argv[2] + "/log", "--",
                              sys.executable, "-c", "import signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL);"
                              "open('/sys/bus/pci/devices/0000:01:00.0/irq'); print(flush=True); time.sleep(60)"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    child.stdout.readline()
    child.send_signal(number)
    print(child.wait(), sorted(name for name in os.listdir(sys.argv[2]) if name != "log"))
END
)" "143 []
130 []
129 []
131 []"
rm -f "$work/tmp/log"
is "left in the temporary folder" "$(ls "$work/tmp")" ""

[ $bad -eq 0 ] && echo "$passed checks passed"
[ $bad -eq 0 ]
