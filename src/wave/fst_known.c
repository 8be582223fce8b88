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

/*
 * Where a loop stands: an offset into the piece.  Each loop is there twice, as a clock that changes
 * at every index needs no list of cycles.
 */
struct course {
    const uint16_t *cycle; /* NULL: it is regular */
    uint64_t at, stop;
    uint32_t bias;
};

static struct course course_of(const struct fst_piece *p, uint64_t index, bool regular)
{
    return (struct course){ .cycle = regular ? NULL : p->cycle,
                            .at = index - p->begin,
                            .stop = p->sure - p->begin,
                            .bias = p->bias };
}

static inline uint32_t cycle_at(const struct course *c, uint64_t at)
{
    return c->cycle ? c->cycle[at] : (uint32_t)(at + c->bias) / 2;
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

/* The next eight records, from the number at `at` on; c->at is that of the record before. */
static inline void draw_eight(struct pen *pen, const uint8_t *at, struct course *c, uint64_t *head)
{
    const uint64_t heads = load_low_8(at), before = heads << 8 | (*head & 0xff);
    const uint64_t toggles = (heads ^ before) >> 1;

    for (unsigned i = 0; i < 64; i += 8) {
        c->at += heads >> (i + 2) & 0x3f;
        draw(pen, cycle_at(c, c->at), toggles >> i & 1);
    }
    *head = heads >> 56;
}

static inline void walk_bit(const struct fst_along *a, struct fst_place *now, bool regular)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct course c = course_of(a->piece, now->next, regular);
    struct fst_part *p = a->part;
    uint64_t head = now->head;
    struct pen pen = { .plane = fst_plane_of(a->planes, 2 * (size_t)p->signal[63]) };

    if (!(p->toggled[0] >> 63))
        fst_begin_toggles(a->planes, p, 0, UINT64_C(1) << 63);
    pen.word = cycle_at(&c, c.at) / 64;
    pen.toggles = pen.plane[pen.word];
    draw(&pen, cycle_at(&c, c.at), (p->value >> 63 ^ head >> 1) & 1);
    for (;;) {
        while (end - at >= 8 && c.stop - c.at > 8 * 0x3f &&
               !(load_low_8(at) & UINT64_C(0x8181818181818181))) {
            draw_eight(&pen, at, &c, &head);
            at += 8;
        }
        if (at == end || *at & 0x81 || (uint64_t)*at >> 2 >= c.stop - c.at)
            break;
        const uint64_t next = *at++;
        c.at += next >> 2;
        draw(&pen, cycle_at(&c, c.at), (head ^ next) >> 1 & 1);
        head = next;
    }
    p->value = head >> 1 << 63;
    *now = (struct fst_place){ at, head, a->piece->begin + c.at };
}

void fst_walk_bit(const struct fst_along *a, struct fst_place *now)
{
    if (a->piece->regular)
        walk_bit(a, now, true);
    else
        walk_bit(a, now, false);
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
 * The values of four records, each 1 byte of number, 1 byte of value; `pairs` begins with the first
 * value.  cycle[3] is the last of them.
 */
static inline void take_four(struct rows *r, uint64_t pairs, const uint32_t cycle[4], uint8_t value)
{
    const uint64_t toggles = pairs ^ (pairs << 16 | value);

    for (unsigned i = 0; i < 4; i++)
        r->row[cycle[i] % FST_ROWS] ^= (uint8_t)(toggles >> 16 * i);
    use_rows(r, cycle[0], cycle[3]);
}

/*
 * The present record and the next three, and so on, as long as what follows them is like them.
 * Gives the number of the record that is then the present one.
 */
static inline uint64_t take_pairs(struct rows *r, struct course *c, const uint8_t **from,
                                  const uint8_t *end, uint8_t *value, uint64_t head)
{
    const uint8_t *at = *from;
    uint32_t cycle[4];

    while (end - at > 8 && c->stop - c->at > 4 * 0x3f) {
        const uint64_t pairs = load_low_8(at);
        uint64_t here = c->at;
        if (pairs & UINT64_C(0x8100810081008100))
            break;
        for (unsigned i = 0; i < 4; i++) {
            cycle[i] = cycle_at(c, here);
            here += pairs >> (16 * i + 9) & 0x3f;
        }
        if (cycle[3] >= r->end)
            break;
        take_four(r, pairs, cycle, *value);
        *value = (uint8_t)(pairs >> 48);
        head = pairs >> 56;
        c->at = here;
        at += 8;
    }
    *from = at;
    return head;
}

static inline void walk_bytes(const struct fst_along *a, struct fst_place *now, bool regular)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct course c = course_of(a->piece, now->next, regular);
    struct fst_part *p = a->part;
    struct rows r = { .row = a->rows->byte };
    uint8_t value = (uint8_t)(p->value >> 56);
    uint64_t head = now->head;

    open_rows(&r, cycle_at(&c, c.at));
    for (;;) {
        head = take_pairs(&r, &c, &at, end, &value, head);
        const uint32_t cycle = cycle_at(&c, c.at);
        if (cycle >= r.end) {
            write_rows(a, &r);
            open_rows(&r, cycle);
        }
        const uint8_t next = *at++;
        r.row[cycle % FST_ROWS] ^= value ^ next;
        use_rows(&r, cycle, cycle);
        value = next;
        if (end - at < 2 || *at & 0x81 || (uint64_t)*at >> 1 >= c.stop - c.at)
            break;
        head = *at++;
        c.at += head >> 1;
    }
    write_rows(a, &r);
    p->value = (uint64_t)value << 56 & p->wanted;
    *now = (struct fst_place){ at, head, a->piece->begin + c.at };
}

void fst_walk_bytes(const struct fst_along *a, struct fst_place *now)
{
    if (a->piece->regular)
        walk_bytes(a, now, true);
    else
        walk_bytes(a, now, false);
}

/* ---- more bits ---- */

/* Changes of the cycles of a word. */
struct page {
    uint64_t *row;
    uint64_t used, any;
    size_t word;
};

static inline void turn_page(const struct fst_along *a, struct page *g, size_t word)
{
    fst_write_word(a->planes, a->part, g->row, g->used, g->any, g->word);
    g->word = word;
    g->used = g->any = 0;
}

static inline void walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes,
                               bool regular)
{
    struct course c = course_of(a->piece, now->next, regular);
    struct fst_part *p = a->part;
    const size_t first = 8 * (size_t)p->word;
    const uint8_t *at = now->at, *const safe = a->t->walk.end - bytes - 8;
    uint64_t head = now->head, value = p->value;
    struct page page = { .row = a->rows->word, .word = cycle_at(&c, c.at) / 64 };

    for (;;) {
        const uint32_t cycle = cycle_at(&c, c.at);
        const uint64_t next = load_8(at + first) & p->wanted;
        if (cycle / 64 != page.word)
            turn_page(a, &page, cycle / 64);
        page.row[cycle % 64] ^= value ^ next;
        page.used |= UINT64_C(1) << cycle % 64;
        page.any |= value ^ next;
        value = next;
        at += bytes;
        if (*at & 0x81 || (uint64_t)*at >> 1 >= c.stop - c.at || at >= safe)
            break;
        head = *at++;
        c.at += head >> 1;
    }
    turn_page(a, &page, 0);
    p->value = value;
    *now = (struct fst_place){ at, head, a->piece->begin + c.at };
}

void fst_walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    if (a->piece->regular)
        walk_packed(a, now, bytes, true);
    else
        walk_packed(a, now, bytes, false);
}
