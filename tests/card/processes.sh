#!/bin/sh
# SPDX-License-Identifier: MIT
# A command and all that it starts have one card and its files, and leave nothing.
#   processes.sh PROGRAM CC
set -u
program=$1
cc=$2
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
host=$(ls -A /sys/bus/pci/devices; echo 0)
card() { "$program" card -q -a G92 "$@"; }
client=$work/client
"$cc" -O2 -o "$client" "$here/paths.c" || fail "the client"
"$cc" -O2 -static -o "$work/static" "$here/paths.c" || fail "the static client"

# One card, one log, one line
"$program" card -a G92 --log "mmiotrace=$work/log" -- sh -c "$client reg a400 1; $client reg a400" >"$work/out" 2>"$work/err"
is "a register, by two processes" "$(cat "$work/out")" 00000001
is "one line for both" "$(cat "$work/err")" "pcounter card: G92: 1 read, 1 write"
is "one log" "$(grep -c '^[RW] 4 0.00000[01] ' "$work/log")" 3 # and the read before MAP
is "ids of the log" "$(awk '$1 == "PCIDEV" { print $3 }' "$work/log")" 10de0410
is "and of the files" "$(card -- sh -c 'cat /sys/bus/pci/devices/*/vendor /sys/bus/pci/devices/*/device' | xargs)" "0x10de 0x0410"
"$program" replay -q --expect-reads --strict "$work/log" >/dev/null || fail "replay of the log"
is "four processes, atomically" "$(card -- sh -c "for i in 1 2 3 4; do $client locked 400 & done; wait; $client reg a400")" 00001000
# Killed while it holds the card for atomic accesses, or in any other moment, a process harms no other.
is "killed in an atomic access" "$(card -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    $client locked 7fffffff & p=\$!; $client loop 7fffffff & q=\$!; sleep 0.0\$i; kill -KILL \$p \$q; wait; done 2>/dev/null
    $client reg a404 5; $client reg a404")" 00000005
is "wall clock's time" "$(card --hz 500M -- sh -c "$client reg 9400; sleep 0.1; $client reg 9400" |
    { read -r a; read -r b; echo $(((0x$b - 0x$a) / 100000000 > 0)); })" 1

# All ways to the files see this card and no other device.
cat >"$work/want" <<'END'
glob 1
realpath /sys/devices/pci0000:01/0000:01:00.0
stat 16777216
statx 256
lstat 1
opendir 1 1
nftw 1 1
chdir 0x10de
host -1
END
card -- "$client" >"$work/out"
diff "$work/want" "$work/out" >&2 || fail "paths"
card -- sh -c "exec $work/static" >"$work/out"
diff "$work/want" "$work/out" >&2 || fail "paths of a static program"
is "a shell's pattern" "$(card -- sh -c 'echo /sys/bus/pci/devices/*')" "/sys/bus/pci/devices/0000:01:00.0"
is "uevent" "$(card -- sh -c 'grep PCI_ID /sys/bus/pci/devices/*/uevent')" PCI_ID=10DE:0410
is "modalias" "$(card -- sh -c 'cat /sys/bus/pci/devices/*/modalias')" \
    pci:v000010DEd00000410sv000010DEsd00000410bc03sc00i00
is "processors" "$(card -- getconf _NPROCESSORS_ONLN)" "$(getconf _NPROCESSORS_ONLN)"
if [ -d /proc/bus/pci ]; then
    is "/proc/bus/pci" "$(card -- cut -f 1,2 /proc/bus/pci/devices)" "$(printf '0100\t10de0410')"
fi
# A program without a way to the card ends by SIGBUS, and does not read 0.
card -- sh -c "$work/static map" >"$work/out" 2>/dev/null
is "BAR0 in a static program" "$? $(cat "$work/out")" "135 "
# Nothing changes outside.
card -- sleep 60 &
pid=$!
sleep 0.3
is "the bus outside" "$(ls -A /sys/bus/pci/devices; grep -c pcounter /proc/mounts)" "$host"
kill $pid
wait $pid 2>/dev/null
is "SIGTERM is the command's" $? 143

# Configuration space
if python=$(command -v python3); then
    printf '\125\252\002ROM' >"$work/rom"
    cat >"$work/config.py" <<'END'
