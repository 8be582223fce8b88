/* SPDX-License-Identifier: MIT */
/*
 * A counter unit driven by bytes: registers, steps, pulses, as a guest and an embedder may
 * do them in any order.  Shared by the targets `unit` and `state`.
 */
#ifndef PC_FUZZ_UNIT_OPS_H
#define PC_FUZZ_UNIT_OPS_H

#include "fuzz.h"

#define UNIT_REGISTERS 512
#define UNIT_STATE_MAX 16384

struct unit_register {
    uint32_t address, rw_mask;
    bool readable, writable;
    bool hidden; /* CTR_PRE, CTR_STOP: what is written is an initial value, out of sight (D-46) */
};

/* A chip's unit and its registers; on GF100+ one of its units, chosen by the bytes. */
struct unit_case {
    struct pc_unit_desc desc;
    struct fuzz_heap heap;
    struct pc_alloc alloc;
    unsigned domains;
    const struct unit_register *reg;
    size_t regs;
};

/* Takes two bytes.  False if the chip has no unit. */
bool unit_case_choose(struct unit_case *c, struct fuzz_bytes *in);
struct pc_unit *unit_case_create(struct unit_case *c);
const struct unit_register *unit_case_register(const struct unit_case *c, struct fuzz_bytes *in);
/* One edge in `edges`, with inputs made of the seed. */
void unit_step(struct pc_unit *unit, uint32_t edges, uint64_t *seed);
/* The whole state after a checked size; *size bytes at out. */
void unit_saved(const struct pc_unit *unit, uint8_t out[UNIT_STATE_MAX], size_t *size);
/* memcmp() == 0, which libFuzzer would look into at a great cost. */
bool unit_same(const uint8_t *a, const uint8_t *b, size_t size);
/* By their saved states. */
void unit_must_equal(const struct pc_unit *a, const struct pc_unit *b);

#endif
