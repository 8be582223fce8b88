/* SPDX-License-Identifier: MIT */
/*
 * The loops of known_portable.c in AVX-512 with VBMI, VBMI2 and GFNI, where the clock changes at
 * every index: the cycle of a record is then half of a sum, which eight of them get by one
 * multiplication (numbers here are a byte, and their distances below 32).  Values of a byte are
 * kept in a row, and spread over the cycles of a word by the mask of those that have one.  Compiled
 * with instructions of its own (CMakeLists.txt): nothing may be called before usable() said yes.
 */
#if defined(__x86_64__)
#include "wave/fst/known_bit.h"
#include "wave/fst/turn_avx512.h"

static bool usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("gfni") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

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

/* Eight words of the planes of eight signals, those of `any`. */
static inline void write_lines(const struct fst_planes *s, const uint32_t signal[8],
                               const __m512i line[8], unsigned any, size_t word)
{
    for (unsigned j = 0; j < 8; j++) {
        if (!(any >> j & 1))
            continue;
        uint64_t *to = fst_plane_of(s, 2 * (size_t)signal[j]) + word;
        _mm512_storeu_si512(to, _mm512_xor_si512(_mm512_loadu_si512(to), line[j]));
    }
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
    const uint8_t *from = r->toggles;

    if (any == 0)
        return;
    if ((uint64_t)any << 56 & ~p->toggled[0])
        fst_begin_toggles(a->planes, p, 0, (uint64_t)any << 56 & ~p->toggled[0]);
    for (size_t w = 0; w < FST_ROWS / 64; w += 8) {
        __m512i word[8], line[8];
        uint64_t cycles = 0;
        for (unsigned i = 0; i < 8; i++) {
            const uint64_t here = r->cycles[w + i];
            word[i] = turn_byte_rows(_mm512_maskz_expand_epi8(here, _mm512_loadu_si512(from)));
            from += _mm_popcnt_u64(here);
            cycles |= here;
        }
        if (cycles == 0)
            continue;
        turn_words(line, word);
        write_lines(a->planes, p->signal + 56, line, any, r->first + w);
    }
}

/*
 * The cycles of the present record and the next seven; `after` is how far each of the ones behind
 * them is.  False, and nothing has happened: they are not all in cycles of their own, within 64
 * and before word `end`.  cycles[0] is word `first`.
 */
static inline bool mark_eight(uint64_t *cycles, uint64_t first, uint64_t end, uint64_t here,
                              uint64_t after)
{
    const uint64_t word = here / 128, last = here + (after >> 48 & 0xff);

    if (last / 128 > word + 1 || last / 128 >= end)
        return false;
    const struct two two = place(here - 128 * word, after << 8, ONES);
    cycles += word - first;
    if (_mm_popcnt_u64(two.low) + _mm_popcnt_u64(two.high) != 8 || cycles[0] & two.low)
        return false;
    cycles[0] |= two.low;
    cycles[1] |= two.high;
    return true;
}

/* That of one; false: the record before it is in the same. */
static inline bool mark_one(uint64_t *cycles, uint64_t first, uint64_t here)
{
    const uint64_t bit = UINT64_C(1) << here / 2 % 64;
    uint64_t *word = &cycles[here / 128 - first];
    const bool mine = !(*word & bit);

    *word |= bit;
    return mine;
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
        if (numbers & 0xc1 * ONES || !mark_eight(r->cycles, r->first, r->end, c->here, after))
            break;
        const uint64_t toggles = values ^ (values << 8 | *value);
        memcpy(r->toggles + r->count, &toggles, 8);
        r->count += 8;
        *value = (uint8_t)(values >> 56);
        *head = numbers >> 56;
        c->here += after >> 56;
        at += 16;
    }
    return at;
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
        if (mark_one(r.cycles, r.first, c.here))
            r.toggles[r.count++] = value ^ next;
        else
            r.toggles[r.count - 1] ^= value ^ next;
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

static void columns(const struct fst_planes *s, const struct fst_part *p, const uint64_t row[64],
                    uint64_t any, size_t word)
{
    __m512i rows[8], columns[8];
    uint64_t turned[64];

    for (unsigned i = 0; i < 8; i++)
        rows[i] = _mm512_loadu_si512(row + 8 * i);
    turn(columns, rows);
    for (unsigned i = 0; i < 8; i++)
        _mm512_storeu_si512(turned + 8 * i, columns[i]);
    for (; any; any &= any - 1) {
        const unsigned j = (unsigned)_tzcnt_u64(any);
        fst_plane_of(s, 2 * (size_t)p->signal[j])[word] ^= turned[j];
    }
}

/* Toggles in PAGES * 64 cycles from a multiple of that on. */
enum { PAGES = 8 };

struct pages {
    uint64_t first, end;        /* words */
    uint64_t cycles[PAGES + 1]; /* that have toggles */
    size_t count;
    uint64_t toggles[64 * PAGES + 8]; /* in their order */
};

static void open_pages(struct pages *g, uint64_t here)
{
    g->first = here / 128 / PAGES * PAGES;
    g->end = g->first + PAGES;
    g->count = 0;
    memset(g->cycles, 0, sizeof g->cycles);
}

