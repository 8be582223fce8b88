/* SPDX-License-Identifier: MIT */
/* Instructions that access memory, by Zydis. */
#ifndef PC_CARD_DECODE_H
#define PC_CARD_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum decoded_kind { DECODED_LOAD, DECODED_STORE, DECODED_STORE_IMMEDIATE };

/* mov, movzx, movsx of a general register. */
struct decoded {
    enum decoded_kind kind;
    unsigned length;   /* of the instruction */
    unsigned size;     /* of the access */
    int reg;           /* REG_RAX, ... of <ucontext.h> */
    unsigned reg_size; /* bytes of it that a load sets */
    bool high, sign;   /* ah, bh, ch, dh; a load extends by its sign */
    uint64_t immediate;
};
/* false: it is another one. */
bool decode(const void *code, struct decoded *out);

/* The memory operand of any instruction. */
struct decoded_memory {
    int reg;       /* that can be moved so that the operand is elsewhere */
    unsigned size; /* bytes */
    bool reads, writes;
    bool reg_written; /* the instruction sets that register itself (not rsi and rdi, which it moves)
                       */
};
bool decode_memory(const void *code, const void *at, const int64_t *gregs,
                   struct decoded_memory *out);

#endif
