/* SPDX-License-Identifier: MIT */
/* A bit in 64 cycles: `v` its value, `u` those in which Kleene's logic does not know it. */
#ifndef PC_EXPR_TRI_H
#define PC_EXPR_TRI_H

#include <stdint.h>

struct tri {
    uint64_t v, u;
};

static inline struct tri not3(struct tri a)
{
    return (struct tri){ ~a.v, a.u };
}

/* Unknown unless one side is known to be 0. */
static inline struct tri and3(struct tri a, struct tri b)
{
    return (struct tri){ a.v & b.v, (a.u | b.u) & (a.u | a.v) & (b.u | b.v) };
}

static inline struct tri or3(struct tri a, struct tri b)
{
    return not3(and3(not3(a), not3(b)));
}

static inline struct tri xor3(struct tri a, struct tri b)
{
    return (struct tri){ a.v ^ b.v, a.u | b.u };
}

/* The third term knows what is the same in both arms. */
static inline struct tri mux3(struct tri c, struct tri a, struct tri b)
{
    return or3(or3(and3(c, a), and3(not3(c), b)), and3(a, b));
}

#endif
