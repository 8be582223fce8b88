#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter exec`: the example finds every count as it must be, at both XLEN; the report has the
# counts that follow from the program's text, and no number for what is not measured; programs
# that are no programs, or do not end, are refused.
#   exec.sh PROGRAM SOURCE
set -eu
program=$1
source=$2
# shellcheck source=tests/emit/riscv.sh
. "$source/tests/emit/riscv.sh"
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
code_of() {
    code=0
    "$@" >out 2>err || code=$?
    echo $code
}
build() { # core march abi output option...
    "$program" emit c-header --core "$1" -o cva6_hpm.h
    shift
    riscv_build "$@"
}

missing=$(riscv_missing)
[ -z "$missing" ] || skip "$missing"
core=cv64a6_imafdc_sv39
build $core rv64gc lp64d count64.elf "$source/examples/cva6-exec/count.S"
[ "$(code_of "$program" exec --core $core count64.elf)" = 0 ] || {
    grep -q PC-E1320 err && skip 'the program was built without Unicorn'
    fail 'the example at XLEN 64'
}

# rows of --format csv: kind,name,event,value,state
"$program" exec -q --core $core --format csv count64.elf | tr -d '\r' >rows
row() { grep -q "^$1\$" rows || { cat rows >&2; fail "no row $1"; }; }
row 'counter,mcycle,,,unmeasured'
row 'counter,mhpmcounter3,L1_D_CACHE_MISSES,,unmeasured'
row 'counter,mhpmcounter4,STORE_INSTRUCTIONS_RETIRED,10,exact'
row 'counter,mhpmcounter8,EXCEPTIONS,10,exact'
row 'event,2,L1_D_CACHE_MISSES,,unmeasured'
row 'event,5,LOAD_INSTRUCTIONS_RETIRED,20,exact'
row 'event,6,STORE_INSTRUCTIONS_RETIRED,11,exact' # and tohost
row 'event,7,EXCEPTIONS,10,exact'
row 'event,8,EXCEPTION_HANDLER_RETURNS,10,exact'
row 'event,10,BRANCH_MISPREDICTS,,unmeasured'
row 'event,12,CALL_INSTRUCTIONS_RETIRED,10,exact'
row 'event,13,RETURN_INSTRUCTIONS_RETIRED,10,exact'
row 'event,21,FLOATING_POINT_INSTRUCTIONS_RETIRED,4,exact'
"$program" exec -q --core $core count64.elf >text
grep -q '^ *unmeasured  mcycle' text || fail 'mcycle has a number'

build cv32a6_imac_sv32 rv32imac ilp32 count32.elf "$source/examples/cva6-exec/count.S"
[ "$(code_of "$program" exec --core cv32a6_imac_sv32 count32.elf)" = 0 ] || fail 'the example at XLEN 32'
[ "$(code_of "$program" exec --core $core count32.elf)" = 2 ] || fail 'a program of another XLEN'
build $core rv64gc lp64d wrong.elf -DWRONG "$source/examples/cva6-exec/count.S"
[ "$(code_of "$program" exec --core $core wrong.elf)" = 1 ] || fail 'a wrong expectation'
grep -q 'exit code 1$' out || fail 'the exit code of the program'

# ends of programs
small() { # name: assembly from standard input
    { echo '.option norelax'; echo '.globl _start'; echo '_start:'; cat; } >"$1.S"
    build $core rv64gc lp64d "$1.elf" "$1.S"
    code_of "$program" exec -q --core $core --limit 10K "$1.elf"
}
[ "$(printf 'li a7,93\nli a0,0\necall\n' | small exit0)" = 0 ] || fail 'ecall 93 with 0'
[ "$(printf 'li a7,93\nli a0,7\necall\n' | small exit7)" = 1 ] || fail 'ecall 93 with 7'
[ "$(printf 'j _start\n' | small loop)" = 4 ] || fail 'a program that does not end'
grep -q PC-E1326 err || fail 'the error of a program that does not end'
[ "$(printf '.word 0\n' | small illegal)" = 2 ] || fail 'a trap without a handler'
grep -q PC-E1324 err || fail 'the error of a trap without a handler'
[ "$(printf 'la t0,_start\nlw t0,2(t0)\n' | small misaligned)" = 2 ] || fail 'a misaligned load'
grep -q 'PC-E1324.*: trap 4 at 0x80000008, and mtvec is 0' err || fail 'the error of a misaligned load'
[ "$(printf 'li t0,0x1800\ncsrc mstatus,t0\nla t0,1f\ncsrw mepc,t0\nmret\n1: csrr t0,mscratch\n' | small user)" = 2 ] || fail 'U-mode'
grep -q 'PC-E1324.*: trap 2 at' err || fail 'the error of U-mode'
# what is not there is refused by name
[ "$(printf 'li t0,8\nslli t0,t0,60\ncsrw satp,t0\n' | small satp)" = 2 ] || fail 'address translation'
grep -q 'PC-E1325.*turns address translation on' err || fail 'the error of address translation'
[ "$(printf 'csrwi mip,2\n' | small pending)" = 2 ] || fail 'an interrupt'
grep -q 'PC-E1325.*makes an interrupt pending' err || fail 'the error of an interrupt'
[ "$(printf 'li t0,-1\ncsrw pmpaddr0,t0\nli t0,0x1f\ncsrw pmpcfg0,t0\nli t0,0x19\ncsrw pmpcfg0,t0\n' | small pmp)" = 2 ] || fail 'the PMP'
grep -q 'PC-E1325.*protects memory by entry 0 of the PMP' err || fail 'the error of the PMP'
# load from nowhere, rdtime, a read-only CSR: cause 5, 2, 2, summed into the exit code
[ "$(printf 'la t0,1f\ncsrw mtvec,t0\nli t0,64\nlw t0,(t0)\nrdtime t0\ncsrw cycle,t0\nli t0,0x2400\nsrli t0,t0,10\nadd a0,s0,t0\nslli a0,a0,1\nori a0,a0,1\nla t0,tohost\nsw a0,(t0)\n.balign 4\n1: csrr t1,mcause\nadd s0,s0,t1\ncsrr t1,mepc\nlhu t2,(t1)\nandi t2,t2,3\naddi t1,t1,2\naddi t2,t2,-3\nbnez t2,2f\naddi t1,t1,2\n2: csrw mepc,t1\nmret\n.data\n.balign 8\n.globl tohost\ntohost: .dword 0\n' | small traps)" = 1 ] || fail 'traps'
grep -q 'exit code 18$' out || fail 'the causes of traps'

