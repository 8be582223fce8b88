/* SPDX-License-Identifier: MIT */
/* Vector and mask registers of an interrupted program, as the kernel has put them down (XSAVE). */
#ifndef PC_CARD_STATE_H
#define PC_CARD_STATE_H

#include <stdint.h>
#include <ucontext.h>

enum { STATE_VECTOR = 64 /* bytes */ };

/* Bytes beyond what this processor has are 0. */
void state_vector(const ucontext_t *c, unsigned number, uint8_t out[STATE_VECTOR]);
void state_set_vector(ucontext_t *c, unsigned number, const uint8_t in[STATE_VECTOR]);
/* Returns k0 to k7. */
uint64_t state_mask(const ucontext_t *c, unsigned number);
void state_set_mask(ucontext_t *c, unsigned number, uint64_t value);
/* Returns mm0 to mm7. */
uint64_t state_mmx(const ucontext_t *c, unsigned number);

#endif
