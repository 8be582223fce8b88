/* SPDX-License-Identifier: MIT */
/*
 * The loops of fst_known.c in AVX-512 with VBMI, VBMI2 and GFNI, where the clock changes at every
 * index: the cycle of a record is then half of a sum, which eight of them get by one multiplication
 * (numbers here are a byte, and their distances below 32).  Values of a byte are kept in a row,
 * and spread over the cycles of a word by the mask of those that have one.  Compiled with
 * instructions of its own (CMakeLists.txt): nothing may be called before usable() said yes.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "wave/fst_direct.h"

#define ONES UINT64_C(0x0101010101010101)

static bool usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("gfni") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

/* Where a walk stands: time indices, such that the cycle is half of them. */
struct course {
    uint64_t from, here, stop;
};

static struct course course_of(const struct fst_piece *p, uint64_t index)
{
    const uint64_t from = p->begin - p->bias;

    return (struct course){ .from = from, .here = index - from, .stop = p->sure - from };
}

/* Two words of a plane. */
struct two {
    uint64_t low, high;
};

/* Bit (before + after[i]) / 2 of them is toggle[i], for eight bytes each; bits there add up. */
static inline struct two place(uint64_t before, uint64_t after, uint64_t toggle)
{
    const __m512i way = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)after));
    const __m512i bit = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)toggle));
    const __m512i cycle =
        _mm512_srli_epi64(_mm512_add_epi64(way, _mm512_set1_epi64((long long)before)), 1);
    const __m512i low = _mm512_sllv_epi64(bit, cycle); /* 0 from 64 on */
    const __m512i high = _mm512_sllv_epi64(bit, _mm512_sub_epi64(cycle, _mm512_set1_epi64(64)));
    const __m512i pairs =
        _mm512_xor_si512(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
    const __m256i four =
        _mm256_xor_si256(_mm512_castsi512_si256(pairs), _mm512_extracti64x4_epi64(pairs, 1));
    const __m128i both =
        _mm_xor_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));

    return (struct two){ (uint64_t)_mm_cvtsi128_si64(both), (uint64_t)_mm_extract_epi64(both, 1) };
}

/* ---- one bit ---- */

static inline void draw(uint64_t *plane, uint64_t here, uint64_t toggle)
{
    plane[here / 128] ^= toggle << here / 2 % 64;
}

/* The next eight records, whose numbers these are; `here` and `head` are of the one before. */
static inline uint64_t draw_eight(uint64_t *plane, uint64_t heads, uint64_t here, uint64_t head)
{
    const uint64_t toggles = (heads ^ (heads << 8 | (head & 0xff))) >> 1 & ONES;
    const uint64_t after = (heads >> 2 & 0x1f * ONES) * ONES;
    const uint64_t word = (here + (after & 0xff)) / 128, last = here + (after >> 56);

    if (last / 128 > word + 1) {
        for (unsigned i = 0; i < 64; i += 8)
            draw(plane, here + (after >> i & 0xff), toggles >> i & 1);
    } else {
        const struct two two = place(here - 128 * word, after, toggles);
        plane[word] ^= two.low;
        plane[word + 1] ^= two.high; /* of the last one there is room for */
    }
    return last;
}

static void walk_bit(const struct fst_along *a, struct fst_place *now)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct fst_part *p = a->part;
    uint64_t *plane = fst_plane_of(a->planes, 2 * (size_t)p->signal[63]);
    struct course c = course_of(a->piece, now->next);
    uint64_t head = now->head;

    if (!a->piece->regular) {
        fst_loops_portable.bit(a, now);
        return;
    }
    if (!(p->toggled[0] >> 63))
        fst_begin_toggles(a->planes, p, 0, UINT64_C(1) << 63);
    draw(plane, c.here, (p->value >> 63 ^ head >> 1) & 1);
    for (;;) {
        while (end - at >= 8 && c.stop - c.here > 8 * 0x1f) {
            const uint64_t heads = fst_load_low_8(at);
            if (heads & 0x81 * ONES)
                break;
            c.here = draw_eight(plane, heads, c.here, head);
            head = heads >> 56;
            at += 8;
        }
        uint64_t next;
        const unsigned length = fst_short_number(at, end, &next);
        if (length == 0 || next >> 2 >= c.stop - c.here)
            break;
        at += length;
        c.here += next >> 2;
        draw(plane, c.here, (head ^ next) >> 1 & 1);
        head = next;
    }
    p->value = head >> 1 << 63;
    *now = (struct fst_place){ at, head, c.from + c.here };
}

