#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter exec` runs programs as they are: what they print through HTIF, by semihosting and
# through a UART, how they end; machine, supervisor and user mode (exec_modes.S); the programs of
# the example compute what they compute here, and all their counts agree.
#   exec_host.sh PROGRAM SOURCE COMPILER
# shellcheck disable=SC2059,SC2129 # pieces of assembly in formats
set -eu
program=$1
source=$2
# shellcheck source=tests/emit/riscv.sh
. "$source/tests/emit/riscv.sh"
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

skip() {
    echo "*** SKIP pcounter exec: $1 ***" >&2
    exit 77
}
fail() {
    echo "FAILED: $1" >&2
    cat out err >&2
    exit 1
}
missing=$(riscv_missing)
[ -z "$missing" ] || skip "$missing"
build() { # xlen output source...
    march=rv64gc abi=lp64d model=medany output=$2
    [ "$1" = 64 ] || march=rv32imac abi=ilp32 model=medlow
    shift 2
    riscv_build $march $abi "$output" -O2 -mcmodel=$model -ffreestanding "$@"
}
run() { # xlen option...: code, out, err
    core=cv64a6_imafdc_sv39 code=0
    [ "$1" = 64 ] || core=cv32a6_imac_sv32
    shift
    "$program" exec -q --core $core "$@" >out 2>err || code=$?
}
csv() { # event count: a row of --format csv
    tr -d '\r' <out | grep -q "^event,$1,[A-Z_]*,$2,exact\$" || fail "event $1 is not $2"
}

build 64 modes64 "$source/tests/emit/exec_modes.S"
run 64 modes64
[ $code != 2 ] || ! grep -q PC-E1320 err || skip 'there is no Unicorn'
[ $code = 0 ] || fail 'RV64: modes and traps; the exit code is the number of the case'
build 32 modes32 "$source/tests/emit/exec_modes.S"
run 32 modes32
[ $code = 0 ] || fail 'RV32: modes and traps; the exit code is the number of the case'

# HTIF, a program that does all: its output is that of the same program here
for name in records lists; do
    "$compiler" -O2 -o $name.here "$source/examples/cva6-exec/$name.c"
    ./$name.here >here
    for xlen in 64 32; do
        build $xlen $name "$source/examples/cva6-exec/htif.S" "$source/examples/cva6-exec/$name.c"
        run $xlen $name --console printed --format csv
        [ $code = 0 ] || fail "$name on RV$xlen"
        head -n 1 printed | cmp - here || fail "$name on RV$xlen computes something else"
        grep -q "^$name: [0-9]* instructions, [0-9]* [a-z]*\$" printed || fail "$name on RV$xlen: its counts"
        csv 7 1
        csv 8 1
        # every instruction retires but the ecall, and is of one class or a CSR access, fence, mret
        tr -d '\r' <out | awk -F, '
            $1 == "counter" && $2 == "minstret" { retired = $4 }
            $1 == "counter" && $2 ~ /mhpmcounter[345]/ { counted[$3] = $4 }
            $1 == "event" && $2 ~ /^(5|6|9|20|21)$/ { sum += $4 }
            $1 == "event" && $3 in counted && $4 != counted[$3] { print $3; bad = 1 }
            END { exit bad || sum > retired || retired - sum > 60 }' || fail "$name on RV$xlen: counts do not agree"
    done
done
build 64 records "$source/examples/cva6-exec/htif.S" "$source/examples/cva6-exec/records.c"
run 64 records
[ "$(head -n 1 err)" = "$(./records.here)" ] || fail 'what is printed stands on standard error'

