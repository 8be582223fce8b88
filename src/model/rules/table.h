/* SPDX-License-Identifier: MIT */
/*
 * Truth tables of four arguments as numbers: bit i is the result where i = ARG3 ARG2 ARG1 ARG0
 * (PC.IN.8).
 */
#ifndef PC_RULES_TABLE_H
#define PC_RULES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the table whose result is argument i. */
static inline uint16_t pc_table_of(unsigned i)
{
    static const uint16_t table[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

    return table[i];
}

/* Returns the table where argument i is a constant. */
static inline uint16_t pc_table_fix(uint16_t table, unsigned i, bool level)
{
    const unsigned one = pc_table_of(i), shift = 1u << i;
    const unsigned half = level ? table & one : table & ~one;

    return (uint16_t)(half | (level ? half >> shift : half << shift));
}

/* Returns true if it looks at argument i at all. */
static inline bool pc_table_depends(uint16_t table, unsigned i)
{
    return pc_table_fix(table, i, false) != pc_table_fix(table, i, true);
}

/* Returns the table without argument i, on which it does not depend: those after it move down. */
static inline uint16_t pc_table_without(uint16_t table, unsigned i)
{
    unsigned out = table & ~(unsigned)pc_table_of(i);

    for (; i < 3; i++) /* what is 2^i bits apart moves together */
        out = (out | out >> (1u << i)) & ~(unsigned)pc_table_of(i + 1) & 0xffff;
    return (uint16_t)(out | out << 8);
}

#endif