/* ---- 2 to 8 bits, which are a byte each ---- */

/* Toggles in FST_ROWS cycles from a multiple of that on. */
struct rows {
    uint64_t first, end;                /* words */
    uint64_t cycles[FST_ROWS / 64 + 1]; /* that have toggles */
    size_t count;
    uint8_t toggles[FST_ROWS + 64]; /* in their order */
};

static void open_rows(struct rows *r, uint64_t here)
{
    r->first = here / 2 / FST_ROWS * (FST_ROWS / 64);
    r->end = r->first + FST_ROWS / 64;
    r->count = 0;
    memset(r->cycles, 0, sizeof r->cycles);
}

static uint8_t any_of(struct rows *r)
{
    __m512i any = _mm512_setzero_si512();

    memset(r->toggles + r->count, 0, 64);
    for (size_t i = 0; i < r->count; i += 64)
        any = _mm512_or_si512(any, _mm512_loadu_si512(r->toggles + i));
    uint64_t all = (uint64_t)_mm512_reduce_or_epi64(any);
    all |= all >> 32;
    all |= all >> 16;
    return (uint8_t)(all | all >> 8);
}

static void write_rows(const struct fst_along *a, struct rows *r)
{
    struct fst_part *p = a->part;
    const unsigned any = any_of(r) & (unsigned)(p->wanted >> 56);
    uint64_t *plane[8];
    __m512i bit[8];
    const uint8_t *from = r->toggles;
    unsigned planes = 0;

    if ((uint64_t)any << 56 & ~p->toggled[0])
        fst_begin_toggles(a->planes, p, 0, (uint64_t)any << 56 & ~p->toggled[0]);
    for (unsigned left = any; left; left &= left - 1) {
        const unsigned j = (unsigned)__builtin_ctz(left);
        bit[planes] = _mm512_set1_epi8((char)(1u << j));
        plane[planes++] = fst_plane_of(a->planes, 2 * (size_t)p->signal[56 + j]) + r->first;
    }
    for (size_t w = 0; w < FST_ROWS / 64 && planes > 0; w++) {
        const uint64_t cycles = r->cycles[w];
        const __m512i row = _mm512_maskz_expand_epi8(cycles, _mm512_loadu_si512(from));
        from += _mm_popcnt_u64(cycles);
        for (unsigned i = 0; cycles && i < planes; i++)
            plane[i][w] ^= _mm512_test_epi8_mask(row, bit[i]);
    }
}

/*
 * The present record, at whose value `pairs` begin, and the next seven; `after` is how far the one
 * behind them is.  False: they are not all in cycles of their own in two words.
 */
static inline bool take_eight(struct rows *r, uint64_t here, uint64_t values, uint64_t after,
                              uint8_t value)
{
    const uint64_t word = here / 128, last = here + (after >> 48 & 0xff);

    if (last / 128 > word + 1 || last / 128 >= r->end)
        return false;
    const struct two two = place(here - 128 * word, after << 8, ONES);
    uint64_t *cycles = r->cycles + (word - r->first);
    if (_mm_popcnt_u64(two.low) + _mm_popcnt_u64(two.high) != 8 || cycles[0] & two.low)
        return false;
    cycles[0] |= two.low;
    cycles[1] |= two.high;
    const uint64_t toggles = values ^ (values << 8 | value);
    memcpy(r->toggles + r->count, &toggles, 8);
    r->count += 8;
    return true;
}

/* As many eights as there are, as long as what follows them is like them; *head is the last one's.
 */