import mmap, os, time
d = "/sys/bus/pci/devices/0000:01:00.0/"
bar = memoryview(mmap.mmap(os.open(d + "resource0", os.O_RDWR), 0x1000000)).cast("I")
config, rom = os.open(d + "config", os.O_RDWR), os.open(d + "rom", os.O_RDWR)
def read(at): return hex(int.from_bytes(os.pread(config, 4, at), "little"))
def write(at, value, size=4): os.pwrite(config, value.to_bytes(size, "little"), at)
write(0, 0x12345678)
print("ids", read(0))
write(0x10, 0xffffffff)
print("BAR0", read(0x10), hex(bar[0]))
write(0x10, 0xf0000000)
write(0x30, 0xffffffff)
print("ROM", read(0x30), open(d + "resource").read().split("\n")[6])
write(4, 0, 2)
bar[0xa400 // 4] = 9
print("off", hex(bar[0]))
write(4, 6, 2)
print("on", hex(bar[0]), bar[0xa400 // 4])
with open(d + "config", "r+b", buffering=0) as file:  # cut off, then written from its beginning
    os.ftruncate(file.fileno(), 0)
    file.write(b"\0")
print("cut", read(0), os.fstat(config).st_size)
os.write(rom, b"1")
print("rom", os.pread(rom, 9, 0), hex(bar[0x300000 // 4]), hex(bar[0x300004 // 4]), hex(bar[0x3ffffc // 4]))
END
    card --vbios "$work/rom" -- "$python" "$work/config.py" >"$work/out" 2>&1
    cat >"$work/want" <<'END'
ids 0x41010de
BAR0 0xff000000 0xffffffff
ROM 0xfffff801 0x00000000f4000000 0x00000000f40007ff 0x0000000000046200
off 0xffffffff
on 0x92000a1 0
cut 0x41010de 256
rom b'U\xaa\x02ROM' 0x5202aa55 0xffff4d4f 0xffffffff
END
    diff "$work/want" "$work/out" >&2 || fail "config and rom"
    "$program" card -a G92 --vbios "$work/want" -- true 2>"$work/err"
    is "no ROM" "$? $(grep -c 'begins with the bytes 55 aa' "$work/err")" "2 1"
fi

# Nothing is left of what the command leaves behind.
"$program" card -a G92 -- sh -c 'sleep 77 & sleep 77 &' 2>"$work/err"
is "left behind" "$? $(cat "$work/err")" "0 pcounter: note[PC-N0831]: 2 processes of the command still ran when it had ended, and were ended"
card -- sh -c 'trap "" TERM; sleep 77 & exit 5'
is "a process that ignores SIGTERM" $? 5
if [ -n "$python" ]; then
    mkdir "$work/empty"
    if TMPDIR="$work/empty" "$python" "$here/killed.py" "$program" "$client" "$work/empty" "${PC_TEST_TURNS:-20}" 1 >"$work/out"; then
        passed=$((passed + 1))
    else
        fail "processes that are killed"
    fi
fi

# Where there is no namespace, an error says so.
if command -v unshare >/dev/null && command -v setpriv >/dev/null; then
    unshare -Ur sh -c "echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-sys_admin \
        '$program' card -a G92 -- true" 2>"$work/err"
    is "no namespace" "$? $(grep -c -- --qemu "$work/err")" "2 1"
    # Another user has one of his own.
    if [ "$(id -u)" = 0 ]; then
        chmod 755 "$work" && chmod 1777 "$work/tmp"
        is "a machine without a PCI bus" "$(unshare -m sh -c "mount -t tmpfs none /sys/bus && mkdir /sys/bus/cpu &&
            '$program' card -q -a G92 -- sh -c '$client reg 0; ls /sys/bus'" 2>&1 | xargs)" "092000a1 cpu pci"
        is "another user" "$(setpriv --reuid 65534 --regid 65534 --clear-groups "$program" card -q -a G92 -- "$client" reg 0 2>&1)" 092000a1
    fi
fi
is "left in the temporary folder" "$(ls "$work/tmp")" ""

[ $bad -eq 0 ] && echo "$passed checks passed"
[ $bad -eq 0 ]
