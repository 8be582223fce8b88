#!/bin/sh
# SPDX-License-Identifier: MIT
# A guest of a stock QEMU has the card: a program without a system, and where PC_TEST_LONG is set Linux. What QEMU says
# wrongly is refused; fake_qemu.py says it.
#   qemu.sh PROGRAM CC
set -u
program=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
bad=0 passed=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
is() { # what, have, want
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: $2, expected $3"; fi
}
with() { "$program" card -a G92 --qemu "$@" >"$work/out" 2>"$work/err"; }
says() { # what, text
    if grep -q -e "$2" "$work/err"; then passed=$((passed + 1)); else fail "$1: $(cat "$work/err")"; fi
}

# ---- what is wrong before it begins ----

refused() { # text, arguments
    text=$1
    shift
    with "$@"
    is "code of $*" $? 2
    says "$*" "$text"
}
fake="$here/fake_qemu.py"
if command -v python3 >/dev/null; then
    refused "command not found: nosuch" -- nosuch
    refused "true is not a QEMU" -- true
    FAKE_VERSION=8.2.1 refused "is QEMU 8.2.1; .* was tried with 7.2" -- "$fake" right
    FAKE_VERSION=7.20 refused "is QEMU 7.20;" -- "$fake" right
    FAKE_VERSION=7.2 refused "is QEMU 7.2;" -- "$fake" right
    refused "leave it to -m" -- "$fake" -object memory-backend-ram,id=x right
    refused "leave it to -m" -- "$fake" --mem-path /x right
    refused "leave it to -m" -- "$fake" -numa node,memdev=x right
    for size in x 12y 0 -1 99999999999999999999 9999999T; do
        refused "a size of memory is expected" -- "$fake" -m "$size" right
    done

    # ---- what QEMU says ----

    with -- "$fake" right
    is "right" $? 0
    is "answers" "$(xargs <"$work/out")" "0xff000000 0x41010de 0x300 0x0 0xffffffff 0xffffffff 0x10de 0xffffffff 0x3456 0x12345678 0xffffffffffffffff 0xffffffffffffffff 0x547 0x0 0x0"
    says "right" "G92: 3 reads, 1 write$"
    with -- "$fake" memory
    is "memory" "$? $(cat "$work/out")" "0 True True"
    says "memory" "record mode: 9 packets to the guest's memory, 1 to where it has none"
    for case in command negative answer size huge; do
        refused "is none that this program knows" -- "$fake" $case
    done
    for case in short head width width2 files; do
        refused "QEMU is not understood: " -- "$fake" $case
    done
    with -- "$fake" nothing
    is "nothing" "$? $(cat "$work/err")" "0 "
    with -- "$fake" killed
    is "killed" $? 137
    says "killed" "G92: 1 read, 0 writes"
else
    echo "SKIP: what QEMU may say wrongly (python3)" >&2
fi

# ---- a real one ----

if ! command -v qemu-system-x86_64 >/dev/null; then
    echo "*** SKIP the card in QEMU: qemu-system-x86 is not installed ***" >&2
    [ $bad -eq 0 ] && exit 77
    exit 1
fi
if ! with -- qemu-system-x86_64 -nosuch && grep -q "was tried with" "$work/err"; then
    echo "*** SKIP the card in QEMU: $(qemu-system-x86_64 --version | head -1) is none that was tried ***" >&2
    [ $bad -eq 0 ] && exit 77
    exit 1
fi
with -- qemu-system-x86_64 -nosuch
is "QEMU's own error" "$?" 1
if "$cc" -m32 -O1 -ffreestanding -fno-pic -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables -nostdlib -static \
    -Wl,-Ttext=0x100000 -Wl,--build-id=none -Wl,-n -o "$work/guest" "$here/guest.c" 2>"$work/why"; then
    guest() { # chip, options of card --, options of QEMU
        of=$1
        shift
        timeout 300 "$program" card -a "$of" --qemu "$@" -accel tcg -nodefaults -display none -serial stdio \
            -device isa-debug-exit,iobase=0x501,iosize=4 -kernel "$work/guest" >"$work/out" 2>"$work/err"
    }
    guest G92 --log "mmiotrace=$work/log" -- qemu-system-x86_64
    is "the guest's end" $? 43
    is "what it found" "$(cat "$work/out")" "card 041010de
class 00030000
BAR0 ff000000
boot 092000a1
3003 29
1001 2a
327680 34
1202 36
201 37
packet 00092ba8
packet 00000002
packet ffffffff
beyond 00000000
end"
    says "accesses" "G92: 64,458 reads, 13,520 writes; nothing decodes 0xfffffc (1)"
    says "packets" "record mode: 129 packets to the guest's memory, 1 to where it has none"
    "$program" replay --expect-reads --strict -q "$work/log" >/dev/null 2>"$work/err" || fail "the log: $(cat "$work/err")"
    for chip in G80:"201 1001 1202 3003" GT215:"201 1001 1202"; do
        guest "${chip%%:*}" -- qemu-system-x86_64 -machine q35 -m size=64M
        is "signals of ${chip%%:*}" "$(grep -E '^[0-9]+ ..$' "$work/out" | grep -Ev ' (27|a3)$' | sort -n | cut -d' ' -f1 | xargs)" "${chip#*:}"
    done
else
    echo "SKIP: a guest without a system ($cc -m32): $(head -1 "$work/why")" >&2
fi

# SIGTERM is QEMU's; nothing is left
"$program" card -a G92 --qemu -- qemu-system-x86_64 -accel tcg -nodefaults -display none -S >/dev/null 2>"$work/err" &
pid=$!
sleep 2
kill -TERM $pid
wait $pid
is "SIGTERM" $? 0
is "left in the temporary folder" "$(ls "$work/tmp")" ""

if [ -n "${PC_TEST_LONG:-}" ]; then
    # shellcheck source=tests/card/linux.sh
    . "$here/linux.sh"
else
    echo "SKIP: Linux in QEMU (PC_TEST_LONG)" >&2
fi
[ $bad -eq 0 ] && echo "$passed checks passed"
[ $bad -eq 0 ]
