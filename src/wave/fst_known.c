/* SPDX-License-Identifier: MIT */
/*
 * The loops over records whose values are 0 or 1, which nearly all are (fst_track.c does the
 * others).  Each begins at a record whose number is read, and ends behind the value of one, where
 * the next number is long, or tells of other values, or is past the piece.
 */
#include "wave/fst_direct.h"

static uint64_t load_8(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/* The same with the first byte lowest. */
static uint64_t load_low_8(const uint8_t *p)
{
    return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* ---- one bit ---- */

/* What was toggled in a word so far.  Cycles ascend: it is kept until they reach the next one. */
struct pen {
    uint64_t *plane;
    size_t word;
    uint64_t toggles;
};

/* Without a branch on whether the word is another one. */
static inline void draw(struct pen *pen, uint32_t cycle, uint64_t toggle)
{
    const size_t word = cycle / 64;

    pen->toggles &= 0 - (uint64_t)(word == pen->word);
    pen->toggles ^= toggle << cycle % 64;
    pen->word = word;
    pen->plane[word] = pen->toggles;
}

/* The next eight records, from the number at `at` on; *here is that of the record before. */
static inline void draw_eight(struct pen *pen, const uint8_t *at, const uint16_t **here,
                              uint64_t *head)
{
    const uint64_t heads = load_low_8(at), before = heads << 8 | (*head & 0xff);
    const uint64_t toggles = (heads ^ before) >> 1;
    const uint16_t *cycle = *here;

    for (unsigned i = 0; i < 64; i += 8) {
        cycle += heads >> (i + 2) & 0x3f;
        draw(pen, *cycle, toggles >> i & 1);
    }
    *here = cycle;
    *head = heads >> 56;
}

void fst_walk_bit(const struct fst_along *a, struct fst_place *now)
{
    const uint16_t *const cycles = a->piece->cycle, *here = cycles + (now->next - a->piece->begin);
    const uint16_t *const stop = cycles + (a->piece->sure - a->piece->begin);
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct fst_part *p = a->part;
    uint64_t head = now->head;
    struct pen pen = { .plane = fst_plane_of(a->planes, 2 * (size_t)p->signal[63]) };

    if (!(p->toggled[0] >> 63))
        fst_begin_toggles(a->planes, p, 0, UINT64_C(1) << 63);
    pen.word = *here / 64;
    pen.toggles = pen.plane[pen.word];
    draw(&pen, *here, (p->value >> 63 ^ head >> 1) & 1);
    for (;;) {
        while (end - at >= 8 && stop - here > 8 * 0x3f &&
               !(load_low_8(at) & UINT64_C(0x8181818181818181))) {
            draw_eight(&pen, at, &here, &head);
            at += 8;
        }
        if (at == end || *at & 0x81 || *at >> 2 >= stop - here)
            break;
        const uint64_t next = *at++;
        here += next >> 2;
        draw(&pen, *here, (head ^ next) >> 1 & 1);
        head = next;
    }
    p->value = head >> 1 << 63;
    *now = (struct fst_place){ at, head, a->piece->begin + (uint64_t)(here - cycles) };
}

/* ---- 2 to 8 bits, which are a byte each ---- */

/* The toggles of FST_ROWS cycles from a multiple of that on, and which words of it have some. */
struct rows {
    uint8_t *row;
    uint64_t used;
    uint32_t end; /* first cycle behind them */
};

static inline void use_rows(struct rows *r, uint32_t first, uint32_t last)
{
    r->used |= UINT64_MAX << first / 64 % 64 & UINT64_MAX >> (63 - last / 64 % 64);
}

static inline void open_rows(struct rows *r, uint32_t cycle)
{
    r->end = (cycle / FST_ROWS + 1) * FST_ROWS;
}

static void write_rows(const struct fst_along *a, struct rows *r)
{
    if (r->used)
        fst_write_bytes(a->planes, a->part, r->row, r->used, r->end / 64 - 64);
    r->used = 0;
}

/*
 * The value of the present record and the next three, if what follows them is like them: 1 byte
 * of number, 1 byte of value.  `pairs` begins with that value.
 */
static inline void take_four(struct rows *r, uint64_t pairs, const uint16_t *here[5], uint8_t value)
{
    const uint64_t toggles = pairs ^ (pairs << 16 | value);

    for (unsigned i = 0; i < 4; i++)
        r->row[*here[i] % FST_ROWS] ^= (uint8_t)(toggles >> 16 * i);
    use_rows(r, *here[0], *here[3]);
}

void fst_walk_bytes(const struct fst_along *a, struct fst_place *now)
{
    const uint16_t *const cycles = a->piece->cycle;
    const uint16_t *here[5] = { cycles + (now->next - a->piece->begin) };
    const uint16_t *const stop = cycles + (a->piece->sure - a->piece->begin);
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct fst_part *p = a->part;
    struct rows r = { .row = a->rows->byte };
    uint8_t value = (uint8_t)(p->value >> 56);
    uint64_t head = now->head;

    open_rows(&r, *here[0]);
    for (;;) {
        while (end - at > 8 && stop - here[0] > 4 * 0x3f) {
            const uint64_t pairs = load_low_8(at);
            if (pairs & UINT64_C(0x8100810081008100))
                break;
            for (unsigned i = 0; i < 4; i++)
                here[i + 1] = here[i] + (pairs >> (16 * i + 9) & 0x3f);
            if (*here[3] >= r.end)
                break;
            take_four(&r, pairs, here, value);
            value = (uint8_t)(pairs >> 48);
            head = pairs >> 56;
            here[0] = here[4];
            at += 8;
        }
        if (*here[0] >= r.end) {
            write_rows(a, &r);
            open_rows(&r, *here[0]);
        }
        const uint8_t next = *at++;
        r.row[*here[0] % FST_ROWS] ^= value ^ next;
        use_rows(&r, *here[0], *here[0]);
        value = next;
        if (end - at < 2 || *at & 0x81 || *at >> 1 >= stop - here[0])
            break;
        head = *at++;
        here[0] += head >> 1;
    }
    write_rows(a, &r);
    p->value = (uint64_t)value << 56 & p->wanted;
    *now = (struct fst_place){ at, head, a->piece->begin + (uint64_t)(here[0] - cycles) };
}

/* ---- more bits ---- */

void fst_walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    const uint16_t *const cycles = a->piece->cycle, *here = cycles + (now->next - a->piece->begin);
    const uint16_t *const stop = cycles + (a->piece->sure - a->piece->begin);
    struct fst_part *p = a->part;
    const uint64_t wanted = p->wanted;
    const size_t first = 8 * (size_t)p->word;
    const uint8_t *at = now->at, *const safe = a->t->walk.end - bytes - 8;
    uint64_t head = now->head, value = p->value, used = 0, any = 0;
    uint64_t *const row = a->rows->word;
    size_t word = *here / 64;

    for (;;) {
        const uint32_t cycle = *here;
        const uint64_t next = load_8(at + first) & wanted;
        if (cycle / 64 != word) {
            fst_write_word(a->planes, p, row, used, any, word);
            word = cycle / 64;
            used = any = 0;
        }
        row[cycle % 64] ^= value ^ next;
        used |= UINT64_C(1) << cycle % 64;
        any |= value ^ next;
        value = next;
        at += bytes;
        if (*at & 0x81 || *at >> 1 >= stop - here || at >= safe)
            break;
        head = *at++;
        here += head >> 1;
    }
    fst_write_word(a->planes, p, row, used, any, word);
    p->value = value;
    *now = (struct fst_place){ at, head, a->piece->begin + (uint64_t)(here - cycles) };
}
