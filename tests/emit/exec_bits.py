#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program of Zba, Zbb, Zbc, Zbs, Zicond and Zcb: each instruction on numbers at random, and what it gives by the pseudocode of the
ISA manual, written once more here.  The exit code is 0, or 1 where one differs, whose number is in s0.
   exec_bits.py XLEN [zcb]"""
import random
import sys

X = int(sys.argv[1])
M = (1 << X) - 1
random.seed(20261128)


def s(x, w=X):
    return (x & ((1 << w) - 1)) - ((x >> (w - 1) & 1) << w)


def bits(x, w):
    return [x >> i & 1 for i in range(w)]


def number(b):
    return sum(v << i for i, v in enumerate(b))


def product(a, b):
    r = 0
    for i in range(X):
        if b >> i & 1:
            r ^= a << i
    return r


def rotl(x, n, w):
    b = bits(x, w)
    return number([b[(i - n) % w] for i in range(w)])


def first(seq, w):
    return seq.index(1) if 1 in seq else w


W = 0xFFFFFFFF
# name: (opcode, funct3, funct7, of a and b)
R = {
    "sh1add": (0x33, 2, 0x10, lambda a, b: b + a * 2),
    "sh2add": (0x33, 4, 0x10, lambda a, b: b + a * 4),
    "sh3add": (0x33, 6, 0x10, lambda a, b: b + a * 8),
    "andn": (0x33, 7, 0x20, lambda a, b: a & ~b),
    "orn": (0x33, 6, 0x20, lambda a, b: a | ~b),
    "xnor": (0x33, 4, 0x20, lambda a, b: ~(a ^ b)),
    "min": (0x33, 4, 0x05, lambda a, b: min(s(a), s(b))),
    "minu": (0x33, 5, 0x05, min),
    "max": (0x33, 6, 0x05, lambda a, b: max(s(a), s(b))),
    "maxu": (0x33, 7, 0x05, max),
    "clmul": (0x33, 1, 0x05, product),
    "clmulr": (0x33, 2, 0x05, lambda a, b: product(a, b) >> (X - 1)),
    "clmulh": (0x33, 3, 0x05, lambda a, b: product(a, b) >> X),
    "bclr": (0x33, 1, 0x24, lambda a, b: a & ~(1 << b % X)),
    "bext": (0x33, 5, 0x24, lambda a, b: a >> b % X & 1),
    "binv": (0x33, 1, 0x34, lambda a, b: a ^ 1 << b % X),
    "bset": (0x33, 1, 0x14, lambda a, b: a | 1 << b % X),
    "rol": (0x33, 1, 0x30, lambda a, b: rotl(a, b % X, X)),
    "ror": (0x33, 5, 0x30, lambda a, b: rotl(a, -(b % X), X)),
    "czero.eqz": (0x33, 5, 0x07, lambda a, b: 0 if b == 0 else a),
    "czero.nez": (0x33, 7, 0x07, lambda a, b: 0 if b != 0 else a),
}
if X == 32:  # no core of XLEN 32 has Zicond
    del R["czero.eqz"], R["czero.nez"]
# name: (opcode, funct3, imm, of a)
I = {
    "clz": (0x13, 1, 0x600, lambda a: first(bits(a, X)[::-1], X)),
    "ctz": (0x13, 1, 0x601, lambda a: first(bits(a, X), X)),
    "cpop": (0x13, 1, 0x602, lambda a: sum(bits(a, X))),
    "sext.b": (0x13, 1, 0x604, lambda a: s(a, 8)),
    "sext.h": (0x13, 1, 0x605, lambda a: s(a, 16)),
    "orc.b": (0x13, 5, 0x287, lambda a: sum(255 << i for i in range(0, X, 8) if a >> i & 255)),
    "rev8": (0x13, 5, 0x6B8 if X == 64 else 0x698, lambda a: int.from_bytes(a.to_bytes(X // 8, "little"), "big")),
}
for n in (0, 1, 5, X // 2 - 1, X - 1):
    I[f"bclri {n}"] = (0x13, 1, 0x480 | n, lambda a, n=n: a & ~(1 << n))
    I[f"bexti {n}"] = (0x13, 5, 0x480 | n, lambda a, n=n: a >> n & 1)
    I[f"binvi {n}"] = (0x13, 1, 0x680 | n, lambda a, n=n: a ^ 1 << n)
    I[f"bseti {n}"] = (0x13, 1, 0x280 | n, lambda a, n=n: a | 1 << n)
    I[f"rori {n}"] = (0x13, 5, 0x600 | n, lambda a, n=n: rotl(a, -n, X))
if X == 64:
    R |= {
        "sh1add.uw": (0x3B, 2, 0x10, lambda a, b: b + (a & W) * 2),
        "sh2add.uw": (0x3B, 4, 0x10, lambda a, b: b + (a & W) * 4),
        "sh3add.uw": (0x3B, 6, 0x10, lambda a, b: b + (a & W) * 8),
        "add.uw": (0x3B, 0, 0x04, lambda a, b: b + (a & W)),
        "rolw": (0x3B, 1, 0x30, lambda a, b: s(rotl(a & W, b % 32, 32), 32)),
        "rorw": (0x3B, 5, 0x30, lambda a, b: s(rotl(a & W, -(b % 32), 32), 32)),
    }
    I |= {
        "clzw": (0x1B, 1, 0x600, lambda a: first(bits(a, 32)[::-1], 32)),
        "ctzw": (0x1B, 1, 0x601, lambda a: first(bits(a, 32), 32)),
        "cpopw": (0x1B, 1, 0x602, lambda a: sum(bits(a, 32))),
    }
    for n in (0, 7, 31, 32, 63):
        I[f"slli.uw {n}"] = (0x1B, 1, 0x080 | n, lambda a, n=n: (a & W) << n)
    for n in (0, 1, 16, 31):
        I[f"roriw {n}"] = (0x1B, 5, 0x600 | n, lambda a, n=n: s(rotl(a & W, -n, 32), 32))
# of a0 and a1, which are 2 and 3 in three bits
C = {
    "c.zext.b": (0x9C61, lambda a, b: a & 255),
    "c.sext.b": (0x9C65, lambda a, b: s(a, 8)),
    "c.zext.h": (0x9C69, lambda a, b: a & 0xFFFF),
    "c.sext.h": (0x9C6D, lambda a, b: s(a, 16)),
    "c.not": (0x9C75, lambda a, b: ~a),
    "c.mul": (0x9C41 | 3 << 2, lambda a, b: a * b),
}
if X == 64:
    C["c.zext.w"] = (0x9C71, lambda a, b: a & W)


def operand():
    special = [0, 1, M, 1 << (X - 1), M >> 1, 0x80, 0x8000, W & M, 0x80000000 & M]
    return random.choice(special) if random.random() < 0.3 else random.getrandbits(random.choice([8, 16, 32, X])) & M


def case(name, insn, a, b, result):
    print(f"        # {name}\n        li a0, {s(a)}\n        li a1, {s(b)}\n        {insn}\n        li a3, {s(result & M)}")
    print("        addi s0, s0, 1\n        beq a2, a3, 9f\n        j wrong\n9:")


print("        .option norelax\n        .globl _start, tohost\n_start: li s0, 0")
for _ in range(12):
    for name, (opcode, f3, f7, of) in R.items():
        a, b = operand(), operand()
        case(name, f".insn r {opcode}, {f3}, {f7}, a2, a0, a1", a, b, of(a, b))
    for name, (opcode, f3, imm, of) in I.items():
        a = operand()
        case(name, f".insn i {opcode}, {f3}, a2, a0, {imm - 4096 if imm >= 2048 else imm}", a, 0, of(a))
    a = operand()
    case("zext.h", f".insn r {0x3B if X == 64 else 0x33}, 4, 4, a2, a0, x0", a, 0, a & 0xFFFF)
    if len(sys.argv) < 3:
        continue
    for name, (half, of) in C.items():
        a, b = operand(), operand()
        case(name, f".2byte {half | 2 << 7}\n        mv a2, a0", a, b, of(a, b))
if len(sys.argv) > 2:  # c.lbu, c.lhu, c.lh, c.sb, c.sh with each offset; a0 is the base, a1 the register
    data = [random.getrandbits(8) | 0x80 for _ in range(4)]
    print("        la s1, data")
    for off in range(4):
        place = (off & 1) << 6 | (off >> 1) << 5
        case("c.lbu", f"mv a0, s1\n        .2byte {0x8000 | 2 << 7 | 3 << 2 | place}\n        mv a2, a1", 0, 0, data[off])
    for off in (0, 2):
        half = data[off] | data[off + 1] << 8
        place = (off >> 1) << 5
        case("c.lhu", f"mv a0, s1\n        .2byte {0x8400 | 2 << 7 | 3 << 2 | place}\n        mv a2, a1", 0, 0, half)
        case("c.lh", f"mv a0, s1\n        .2byte {0x8440 | 2 << 7 | 3 << 2 | place}\n        mv a2, a1", 0, 0, s(half, 16))
    for off in range(4):
        place = (off & 1) << 6 | (off >> 1) << 5
        case("c.sb", f"mv a0, s1\n        .2byte {0x8800 | 2 << 7 | 3 << 2 | place}\n        lbu a2, {off}(s1)", 0, 0x123 + off, 0x23 + off)
    for off in (0, 2):
        case("c.sh", f"mv a0, s1\n        .2byte {0x8C00 | 2 << 7 | 3 << 2 | (off >> 1) << 5}\n        lhu a2, {off}(s1)", 0, 0x12345 + off, 0x2345 + off)
    print("        .data\n        .balign 4\ndata:   .byte " + ", ".join(map(str, data)) + "\n        .text")
print("""        li a0, 0
        j out
wrong:  li a0, 1
out:    slli a0, a0, 1
        ori a0, a0, 1
        la t0, tohost
        sw a0, (t0)
1:      j 1b
        .data
        .balign 8
tohost: .word 0, 0""")
