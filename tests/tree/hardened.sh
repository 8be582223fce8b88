#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the built program has what compiler and linker were asked for: its place in memory is drawn, its tables of
# addresses are read-only when main() begins, nothing is both written to and run, the stack is watched, libc's
# checked functions are called; and none of it is handed to those who link the library.
#   hardened.sh PROGRAM BUILD FLAG...   (the flags in use)
set -u
program=$1 build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
bad=0 passed=0 flags=" $* "
# has FILE PATTERN WHAT, hasnt FILE PATTERN WHAT
has() { if grep -qE -e "$2" "$work/$1"; then passed=$((passed + 1)); else echo "FAILED: no $3" >&2; bad=1; fi; }
hasnt() { if grep -E -e "$2" "$work/$1" >&2; then echo "FAILED: $3" >&2; bad=1; else passed=$((passed + 1)); fi; }
asked() { case $flags in *" $1"*) true ;; *) echo "*** SKIP $1: this compiler, linker or build has it not ***" >&2; false ;; esac; }
if ! command -v readelf >/dev/null 2>&1; then
    echo '*** SKIP what the program is protected by: no readelf here ***' >&2
    exit 77
fi
readelf -hW "$program" >"$work/head"
readelf -lW "$program" >"$work/segments"
readelf -dW "$program" >"$work/dynamic"
nm -D --undefined-only "$program" | sed 's/@.*//' >"$work/wanted"

has segments 'GNU_STACK.* RW +0x' 'stack that is not run'
has segments ' LOAD .* R E ' 'segment that is run'
hasnt segments ' LOAD .* RWE ' 'a segment is written to and run'
hasnt dynamic 'TEXTREL' 'code is changed when it is loaded'
if asked -pie; then
    has head '^ *Type: +DYN ' 'program that is loaded anywhere (PIE)'
    has dynamic 'FLAGS_1.* PIE' 'mark of a PIE'
fi
asked -Wl,-z,relro && has segments 'GNU_RELRO' 'GNU_RELRO'
asked -Wl,-z,now && has dynamic 'FLAGS_1.* NOW' 'mark that all is bound at the start'
asked -fstack-protector && has wanted ' __stack_chk_fail$' 'stack protector'
asked -D_FORTIFY_SOURCE && has wanted ' __(vf|f|s|vs|sn|vsn)printf_chk$|__mem[a-z]*_chk' 'checked functions of libc'
find "$build/CMakeFiles/Export" -name 'pcounter-targets*.cmake' -exec cat {} + >"$work/targets"
has targets "pcounter::pcounter" "exported target"
hasnt targets 'stack-protector|stack-clash|FORTIFY|cf-protection|relro|z,now|-pie' 'users of the library inherit flags'
[ "$bad" -eq 0 ] && echo "$passed passed, 0 failed"
