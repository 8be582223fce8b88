/* SPDX-License-Identifier: MIT */
/*
 * Instructions that access memory, by Zydis.
 *
 *   decode.c   plain ones of general registers
 *   operand.c  the memory operand of any other, and which bytes of it are accessed
 */
#ifndef PC_CARD_DECODE_H
#define PC_CARD_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>
#include <Zydis/Zydis.h>

struct insn {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};
bool insn_read(const void *code, struct insn *out);
/* Returns the place of a general register in the context, or of what it is a part of; -1: it is
 * none. */
int insn_place(ZydisRegister reg);
/* Returns the address of an operand, by the registers; false: it is by a segment, or of 32 bits. */
bool insn_address(const struct insn *x, const ZydisDecodedOperand *o, const ucontext_t *c,
                  uint64_t *out);

enum decoded_kind { DECODED_LOAD, DECODED_STORE, DECODED_UPDATE };

/* How an update combines two values */
enum decoded_op {
    OP_ADD,
    OP_ADC,
    OP_SUB,
    OP_SBB,
    OP_CMP,
    OP_AND,
    OP_TEST,
    OP_OR,
    OP_XOR,
    OP_INC,
    OP_DEC,
    OP_NEG,
    OP_NOT,
    OP_BT,
    OP_BTS,
    OP_BTR,
    OP_BTC,
    OP_XCHG,
    OP_XADD,
    OP_CMPXCHG,
    OP_CMPXCHG8B, /* also of 16 bytes */
    OPS
};

/* mov, movzx, movsx, and what adds to memory, compares with it, and so on, of general registers */
struct decoded {
    enum decoded_kind kind;
    enum decoded_op op;
    unsigned length;   /* of the instruction */
    unsigned size;     /* of the access: 1, 2, 4, 8, or 16 */
    int reg;           /* REG_RAX, ... of <ucontext.h>; -1: `immediate` is the other operand */
    unsigned reg_size; /* bytes of it that a load sets */
    bool high, sign;   /* ah, bh, ch, dh; a load extends by its sign */
    bool to_memory;    /* an update has its result there */
    bool lock;         /* no other access of the card comes between its read and its write */
    uint64_t immediate;
    /* The address: registers' places, -1: none */
    bool addressed; /* false: not known by these */
    int base, index;
    unsigned scale;
    int64_t add;
};
/* false: it is another one, of that length; 0: of none. */
bool decode(const void *code, struct decoded *out);

/* The memory operand of any instruction. */
struct decoded_memory {
    int reg;       /* that can be moved so that the operand is elsewhere */
    unsigned size; /* bytes */
    uint64_t address;
    uint64_t touched; /* a bit for each byte that is accessed */
    bool reads, writes;
    bool reg_written; /* the instruction sets that register itself (not rsi and rdi, which it moves)
                       */
};
/* Decodes the operand that `at` is in; false: it cannot be moved. */
bool decode_memory(const struct insn *x, uint64_t at, const ucontext_t *c,
                   struct decoded_memory *out);

#endif
