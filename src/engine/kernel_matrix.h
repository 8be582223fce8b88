/* SPDX-License-Identifier: MIT */
/*
 * pc_kernel.turn for AVX-512 with VBMI and GFNI, which turns 8 by 8 bits in each lane as a product
 * of matrices: with the rows as the one, last row first, and single bits as the other, byte k of
 * the result is column k.  What remains is to bring bytes and lanes to their places.
 */
#ifndef PC_ENGINE_KERNEL_MATRIX_H
#define PC_ENGINE_KERNEL_MATRIX_H

/* The rows of each lane's 8 by 8 bits are its bytes, the last one first; then its columns are. */
static inline vec columns(vec rows)
{
    return _mm512_gf2p8affine_epi64_epi8(v_set(UINT64_C(0x8040201008040201)), rows, 0);
}

/* Byte k of lane g becomes byte g of lane k, or byte 7 - g if the last one comes first. */
static inline vec turn_lanes(vec x, bool last_first)
{
    const uint64_t bytes = last_first ? UINT64_C(0x0008101820283038) : UINT64_C(0x3830282018100800);
    const uint64_t one = UINT64_C(0x0101010101010101);
    const vec each = _mm512_set_epi64(7 * one, 6 * one, 5 * one, 4 * one, 3 * one, 2 * one, one, 0);

    return _mm512_permutexvar_epi8(v_add(v_set(bytes), each), x);
}

static void turn_bytes(uint64_t out[8], const uint8_t row[64])
{
    const vec last_first = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
    const vec rows = _mm512_shuffle_epi8(_mm512_loadu_si512(row), last_first);

    v_store(out, turn_lanes(columns(rows), false));
}

/* Of eight rows each: pair[k] has bytes `column` + 0, 2, 4, 6 of rows' group 2 k and of 2 k + 1. */
static inline void turn_some(uint64_t out[64], const vec pair[4], unsigned column, uint64_t bits)
{
    for (unsigned i = 0; i < 2; i++) {
        const vec low = i ? _mm512_shuffle_i64x2(pair[0], pair[1], 0xdd)
                          : _mm512_shuffle_i64x2(pair[0], pair[1], 0x88);
        const vec high = i ? _mm512_shuffle_i64x2(pair[2], pair[3], 0xdd)
                           : _mm512_shuffle_i64x2(pair[2], pair[3], 0x88);
        const unsigned first = column + 2 * i, second = first + 4;
        if (bits >> 8 * first & 0xff)
            v_store(out + 8 * first, turn_lanes(_mm512_shuffle_i64x2(low, high, 0x88), false));
        if (bits >> 8 * second & 0xff)
            v_store(out + 8 * second, turn_lanes(_mm512_shuffle_i64x2(low, high, 0xdd), false));
    }
}

static void turn(uint64_t out[64], const uint64_t row[64], uint64_t bits)
{
    vec even[4], odd[4];

    for (unsigned i = 0; i < 4; i++) {
        const vec a = columns(turn_lanes(v_load(row + 16 * i), true));
        const vec b = columns(turn_lanes(v_load(row + 16 * i + 8), true));
        even[i] = _mm512_unpacklo_epi64(a, b);
        odd[i] = _mm512_unpackhi_epi64(a, b);
    }
    turn_some(out, even, 0, bits);
    turn_some(out, odd, 1, bits);
}

#endif