static uint64_t any_of_words(struct pages *g)
{
    __m512i any = _mm512_setzero_si512();

    _mm512_storeu_si512(g->toggles + g->count, any);
    for (size_t i = 0; i < g->count; i += 8)
        any = _mm512_or_si512(any, _mm512_loadu_si512(g->toggles + i));
    return (uint64_t)_mm512_reduce_or_epi64(any);
}

/* The columns of a word. */
static inline void turn_page(__m512i out[8], uint64_t cycles, const uint64_t *from)
{
    __m512i rows[8];

    for (unsigned i = 0; i < 8; i++) {
        const __mmask8 here = (__mmask8)(cycles >> 8 * i);
        rows[i] = _mm512_maskz_expand_epi64(here, _mm512_loadu_si512(from));
        from += _mm_popcnt_u32(here);
    }
    turn(out, rows);
}

static void write_pages(const struct fst_along *a, struct pages *g)
{
    struct fst_part *p = a->part;
    const uint64_t any = any_of_words(g) & p->wanted, *from = g->toggles;
    __m512i turned[PAGES][8];

    if (any == 0)
        return;
    if (any & ~p->toggled[0])
        fst_begin_toggles(a->planes, p, 0, any & ~p->toggled[0]);
    for (size_t w = 0; w < PAGES; w++) {
        turn_page(turned[w], g->cycles[w], from);
        from += _mm_popcnt_u64(g->cycles[w]);
    }
    for (unsigned c = 0; c < 8; c++) {
        __m512i word[PAGES], line[8];
        if (!(any >> 8 * c & 0xff))
            continue;
        for (size_t w = 0; w < PAGES; w++)
            word[w] = turned[w][c];
        turn_words(line, word);
        write_lines(a->planes, p->signal + 8 * c, line, (unsigned)(any >> 8 * c & 0xff), g->first);
    }
}

/* Where the bytes of eight records are, of which the first begins with its value. */
struct layout {
    __m512i value, number; /* number: those of the records behind each, lowest 8 bytes */
    size_t stride;
};

static struct layout layout_of(size_t bytes)
{
    uint8_t value[64], number[64] = { 0 };

    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 8; k++)
            value[8 * i + k] = (uint8_t)(i * (bytes + 1) + 7 - k);
        number[i] = (uint8_t)(i * (bytes + 1) + bytes);
    }
    return (struct layout){ _mm512_loadu_si512(value), _mm512_loadu_si512(number), bytes + 1 };
}

/*
 * As many eights as there are, before `safe`, as long as what follows them is like them; *head is
 * the last one's.
 */
static inline const uint8_t *take_values(struct pages *g, struct course *c, const struct layout *l,
                                         const uint8_t *at, const uint8_t *safe, uint64_t *value,
                                         uint64_t *head)
{
    while (safe - at > 128 && c->stop - c->here > 8 * 0x1f) {
        const __m512i low = _mm512_loadu_si512(at), high = _mm512_loadu_si512(at + 64);
        const uint64_t numbers = (uint64_t)_mm_cvtsi128_si64(
            _mm512_castsi512_si128(_mm512_permutex2var_epi8(low, l->number, high)));
        const uint64_t after = (numbers >> 1) * ONES;
        if (numbers & 0xc1 * ONES || !mark_eight(g->cycles, g->first, g->end, c->here, after))
            break;
        const __m512i values = _mm512_permutex2var_epi8(low, l->value, high);
        const __m512i before = _mm512_alignr_epi64(values, _mm512_set1_epi64((long long)*value), 7);
        _mm512_storeu_si512(g->toggles + g->count, _mm512_xor_si512(values, before));
        g->count += 8;
        *value = pc_load_high_first(at + 7 * l->stride);
        *head = numbers >> 56;
        c->here += after >> 56;
        at += 8 * l->stride;
    }
    return at;
}

static void walk_values(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    const uint8_t *at = now->at, *const safe = a->t->walk.end - bytes - 8;
    const struct layout l = layout_of(bytes);
    struct course c = course_of(a->piece, now->next);
    struct fst_part *p = a->part;
    uint64_t head = now->head, value = p->value;
    struct pages g;

    open_pages(&g, c.here);
    for (;;) {
        at = take_values(&g, &c, &l, at, safe, &value, &head);
        if (c.here / 128 >= g.end) {
            write_pages(a, &g);
            open_pages(&g, c.here);
        }
        const uint64_t next = pc_load_high_first(at), toggles = value ^ next;
        if (mark_one(g.cycles, g.first, c.here))
            g.toggles[g.count++] = toggles;
        else
            g.toggles[g.count - 1] ^= toggles;
        value = next;
        at += bytes;
        uint64_t number;
        const unsigned length = at < safe ? fst_short_number(at, safe, &number) : 0;
        if (length == 0 || number >> 1 >= c.stop - c.here)
            break;
        head = number;
        at += length;
        c.here += head >> 1;
    }
    write_pages(a, &g);
    p->value = value & p->wanted;
    *now = (struct fst_place){ at, head, c.from + c.here };
}

/* Longer ones, of which only some bytes are looked at, are nobody's hurry. */
static void walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    if (a->piece->regular && bytes <= 8)
        walk_values(a, now, bytes);
    else
        fst_loops_portable.packed(a, now, bytes);
}

const struct fst_loops fst_loops_avx512 = { "avx512",   usable,      walk_bit,
                                            walk_bytes, walk_packed, columns };

#else
/* No such instructions here; the file must not be empty. */
extern int fst_loops_avx512_absent;
#endif
