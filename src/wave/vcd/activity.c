/* SPDX-License-Identifier: MIT */
/*
 * Scans a plain VCD, piece by piece (docs/adr/011).  Some pieces that follow each
 * other are counted at once, each by a thread, from its first timestamp to that of the next one.
 * Then they are added up in their order.  A piece with a line that line_counts.c does not know is
 * left to values.c, and with it all that was counted after it.
 */
#include "wave/vcd/line_counts.h"

#include "wave/team.h"

#include <string.h>

#define PART      ((uint64_t)1 << 22) /* bytes of a piece, or more: ROW for each stream */
#define ROW       ((uint64_t)64)
#define LEAST     ((uint64_t)1 << 16)
#define WINDOW    ((size_t)1 << 18)
#define TABLES    ((size_t)32 << 20) /* bytes of tallies; if one needs more there is one */
#define MOST_LOST 4                  /* pieces, besides as many that were of use */

struct piece {
    struct vcd_line_counts t;
    uint64_t from, last; /* its first stamp is the first in [from, last) */
    uint8_t *text;       /* window + VCD_SLACK bytes */
    bool right;
};

struct vcd_activity {
    struct vcd *v;
    struct wv_team *team;
    size_t window; /* bytes of the file that a thread has at once */
    unsigned pieces;
    struct piece *piece;
    uint64_t from;       /* before it, all is left to values.c */
    uint64_t used, lost; /* pieces */
};

static uint64_t fewer(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- a piece ---- */

/* Returns the place after the first newline that a # follows, in text that begins with the byte
 * before the piece. */
static const uint8_t *find_stamp(const uint8_t *at, const uint8_t *end)
{
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL && ++at < end)
        if (*at == '#')
            return at;
    return NULL;
}

static const uint8_t *behind_last_line(const uint8_t *begin, const uint8_t *end)
{
    while (end > begin && end[-1] != '\n')
        end--;
    return end;
}

/* Counts its lines, a window of them after the other; false: not all of them are such as
 * line_counts.c knows. */
static bool count_piece(const struct vcd_activity *a, struct piece *p)
{
    uint64_t place = p->from - 1; /* of text[0]; a newline there makes the first # a stamp */
    size_t held = 0, got;
    bool begun = false, over = false;

    while (!over) {
        if (wv_input_read_at(a->v->in, place + held, p->text + held, a->window - held, &got,
                             NULL) != PC_OK ||
            got == 0)
            return false;
        held += got;
        memset(p->text + held, '\n', VCD_SLACK);
        const uint8_t *at = p->text, *const end = behind_last_line(at, at + held);
        if (!begun) {
            at = find_stamp(at, end);
            if (!at)
                return false;
            begun = true;
            p->t.begin = place + (uint64_t)(at - p->text);
        }
        at = vcd_count_lines(&p->t, at, end, place + (uint64_t)(at - p->text), p->last, &over);
        if (!at || (at == p->text && !over))
            return false;
        held -= (size_t)(at - p->text);
        place += (uint64_t)(at - p->text);
        memmove(p->text, at, held);
    }
    return true;
}

static enum pc_status run_piece(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    const struct vcd_activity *a = ctx;
    struct piece *p = &a->piece[task];
    struct vcd_id_counts *of = p->t.of;

    (void)worker;
    (void)err;
    vcd_counts_clear(of, a->v->base.hier.codes);
    p->t = (struct vcd_line_counts){ .v = a->v, .of = of };
    p->right = count_piece(a, p);
    return PC_OK;
}

/* ---- all of them ---- */

void vcd_activity_free(struct vcd *v)
{
    const struct pc_alloc *alloc = &v->alloc;
    struct vcd_activity *a = v->activity;

    if (!a)
        return;
    wv_team_destroy(a->team);
    for (unsigned i = 0; a->piece && i < a->pieces; i++) {
        pc_free(alloc, a->piece[i].t.of, v->base.hier.codes * sizeof *a->piece[i].t.of);
        pc_free(alloc, a->piece[i].text, a->window + VCD_SLACK);
    }
    pc_free(alloc, a->piece, a->pieces * sizeof *a->piece);
    pc_free(alloc, a, sizeof *a);
    v->activity = NULL;
}

static uint64_t least_piece(const struct vcd *v)
{
    return v->part ? v->part : LEAST;
}

/* Returns the bytes from the pending stamp on, without some that are left for the last piece to end
 * before. */
static uint64_t bytes_left(const struct vcd *v)
{
    const uint64_t taken = v->text.byte + v->stamp + least_piece(v), all = wv_input_extent(v->in);

    return all > taken ? all - taken : 0;
}

/* Opens one for each thread, as far as there is something for it; false: there is not the
 * memory. */
