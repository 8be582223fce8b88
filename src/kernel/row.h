/* SPDX-License-Identifier: MIT */
/*
 * Rows of counts (kernel.h), word by word: for kernels whose vectors are wider than a row.
 * They define vec, v_store() and LANES before.
 */
#ifndef PC_KERNEL_ROW_H
#define PC_KERNEL_ROW_H

#include <stdint.h>

typedef struct {
    uint64_t word[4];
} v_row;

static inline v_row v_row_load(const uint64_t row[4])
{
    return (v_row){ { row[0], row[1], row[2], row[3] } };
}

static inline v_row v_rows(v_row last, vec a, vec b, vec c, uint64_t (*row)[4])
{
    uint64_t lane[3][LANES];

    v_store(lane[0], a);
    v_store(lane[1], b);
    v_store(lane[2], c);
    for (unsigned k = 0; k < LANES; k++) {
        for (unsigned i = 0; i < 3; i++)
            last.word[i] += lane[i][k];
        for (unsigned i = 0; i < 4; i++)
            row[k][i] = last.word[i];
    }
    return last;
}

#endif
