/* SPDX-License-Identifier: MIT */
/*
 * 64 rows of 64 bits to columns, with VBMI and GFNI: 8 by 8 bits are turned by one instruction, and
 * the bytes of them are where they belong after three rounds of moves.
 */
#ifndef PC_WAVE_FST_TURN_AVX512_H
#define PC_WAVE_FST_TURN_AVX512_H

#include <immintrin.h>
#include <stdint.h>

/* Eight rows: qword c has columns 8 c to 8 c + 7, a byte each with its bits of the rows. */
static inline __m512i turn_eight(__m512i rows)
{
    const __m512i column = _mm512_set_epi64(
        0x070f171f272f373f, 0x060e161e262e363e, 0x050d151d252d353d, 0x040c141c242c343c,
        0x030b131b232b333b, 0x020a121a222a323a, 0x0109111921293139, 0x0008101820283038);
    const __m512i bits = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));

    return _mm512_gf2p8affine_epi64_epi8(bits, _mm512_permutexvar_epi8(column, rows), 0);
}

/* to[c] = qword c of each of the eight. */
static inline void turn_words(__m512i to[8], const __m512i from[8])
{
    __m512i a[8], b[8];

    for (unsigned i = 0; i < 4; i++) { /* a[i], a[i + 4]: even and odd qwords of 2 i, 2 i + 1 */
        a[i] = _mm512_unpacklo_epi64(from[2 * i], from[2 * i + 1]);
        a[i + 4] = _mm512_unpackhi_epi64(from[2 * i], from[2 * i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 2) { /* of four; pairs of lanes 0 and 2, 1 and 3 */
        b[i] = _mm512_shuffle_i64x2(a[i], a[i + 1], 0x88);
        b[i + 1] = _mm512_shuffle_i64x2(a[i], a[i + 1], 0xdd);
    }
    for (unsigned odd = 0; odd < 2; odd++) {
        const __m512i *half = b + 4 * odd;
        to[0 + odd] = _mm512_shuffle_i64x2(half[0], half[2], 0x88);
        to[4 + odd] = _mm512_shuffle_i64x2(half[0], half[2], 0xdd);
        to[2 + odd] = _mm512_shuffle_i64x2(half[1], half[3], 0x88);
        to[6 + odd] = _mm512_shuffle_i64x2(half[1], half[3], 0xdd);
    }
}

/* Bytes of qword j: byte j of each qword. */
static inline __m512i turn_bytes_of_words(__m512i x)
{
    const __m512i column = _mm512_set_epi64(
        0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
        0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);

    return _mm512_permutexvar_epi8(column, x);
}

/* out[c]: columns 8 c to 8 c + 7. */
static inline void turn(__m512i out[8], const __m512i rows[8])
{
    __m512i eight[8], turned[8];

    for (unsigned i = 0; i < 8; i++)
        eight[i] = turn_eight(rows[i]);
    turn_words(turned, eight);
    for (unsigned i = 0; i < 8; i++)
        out[i] = turn_bytes_of_words(turned[i]);
}

/* 64 rows of a byte each: the eight columns. */
static inline __m512i turn_byte_rows(__m512i rows)
{
    const __m512i last_first =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));
    const __m512i bits = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    const __m512i eight =
        _mm512_gf2p8affine_epi64_epi8(bits, _mm512_shuffle_epi8(rows, last_first), 0);

    return turn_bytes_of_words(eight);
}

#endif