static bool open_pieces(struct vcd_activity *a)
{
    const struct vcd *v = a->v;
    const size_t codes = v->base.hier.codes, table = codes * sizeof(struct vcd_id_counts);
    const uint64_t most = fewer(bytes_left(v) / least_piece(v), TABLES / table);

    a->pieces = (unsigned)fewer(v->threads, most);
    a->pieces = a->pieces > 0 ? a->pieces : 1;
    a->piece = pc_calloc(&v->alloc, a->pieces, sizeof *a->piece);
    for (unsigned i = 0; a->piece && i < a->pieces; i++) {
        struct piece *p = &a->piece[i];
        p->t.of = pc_calloc(&v->alloc, codes, sizeof *p->t.of);
        p->text = v->alloc.resize(v->alloc.ctx, NULL, 0, a->window + VCD_SLACK);
        if (!p->t.of || !p->text)
            return false;
    }
    a->team = a->piece ? wv_team_create(&v->alloc, a->pieces) : NULL;
    return a->team != NULL;
}

/* Where memory is short, values.c does without, from then on. */
static struct vcd_activity *begin(struct vcd *v)
{
    struct vcd_activity *a = pc_calloc(&v->alloc, 1, sizeof *a);

    v->activity = a;
    if (a) {
        a->v = v;
        a->window = v->part && v->part < WINDOW ? v->part : WINDOW; /* no more than a piece */
        if (!open_pieces(a))
            vcd_activity_free(v);
    }
    v->no_activity = !v->activity;
    return v->activity;
}

/* Pieces from the stamp at `from` on, of equal length; false: too little is left of the file. */
static bool cut(struct vcd_activity *a, uint64_t from)
{
    const struct vcd *v = a->v;
    const uint64_t rows = ROW * v->base.hier.codes;
    const uint64_t whole = v->part ? v->part : PART < rows ? rows : PART;
    const uint64_t part = fewer(bytes_left(v) / a->pieces, whole);

    if (part < least_piece(v))
        return false;
    for (unsigned i = 0; i < a->pieces; i++) {
        a->piece[i].from = from + i * part;
        a->piece[i].last = from + (i + 1) * part;
    }
    return true;
}

static void add(struct vcd *v, const struct vcd_line_counts *t, const struct wv_scan *s)
{
    for (size_t i = 0; i < v->base.hier.codes; i++) {
        if (t->of[i].changes == 0)
            continue;
        s->totals->changes += t->of[i].changes;
        if (v->base.hier.code[i].kind == PC_VAR_EVENT) {
            s->activity[i].changes += t->of[i].changes;
            s->activity[i].rises += t->of[i].changes;
            continue;
        }
        vcd_counts_add(&t->of[i], &s->activity[i], &s->was[i]);
    }
    if (!s->totals->has_time)
        s->totals->time_first = t->first_time;
    else
        wv_take_distance(s->totals, t->first_time - s->totals->time_last);
    wv_add_distances(s->totals, &t->distances);
    s->totals->has_time = true;
    s->totals->time_stamps += t->stamps;
    s->totals->time_last = t->last_time;
    v->has_time = true;
    v->time = t->last_time;
    v->next_time = t->next_time;
    v->rest = v->next_rest = 0;
}

/* Adds those that follow each other from the pending stamp on; where the reader then is. */
static uint64_t add_pieces(struct vcd_activity *a, uint64_t from, const struct wv_scan *s,
                           uint64_t *lines)
{
    for (unsigned i = 0; i < a->pieces; i++) {
        const struct piece *p = &a->piece[i];
        if (!p->right || p->t.begin != from) {
            a->from = p->last;
            a->lost++; /* what is after it is counted again */
            break;
        }
        add(a->v, &p->t, s);
        from = p->t.end;
        *lines += p->t.lines;
        a->used++;
    }
    return from;
}

/* Returns true if a stamp waits, and there is enough of a plain file after it. */
static bool may_scan(const struct vcd *v)
{
    const struct vcd_activity *a = v->activity;

    return v->pending && !v->evcd && v->places == 0 && v->backwards == 0 &&
           v->base.hier.codes > 0 && !v->no_activity && bytes_left(v) >= least_piece(v) &&
           (!a || (v->text.byte + v->stamp >= a->from && a->lost <= a->used + MOST_LOST));
}

void vcd_scan_activity(struct wv_reader *r, const struct wv_scan *s)
{
    struct vcd *v = (struct vcd *)r;
    uint64_t lines = 0;
    struct pc_error err;

    if (!may_scan(v))
        return;
    struct vcd_activity *a = v->activity ? v->activity : begin(v);
    const uint64_t from = v->text.byte + v->stamp;
    if (!a || !cut(a, from))
        return;
    (void)wv_team_run(a->team, run_piece, a, a->pieces, NULL);
    const uint64_t to = add_pieces(a, from, s, &lines);
    if (to > from) {
        vcd_count(&v->text, v->stamp, 0, v->stamp);
        (void)vcd_move(v, to, v->text.lines + lines, &err); /* a plain file: it can be sought */
    }
    s->tell(s, UINT64_C(1) << 18);
}
