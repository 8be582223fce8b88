#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests what programs do with a mapping of BAR0, with signals and by instructions of all kinds.  Without PC_TEST_LONG the
# second compiler builds with -O2 alone, and the first one with the sanitizers.
#   programs.sh PROGRAM CC...
set -u
program=$1
shift
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 passed=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
is() { # what, have, want
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: $2, expected $3"; fi
}
card() { timeout -k 5 60 "$program" card -q -a G92 -- "$@"; }

# all CC: does this compiler build all forms?
all() { [ -n "${PC_TEST_LONG:-}" ] || [ "$1" = "$first" ]; }
first=$1
for cc in "$@"; do
    for name in memory waits atomics; do
        for how in -O0 -O2 "-O2 -D_FORTIFY_SOURCE=2"; do
            [ "$how" = -O2 ] || all "$cc" || continue
            # shellcheck disable=SC2086 # options
            "$cc" -w $how -o "$work/$name" "$here/$name.c" -lpthread || fail "$cc $how $name"
            is "$name of $cc $how" "$(card "$work/$name" 2>"$work/err")" "all as expected"
            grep -E 'FAILED|SKIP' "$work/err" >&2
        done
    done
done

"$1" -w -O2 -o "$work/storm" "$here/storm.c" -lpthread || fail "storm"
is storm "$(card "$work/storm" 2>"$work/err")" "all as expected"
grep FAILED "$work/err" >&2

# Instructions: what they do with memory is what they do with BAR0, and so many transactions.
awk -f "$here/instructions.awk" >"$work/forms_made.h" || fail "instructions.awk"
for cc in "$@"; do
    "$cc" -w -O1 -I"$work" -o "$work/instructions" "$here/instructions.c" || fail "$cc instructions.c"
    is "instructions by $cc" "$(card "$work/instructions" 2a 37 2>"$work/err")" "all as expected"
    grep -E 'FAILED|SKIP' "$work/err" >&2
done

# A case that cannot be handled ends the program with a message.
dies() { # compiler, statements, text
    printf '#include "%s/own.h"\nint main(void) { open_bar0(); %s; return 0; }\n' "$here" "$2" >"$work/dies.c"
    "$1" -w -O1 -o "$work/dies" "$work/dies.c" || fail "compile: $2"
    card "$work/dies" >"$work/out" 2>"$work/err"
    is "code of $2" $? 2
    grep -q -e "$3" "$work/err" || fail "$2: $(cat "$work/err")"
}
dies "$1" 'char *p = mmap(0, PAGE, 3, MAP_PRIVATE, bar0_file, 0); p[0] = 1' "a private mapping of BAR0 (MAP_PRIVATE) is written"
dies "$1" 'void (*f)(void) = mmap(0, PAGE, 5, MAP_SHARED, bar0_file, 0); f()' "runs code in BAR0"
dies "$1" '__asm__ volatile("fxsave (%0)" : : "r"(bar0) : "memory")' "fxsave at 0x[0-9a-f]*: it accesses BAR0 in a way that is not known"
dies "$1" '__asm__ volatile("cmpsl" : : "S"(bar0), "D"(bar0) : "memory")' "cmpsd at 0x[0-9a-f]*: both of its operands are in BAR0"

# Sanitizers, but for ThreadSanitizer, which has signals blocked where it likes to
for cc in "$@"; do
    all "$cc" || continue
    for kind in address:waits address:memory undefined:waits undefined:atomics; do
        if "$cc" -w -g -O1 -fsanitize=${kind%:*} -o "$work/sane" "$here/${kind#*:}.c" -lpthread 2>"$work/why"; then
            is "$cc $kind" "$(card "$work/sane" 2>"$work/err")" "all as expected"
            head -5 "$work/err" >&2
        else
            echo "SKIP: $cc -fsanitize=${kind%:*}: $(head -1 "$work/why")" >&2
        fi
    done
done

# Rust sets alternate stacks for each thread, faulthandler one and a handler of SIGSEGV.
if command -v rustc >/dev/null 2>&1; then
    cat >"$work/r.rs" <<'END'
use std::os::fd::AsRawFd;
extern "C" { fn mmap(a: *mut u8, l: usize, p: i32, f: i32, fd: i32, o: i64) -> *mut u8; }
fn main() {
    let f = std::fs::OpenOptions::new().read(true).write(true)
        .open("/sys/bus/pci/devices/0000:01:00.0/resource0").unwrap();
    let at = unsafe { mmap(std::ptr::null_mut(), 1 << 24, 3, 1, f.as_raw_fd(), 0) } as usize;
    let read = move || unsafe { std::ptr::read_volatile(at as *const u32) };
    print!("{:08x} ", read());
    println!("{:08x}", std::thread::spawn(read).join().unwrap());
}
END
    rustc -O -o "$work/r" "$work/r.rs" 2>"$work/err" || fail "rustc: $(cat "$work/err")"
    is "Rust" "$(card "$work/r" 2>&1)" "092000a1 092000a1"
else
    echo "SKIP: a program of Rust (rustc)" >&2
fi
for python in python3 /usr/bin/python3; do
    command -v "$python" >/dev/null || { echo "SKIP: $python" >&2; continue; }
    cat >"$work/test_card.py" <<'END'
import faulthandler, mmap, os, struct
faulthandler.enable()
def test_boot():
    bar = mmap.mmap(os.open("/sys/bus/pci/devices/0000:01:00.0/resource0", os.O_RDWR), 1 << 24)
    assert struct.unpack_from("<I", bar, 0)[0] == 0x092000a1
    print("ok")
if __name__ == "__main__":
    test_boot()
END
    is "faulthandler of $python" "$(card "$python" "$work/test_card.py" 2>&1)" ok
    if "$python" -c 'import pytest' 2>/dev/null; then
        card "$python" -m pytest -q -p no:cacheprovider "$work/test_card.py" >"$work/out" 2>&1
        is "pytest of $python" $? 0
    else
        echo "SKIP: pytest of $python" >&2
    fi
done

[ $bad -eq 0 ] && echo "$passed checks passed"
[ $bad -eq 0 ]
