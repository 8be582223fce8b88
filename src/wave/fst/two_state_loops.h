/* SPDX-License-Identifier: MIT */
/*
 * The loops of two_state_portable.c, which includes this once for each way to find the cycle of an
 * offset: LOOP(name) is the name of a function there, CYCLE_AT(course, offset) that cycle.
 */

/* The next eight records, whose numbers these are; c->at is that of the record before. */
static inline void LOOP(draw_eight)(struct pen *pen, uint64_t heads, struct course *c,
                                    uint64_t *head)
{
    const uint64_t toggles = (heads ^ (heads << 8 | (*head & 0xff))) >> 1;
    uint64_t at = c->at;

    for (unsigned i = 0; i < 64; i += 8) {
        at += heads >> (i + 2) & 0x1f;
        draw(pen, CYCLE_AT(c, at), toggles >> i & 1);
    }
    c->at = at;
    *head = heads >> 56;
}

static void LOOP(walk_bit)(const struct fst_along *a, struct fst_place *now)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct course c = course_of(a->piece, now->next);
    struct fst_part *p = a->part;
    uint64_t head = now->head;
    struct pen pen = { .plane = fst_plane_of(a->planes, 2 * (size_t)p->signal[63]) };

    if (!(p->toggled[0] >> 63))
        fst_begin_toggles(a->planes, p, 0, UINT64_C(1) << 63);
    pen.word = CYCLE_AT(&c, c.at) / 64;
    pen.toggles = pen.plane[pen.word];
    draw(&pen, CYCLE_AT(&c, c.at), (p->value >> 63 ^ head >> 1) & 1);
    for (;;) {
        while (end - at >= 8 && c.stop - c.at > 8 * 0x1f) {
            const uint64_t heads = pc_load_low_first(at);
            if (heads & UINT64_C(0x8181818181818181))
                break;
            LOOP(draw_eight)(&pen, heads, &c, &head);
            at += 8;
        }
        uint64_t next;
        const unsigned length = fst_short_number(at, end, &next);
        if (length == 0 || next >> 2 >= c.stop - c.at)
            break;
        at += length;
        c.at += next >> 2;
        draw(&pen, CYCLE_AT(&c, c.at), (head ^ next) >> 1 & 1);
        head = next;
    }
    p->value = head >> 1 << 63;
    *now = (struct fst_place){ at, head, c.from + c.at };
}

/*
 * The present record and the next three, and so on, as long as what follows them is like them.
 * Gives the number of the record that is then the present one.
 */
static inline uint64_t LOOP(take_pairs)(struct rows *r, struct course *c, const uint8_t **from,
                                        const uint8_t *end, uint8_t *value, uint64_t head)
{
    const uint8_t *at = *from;
    uint32_t cycle[4];

    while (end - at > 8 && c->stop - c->at > 4 * 0x3f) {
        const uint64_t pairs = pc_load_low_first(at);
        uint64_t here = c->at;
        if (pairs & UINT64_C(0x8100810081008100))
            break;
        for (unsigned i = 0; i < 4; i++) {
            cycle[i] = CYCLE_AT(c, here);
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

static void LOOP(walk_bytes)(const struct fst_along *a, struct fst_place *now)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct course c = course_of(a->piece, now->next);
    struct fst_part *p = a->part;
    struct rows r = { .row = a->rows->byte };
    uint8_t value = (uint8_t)(p->value >> 56);
    uint64_t head = now->head;

    open_rows(&r, CYCLE_AT(&c, c.at));
    for (;;) {
        head = LOOP(take_pairs)(&r, &c, &at, end, &value, head);
        const uint32_t cycle = CYCLE_AT(&c, c.at);
        if (cycle >= r.end) {
            write_rows(a, &r);
            open_rows(&r, cycle);
        }
        const uint8_t next = *at++;
        r.row[cycle % FST_ROWS] ^= value ^ next;
        use_rows(&r, cycle, cycle);
        value = next;
        uint64_t number;
        const unsigned length = fst_short_number(at, end, &number);
        if (length == 0 || end - at <= (ptrdiff_t)length || number >> 1 >= c.stop - c.at)
            break;
        head = number;
        at += length;
        c.at += head >> 1;
    }
    write_rows(a, &r);
    p->value = (uint64_t)value << 56 & p->wanted;
    *now = (struct fst_place){ at, head, c.from + c.at };
}

/*
 * As many records of the page as are sure to be there, `*at` at the number of the next one.  Gives
 * the number of the last of them.
 */
static inline uint64_t LOOP(fill_page)(struct page *g, struct course *c, const uint8_t **from,
                                       size_t first, size_t bytes, size_t most, uint64_t *last,
                                       uint64_t head)
{
    const uint8_t *at = *from;
    uint64_t used = g->used, any = g->any, value = *last;

    for (; most > 0 && !(*at & 0x81); most--) {
        const uint32_t cycle = CYCLE_AT(c, c->at + (*at >> 1));
        if (cycle / 64 != g->word)
            break;
        const uint64_t next = pc_load_high_first(at + 1 + first);
        head = *at;
        c->at += head >> 1;
        g->row[cycle % 64] ^= value ^ next;
        used |= UINT64_C(1) << cycle % 64;
        any |= value ^ next;
        value = next;
        at += 1 + bytes;
    }
    g->used = used;
    g->any = any;
    *last = value;
    *from = at;
    return head;
}

/* Bits that are not wanted are taken along, and left out where rows become planes. */
static void LOOP(walk_packed)(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    struct course c = course_of(a->piece, now->next);
    struct fst_part *p = a->part;
    const size_t first = 8 * (size_t)p->word;
    const uint8_t *at = now->at, *const safe = a->t->walk.end - bytes - 8;
    uint64_t head = now->head, value = p->value;
    struct page page = { .row = a->rows->word, .word = CYCLE_AT(&c, c.at) / 64 };

    for (;;) {
        const uint32_t cycle = CYCLE_AT(&c, c.at);
        const uint64_t next = pc_load_high_first(at + first);
        if (cycle / 64 != page.word)
            turn_page(a, &page, cycle / 64);
        page.row[cycle % 64] ^= value ^ next;
        page.used |= UINT64_C(1) << cycle % 64;
        page.any |= value ^ next;
        value = next;
        at += bytes;
        const size_t left = at < safe ? (size_t)(safe - at) / (1 + bytes) : 0,
                     room = (size_t)(c.stop - c.at) / 64;
        head =
            LOOP(fill_page)(&page, &c, &at, first, bytes, left < room ? left : room, &value, head);
        uint64_t number;
        const unsigned length = at < safe ? fst_short_number(at, safe, &number) : 0;
        if (length == 0 || number >> 1 >= c.stop - c.at)
            break;
        head = number;
        at += length;
        c.at += head >> 1;
    }
    turn_page(a, &page, 0);
    p->value = value & p->wanted;
    *now = (struct fst_place){ at, head, c.from + c.at };
}