static inline const uint8_t *take_pairs(struct rows *r, struct course *c, const uint8_t *at,
                                        const uint8_t *end, uint8_t *value, uint64_t *head)
{
    const __m128i apart = _mm_set_epi64x(0x0f0d0b0907050301, 0x0e0c0a0806040200);

    while (end - at > 16 && c->stop - c->here > 8 * 0x1f) {
        const __m128i pairs =
            _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), apart);
        const uint64_t values = (uint64_t)_mm_cvtsi128_si64(pairs),
                       numbers = (uint64_t)_mm_extract_epi64(pairs, 1),
                       after = (numbers >> 1) * ONES;
        if (numbers & 0xc1 * ONES || !take_eight(r, c->here, values, after, *value))
            break;
        *value = (uint8_t)(values >> 56);
        *head = numbers >> 56;
        c->here += after >> 56;
        at += 16;
    }
    return at;
}

/* One record. */
static inline void take_row(struct rows *r, uint64_t here, uint8_t toggles)
{
    uint64_t *cycles = &r->cycles[here / 128 - r->first];
    const uint64_t bit = UINT64_C(1) << here / 2 % 64;

    if (*cycles & bit) { /* the record before it is in the same cycle */
        r->toggles[r->count - 1] ^= toggles;
        return;
    }
    *cycles |= bit;
    r->toggles[r->count++] = toggles;
}

static void walk_bytes(const struct fst_along *a, struct fst_place *now)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct course c = course_of(a->piece, now->next);
    struct fst_part *p = a->part;
    uint8_t value = (uint8_t)(p->value >> 56);
    uint64_t head = now->head;
    struct rows r;

    if (!a->piece->regular) {
        fst_loops_portable.bytes(a, now);
        return;
    }
    open_rows(&r, c.here);
    for (;;) {
        at = take_pairs(&r, &c, at, end, &value, &head);
        if (c.here / 128 >= r.end) {
            write_rows(a, &r);
            open_rows(&r, c.here);
        }
        const uint8_t next = *at++;
        take_row(&r, c.here, value ^ next);
        value = next;
        uint64_t number;
        const unsigned length = fst_short_number(at, end, &number);
        if (length == 0 || end - at <= (ptrdiff_t)length || number >> 1 >= c.stop - c.here)
            break;
        head = number;
        at += length;
        c.here += head >> 1;
    }
    write_rows(a, &r);
    p->value = (uint64_t)value << 56 & p->wanted;
    *now = (struct fst_place){ at, head, c.from + c.here };
}

/* ---- more bits ---- */

/* Eight rows: qword c has columns 8 c to 8 c + 7, a byte each with its bits of the rows. */
static inline __m512i turn_eight(const uint64_t *row)
{
    const __m512i column = _mm512_set_epi64(
        0x070f171f272f373f, 0x060e161e262e363e, 0x050d151d252d353d, 0x040c141c242c343c,
        0x030b131b232b333b, 0x020a121a222a323a, 0x0109111921293139, 0x0008101820283038);
    const __m512i bits = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));

    return _mm512_gf2p8affine_epi64_epi8(
        bits, _mm512_permutexvar_epi8(column, _mm512_loadu_si512(row)), 0);
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

static void turn(uint64_t out[64], const uint64_t row[64])
{
    const __m512i column = _mm512_set_epi64(
        0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
        0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);
    __m512i eight[8], turned[8];

    for (unsigned i = 0; i < 8; i++)
        eight[i] = turn_eight(row + 8 * i);
    turn_words(turned, eight);
    for (unsigned i = 0; i < 8; i++)
        _mm512_storeu_si512(out + 8 * i, _mm512_permutexvar_epi8(column, turned[i]));
}

static void columns(const struct fst_planes *s, const struct fst_part *p, const uint64_t row[64],
                    uint64_t any, size_t word)
{
    uint64_t turned[64];

    turn(turned, row);
    for (; any; any &= any - 1) {
        const unsigned j = (unsigned)_tzcnt_u64(any);
        fst_plane_of(s, 2 * (size_t)p->signal[j])[word] ^= turned[j];
    }
}

static void walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    fst_loops_portable.packed(a, now, bytes);
}

const struct fst_loops fst_loops_avx512 = { "avx512",   usable,      walk_bit,
                                            walk_bytes, walk_packed, columns };

#else
/* No such instructions here; the file must not be empty. */
extern int fst_loops_avx512_absent;
#endif