# HTIF by characters, with one that a terminal must not get; a call that is not there
small() { # xlen name: assembly from standard input
    { printf '.option norelax\n.globl _start, tohost, fromhost\n_start:\n'
      cat
      printf '.data\n.balign 64\ntohost: .dword 0\nfromhost: .dword 0\ncall: .dword 0, 0, 0, 0, 0, 0, 0, 0\n'
      printf '.balign 8\nblock: .space 32\ntext: .asciz "hello"\ntt: .ascii ":tt"\n'; } >"$2.S"
    build "$1" "$2" "$2.S"
}
exit_0='li a0,1\nla t0,tohost\nsw a0,(t0)\n1: j 1b\n'
put='la t0,tohost\nli a1,0x101\nslli a1,a1,48\n'
printf "${put}addi a0,a1,'H'\nsd a0,(t0)\naddi a0,a1,27\nsd a0,(t0)\nla t1,fromhost\nld s1,(t1)\n$exit_0" | small 64 put
run 64 put
{ [ $code = 0 ] && [ "$(cat err)" = 'H?' ]; } || fail 'characters through HTIF'
run 64 put --console printed
[ "$(od -An -tx1 printed | tr -d ' ')" = 481b ] || fail 'characters in a file'
printf "la t0,call\nli a0,1000\nsd a0,(t0)\nla t1,tohost\nsd t0,(t1)\nld a0,(t0)\nneg a0,a0\nslli a0,a0,1\nori a0,a0,1\nsd a0,(t1)\n1: j 1b\n" | small 64 unknown
code=0
"$program" exec --core cv64a6_imafdc_sv39 unknown >out 2>err || code=$?
{ grep -q 'exit code 38$' out && grep -q 'PC-N1321.*: system call 1000 at 0x' err; } || fail 'a system call that is not there'
printf "la t0,tohost\nli a0,2\nslli a0,a0,56\nsd a0,(t0)\n" | small 64 device
run 64 device
{ [ $code = 2 ] && grep -q 'PC-E1325.*is for device 2, command 0' err; } || fail 'a device that is not there'
printf "la t0,tohost\nli a0,64\nsd a0,(t0)\n" | small 64 nowhere
run 64 nowhere
{ [ $code = 2 ] && grep -q 'PC-E1325.*system call of 0x40 in tohost is not in memory' err; } || fail 'a system call from nowhere'

# semihosting: a character, a text, a block by the handle of the console, the end with a code
semi='.balign 16\n.option push\n.option norvc\nslli x0,x0,0x1f\nebreak\nsrai x0,x0,7\n.option pop\n'
for xlen in 64 32; do
    w=$((xlen / 8)) s=sd
    [ $xlen = 64 ] || s=sw
    printf "li a0,3\nla a1,text\n${semi}li a0,4\nla a1,text\n${semi}" >semi.in
    printf "la a1,block\nla t0,tt\n$s t0,(a1)\nli t0,4\n$s t0,$w(a1)\nli t0,3\n$s t0,$((2 * w))(a1)\nli a0,1\n${semi}" >>semi.in
    printf "la a1,block\n$s a0,(a1)\nla t0,text+1\n$s t0,$w(a1)\nli t0,4\n$s t0,$((2 * w))(a1)\nli a0,5\n${semi}" >>semi.in
    printf "la a1,block\nli t0,0x20026\n$s t0,(a1)\naddi t0,a0,7\n$s t0,$w(a1)\nli a0,0x20\n${semi}" >>semi.in
    small $xlen semi <semi.in
    run $xlen semi
    { [ $code = 1 ] && grep -q 'exit code 7$' out && [ "$(cat err)" = 'hhelloello' ]; } || fail "semihosting on RV$xlen"
    run $xlen semi --format csv
    csv 7 5
done
printf "li a0,0x18\nli a1,0x20026\n$semi" | small 32 exit32
run 32 exit32
[ $code = 0 ] || fail 'a semihosting exit on RV32'
printf "ebreak\n" | small 64 ebreak
run 64 ebreak
grep -q 'PC-E1324.*: trap 3' err || fail 'an ebreak is no semihosting'

# a UART: bytes side by side or in every fourth; the divisor is not printed
for step in 1 4; do
    printf "li t0,0x10000000\nli a0,0x83\nsb a0,$((3 * step))(t0)\nli a0,27\nsb a0,(t0)\nli a0,3\nsb a0,$((3 * step))(t0)\n2: lbu a0,$((5 * step))(t0)\nandi a0,a0,0x20\nbeqz a0,2b\nli a0,'U'\nsb a0,(t0)\n$exit_0" | small 64 uart
    run 64 uart --uart 0x10000000
    { [ $code = 0 ] && [ "$(cat err)" = U ]; } || fail "a UART, step $step"
done
run 64 uart
{ [ $code = 2 ] && grep -q 'PC-E1324.*: trap 7' err; } || fail 'no UART'
run 64 uart --uart near
[ $code = 2 ] || fail 'a UART at no address'
run 64 uart --uart 0x10000000 --console -
[ $code = 2 ] || fail 'the console and the report in one'
echo 'programs run as they are'