# what is or-ed into a counter that missed events leaves it unmeasured, a value written does not
[ "$(printf 'csrwi mhpmevent3,1\ncsrwi mhpmevent3,5\ncsrsi mhpmcounter3,8\ncsrwi mhpmevent4,1\ncsrwi mhpmevent4,5\ncsrwi mhpmcounter4,8\nli a7,93\nli a0,0\necall\n' | small taint)" = 0 ] || fail 'set and written counters'
grep -q '^ *unmeasured  mhpmcounter3 ' out || fail 'a counter that missed events has a number'
grep -q '^ *8  mhpmcounter4 ' out || fail 'a counter that was written has no number'
# with XLEN 32 only when both halves were written: a carry may be what the high one missed
printf '.option norelax\n.globl _start\n_start:\ncsrwi mhpmevent3,1\ncsrwi mhpmevent3,5\ncsrwi mhpmcounter3,8\ncsrwi mhpmevent4,1\ncsrwi mhpmevent4,5\ncsrwi mhpmcounter4h,1\ncsrwi mhpmcounter4,8\nli a7,93\nli a0,0\necall\n' >halves.S
build cv32a6_imac_sv32 rv32imac ilp32 halves.elf halves.S
[ "$(code_of "$program" exec -q --core cv32a6_imac_sv32 halves.elf)" = 0 ] || fail 'halves of counters'
grep -q '^ *unmeasured  mhpmcounter3 ' out || fail 'a counter has a number whose high half missed events'
grep -q '^ *4,294,967,304  mhpmcounter4 ' out || fail 'a counter of two written halves has no number'

# instructions that the core has not are illegal: arithmetic and loads of floating point, fcsr, compressed
lacks() { # core instruction...
    core=$1
    shift
    for insn in "$@"; do
        printf '.option norelax\n.option norvc\n.globl _start\n_start: mv a1,sp\n%s\nli a7,93\nli a0,0\necall\n' "$insn" >lacks.S
        build "$core" rv32gc ilp32d lacks.elf lacks.S
        [ "$(code_of "$program" exec -q --core "$core" lacks.elf)" = 2 ] || fail "$core executes $insn"
        grep -q 'PC-E1324.*: trap 2 at 0x80000004' err || fail "the error of $insn on $core"
    done
}
lacks cv32a6_imac_sv32 'fadd.s f1,f2,f3' 'fmadd.d f1,f2,f3,f4' 'flw f1,(zero)' 'fsd f1,-8(sp)' 'csrr a0,fcsr' \
    '.option rvc; c.fsdsp f1,0(sp)' '.option rvc; c.flw f8,0(a1)'
lacks cv32a6_ima_sv32_fpga '.option rvc; c.nop' '.option rvc; c.li a0,1'
core=cv64a6_imafdc_sv39

# what is no program
size=$(wc -c <count64.elf)
for cut in 0 3 16 63 64 100 200 $((size / 2)) $((size - 1)); do
    head -c "$cut" count64.elf >cut.elf
    code=$(code_of "$program" exec -q --core $core --limit 10K cut.elf)
    [ "$code" -le 2 ] || [ "$code" = 4 ] || fail "a program cut at $cut"
done
[ "$(code_of "$program" exec --core $core "$source/README.md")" = 2 ] || fail 'a text'
[ "$(printf 'li a7,93\nli a0,0\necall\n.bss\n.space 8192\n' | small large)" = 0 ] || fail 'a program of more than 8 KiB'
[ "$(code_of "$program" exec --core $core --memory 4K large.elf)" = 2 ] || fail 'too little memory'
[ "$(code_of "$program" exec -q --core $core --memory 1G exit0.elf)" = 0 ] || fail '--memory 1G'
[ "$(code_of "$program" exec -q --core $core --memory 1048577K exit0.elf)" = 2 ] || fail '--memory 1048577K'
echo 'programs count as they must'
