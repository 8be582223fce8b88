/* SPDX-License-Identifier: MIT */
/*
 * pc_kernel.turn with instructions of AVX2.  The bytes of 32 rows are sorted by
 * column first, 16 rows to each half of a vector, and a mask of the top bits of a column is then a
 * plane.
 */
#ifndef PC_KERNEL_TURN_H
#define PC_KERNEL_TURN_H

#include <immintrin.h>
#include <stdint.h>

/* Loads rows r and r + 1, and rows r + 16 and r + 17. */
static inline __m256i turn_load(const uint64_t *row)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)row);
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(row + 16));

    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* Turns the rows: column[c] = byte c of 32 rows. */
static inline void turn_columns(const uint64_t *row, __m256i column[8])
{
    __m256i a[8], b[8];

    for (unsigned i = 0; i < 8; i++)
        b[i] = turn_load(row + 2 * i);
    for (unsigned i = 0; i < 4; i++) { /* a[r]: rows r, r + 8 */
        a[2 * i] = _mm256_unpacklo_epi8(b[i], b[i + 4]);
        a[2 * i + 1] = _mm256_unpackhi_epi8(b[i], b[i + 4]);
    }
    for (unsigned i = 0; i < 4; i++) { /* b[r], b[r + 4]: rows r, r + 4, ...; half of the columns */
        b[i] = _mm256_unpacklo_epi8(a[i], a[i + 4]);
        b[i + 4] = _mm256_unpackhi_epi8(a[i], a[i + 4]);
    }
    for (unsigned i = 0; i < 8; i += 4) /* a[..]: even rows, odd rows; two columns each */
        for (unsigned r = 0; r < 2; r++) {
            a[i + r] = _mm256_unpacklo_epi8(b[i + r], b[i + r + 2]);
            a[i + r + 2] = _mm256_unpackhi_epi8(b[i + r], b[i + r + 2]);
        }
    for (unsigned i = 0; i < 4; i++) {
        column[2 * i] = _mm256_unpacklo_epi8(a[2 * i], a[2 * i + 1]);
        column[2 * i + 1] = _mm256_unpackhi_epi8(a[2 * i], a[2 * i + 1]);
    }
}

/* The top bits of 64 bytes, then the next ones. */
static inline void turn_column(uint64_t out[8], __m256i low, __m256i high)
{
    for (unsigned j = 8; j-- > 0;) {
        out[j] = (uint32_t)_mm256_movemask_epi8(low) |
                 (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        low = _mm256_add_epi8(low, low);
        high = _mm256_add_epi8(high, high);
    }
}

static void turn_bytes(uint64_t out[8], const uint8_t row[64])
{
    turn_column(out, _mm256_loadu_si256((const __m256i *)(const void *)row),
                _mm256_loadu_si256((const __m256i *)(const void *)(row + 32)));
}

static void turn(uint64_t out[64], const uint64_t row[64], uint64_t bits)
{
    __m256i low[8], high[8];

    turn_columns(row, low);
    turn_columns(row + 32, high);
    for (unsigned c = 0; c < 8; c++)
        if (bits >> 8 * c & 0xff)
            turn_column(out + 8 * c, low[c], high[c]);
}

#endif
