#!/bin/sh
# SPDX-License-Identifier: MIT
# `pcounter exec` executes no instruction wrongly: results, causes and values of traps; what it
# cannot execute is refused by name; a run that is cut off has partial counts.
#   exec_insn.sh PROGRAM SOURCE
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
missing=$(riscv_missing)
[ -z "$missing" ] || skip "$missing"
run() { # options: code, out, err
    code=0
    "$program" exec -q --core $core "$@" >out 2>err || code=$?
}
core=cv64a6_imafdc_sv39
riscv_build rv64gc lp64d insn.elf "$source/tests/emit/exec_insn.S"
run insn.elf
[ $code != 2 ] || ! grep -q PC-E1320 err || skip 'there is no Unicorn'
[ $code = 0 ] || fail 'RV64: an instruction does another thing; the exit code is the number of the case'
core=cv32a6_imac_sv32
riscv_build rv32imac ilp32 insn32.elf "$source/tests/emit/exec_insn.S"
run insn32.elf
[ $code = 0 ] || fail 'RV32: an instruction does another thing; the exit code is the number of the case'

# bit manipulation, Zicond and Zcb, which this machine does itself, against the ISA manual
python3 "$source/tests/emit/exec_bits.py" 64 zcb >bits64.S
python3 "$source/tests/emit/exec_bits.py" 32 >bits32.S
python3 "$source/tests/emit/exec_bits.py" 32 zcb >zcb32.S
riscv_build rv64gc lp64d bits64 bits64.S
riscv_build rv32imac ilp32 bits32 bits32.S
riscv_build rv32imc ilp32 zcb32 zcb32.S
core=cv64a6_imafdc_sv39
run bits64
[ $code = 0 ] || fail 'RV64: bit manipulation'
core=cv32a6_imac_sv32
run bits32
[ $code = 0 ] || fail 'RV32: bit manipulation'
core=cv32a65x
run zcb32
[ $code = 0 ] || fail 'RV32: bit manipulation and Zcb'

# A program with one instruction in it, here four characters: the exit code is the cause of its
# trap, or 99.
cat >one.S <<'END'
        .globl  _start, tohost
_start: la      t0, 1f
        csrw    mtvec, t0
        la      t3, at + 2
        addi    a1, sp, -16
at:     .ascii  "INSN"
        li      a0, 99
        j       2f
        .balign 4
1:      csrr    a0, mcause
2:      slli    a0, a0, 1
        ori     a0, a0, 1
        la      t0, tohost
        sw      a0, (t0)
        .data
        .balign 8
tohost: .word   0, 0
END
riscv_build rv64g lp64d one64 one.S
riscv_build rv32ima ilp32 one32 one.S
with() { # program instruction: runs it with the instruction in its place
    place=$(grep -abo INSN "$1" | cut -d: -f1)
    cp "$1" with.elf
    for shift in 0 8 16 24; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "\\$(printf %03o $(($2 >> shift & 255)))"
    done | dd of=with.elf bs=1 seek="$place" conv=notrunc 2>dd.err
    run with.elf
}
refused() { # program instruction name
    with "$1" "$2"
    { [ $code = 2 ] && grep -q "PC-E1325.* is one of $3, which is not executed" err; } ||
        fail "$core: $2 is not refused as one of $3"
}
cause() { # program instruction cause
    with "$1" "$2"
    grep -q "exit code $3\$" out || fail "$core: $2: not cause $3"
}
# what the core has is executed or refused by its name, what it has not is illegal
core=cv64a6_imafdc_sv39
cause one64 0x00019c41 99 # c.mul
cause one64 0x00018000 5 # c.lbu of address 0
cause one64 0x00019000 2 # reserved beside it
cause one64 0x20b52533 99 # sh1add
cause one64 0x60051513 99 # clz
cause one64 0x0eb55533 99 # czero.eqz
cause one64 0x08b5053b 99 # add.uw
refused one64 0x32b50533 'scalar cryptography (Zk)' # aes64es
cause one64 0x0045200f 2 # cbo.zero
cause one64 0x0015200f 2 # cbo.clean
refused one64 0x022180d7 V
refused one64 0x02057007 V # a load
refused one64 0x0000007b 'a coprocessor (CV-X-IF)'
cause one64 0x60054573 2 # hlv.b
cause one64 0x00000013 99
# floating point is on until mstatus turns it off: then its loads and CSRs trap, too
sed 's/^at:.*/        csrr    a3, mstatus\n        li      a2, 0x6000\n        csrc    mstatus, a2\n&/' one.S >off.S
riscv_build rv64g lp64d off64 off.S
cause one64 0x02007053 99 # fadd.d
cause off64 0x02007053 2
cause off64 0xff05b007 2 # fld
cause off64 0x00302573 2 # csrr fcsr
cause off64 0xff05a503 99 # lw
cause off64 0x30062073 99 # csrs mstatus, a2
refused off64 0x0c05f557 V
core=cv64a6_imafdc_sv39_openpiton
for insn in 0x00019c41 0x00018000 0x20b52533 0x60051513 0x0eb55533 0x08b5053b 0x32b50533; do
    cause one64 $insn 2
done
core=cv64a6_imafdc_sv39_hpdcache
refused one64 0x0015200f Zicbom # cbo.clean
cause one64 0x0045200f 2 # cbo.zero
core=cv64a6_imafdch_sv39
cause one64 0x32b50533 2
refused one64 0x60054573 H
refused one64 0x22000073 H
core=cv32a65x
cause one32 0x0005a52f 2 # amoadd.w
refused one32 0x0001a002 'Zcmp or Zcmt'
core=cv32a6_imac_sv32
cause one32 0x0005a52f 99

# a jump to half a word traps on a core without compressed instructions
core=cv32a6_ima_sv32_fpga
cause one32 0x000e0067 0

# cut off: the counts up to there, by name partial, and the error
core=cv64a6_imafdc_sv39
printf '.globl _start\n_start: csrwi mhpmevent3,5\nmv a1,sp\n1: lw t0,-4(a1)\nj 1b\n' >loop.S
riscv_build rv64gc lp64d loop.elf loop.S
run --limit 10 loop.elf
{ [ $code = 4 ] && grep -q PC-E1326 err; } || fail 'a program that does not end'
grep -q ': 10 instructions, cut off: all counts are partial$' out || fail 'partial counts'
grep -q '^ *4  mhpmcounter3  *LOAD_INSTRUCTIONS_RETIRED$' out || fail 'a partial counter'
grep -q '^Events up to there:$' out || fail 'partial events'
run --limit 10 --format csv loop.elf
tr -d '\r' <out | grep -q '^event,5,LOAD_INSTRUCTIONS_RETIRED,4,partial$' || fail 'partial in CSV'
run --limit 10 --format json -o loop.json loop.elf
{ [ $code = 4 ] && grep -q '"complete": false' loop.json && grep -q '"exit_code": null' loop.json; } ||
    fail 'partial in JSON'
run insn.elf --format json
{ grep -q '"complete": true' out && grep -q '"exit_code": 0,' out; } || fail 'whole in JSON'
"$program" exec -q --core $core --limit 30M loop.elf >out 2>err &
sleep 1
kill -INT $!
code=0
wait $! || code=$?
{ [ $code = 130 ] && grep -q 'cut off: all counts are partial$' out; } || fail 'Ctrl-C'
with one64 0x32b50533
grep -q ': 6 instructions, cut off' out || fail 'what is refused was not executed'
echo 'instructions do what they must'
