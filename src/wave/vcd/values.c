/* SPDX-License-Identifier: MIT */
/*
 * The value changes of a VCD, one time stamp at a time (IEEE 1364-2005 clause 18.2.3; port
 * changes of extended VCD: 18.4).  Words are taken from the window wherever they stand; a
 * word that reaches the window's end is started again once more of the file is there.
 * Changes of streams that nobody wants are counted and stepped over.
 */
#include "wave/vcd/lookup.h"
#include "wave/vcd/vcd.h"

#include <string.h>

/* What a word's first character says: the value of a scalar, or the kind of a record. */
enum { BAD, VECTOR = 1, REAL, STRING, PORT, STAMP, KEYWORD, SCALARS };

static const uint8_t kinds[256] = {
    ['0'] = '0',  ['1'] = '1',    ['x'] = 'x',    ['X'] = 'x',    ['z'] = 'z',    ['Z'] = 'z',
    ['h'] = '1',  ['H'] = '1',    ['l'] = '0',    ['L'] = '0',    ['u'] = 'x',    ['U'] = 'x',
    ['w'] = 'x',  ['W'] = 'x',    ['-'] = 'x',    ['b'] = VECTOR, ['B'] = VECTOR, ['r'] = REAL,
    ['R'] = REAL, ['s'] = STRING, ['S'] = STRING, ['p'] = PORT,   ['#'] = STAMP,  ['$'] = KEYWORD,
};

/* States of extended VCD: driven by the test fixture, by the design, or by both. */
static const uint8_t port_states[256] = {
    ['D'] = '0', ['d'] = '0', ['L'] = '0', ['l'] = '0', ['0'] = '0', ['U'] = '1',
    ['u'] = '1', ['H'] = '1', ['h'] = '1', ['1'] = '1', ['Z'] = 'z', ['T'] = 'z',
    ['F'] = 'z', ['f'] = 'z', ['N'] = 'x', ['X'] = 'x', ['?'] = 'x', ['A'] = 'x',
    ['a'] = 'x', ['B'] = 'x', ['b'] = 'x', ['C'] = 'x', ['c'] = 'x',
};

/* How far a step came. */
enum step {
    STEP_ON,    /* past the record */
    STEP_MORE,  /* the word at text.at reaches the window's end */
    STEP_SKIP,  /* behind the name of a section that means nothing here */
    STEP_EMIT,  /* a time stamp is complete */
    STEP_CUT,   /* the file ends inside a record */
    STEP_FAILED /* v->failed says how */
};

struct scan {
    struct vcd *v;
    const uint8_t *p;   /* at the record, then behind it */
    const uint8_t *end; /* of the window; *end is a blank */
    enum pc_status status;
    struct pc_error *err;
};

static enum step failed(struct scan *s, enum pc_status status)
{
    s->status = status;
    return STEP_FAILED;
}

static size_t offset(const struct scan *s, const uint8_t *p)
{
    return (size_t)(p - s->v->text.buf);
}

/* Remembers the first value without a variable; there may be millions. */
static enum step undeclared(struct scan *s, const uint8_t *id, const uint8_t *end)
{
    struct vcd *v = s->v;
    char quoted[48];

    vcd_quote(quoted, (const char *)id, (size_t)(end - id));
    if (end == id)
        return failed(
            s, vcd_fail(v, offset(s, id), s->err, 606, "a value without an identifier behind it"));
    if (v->base.hier.vars == 0)
        return failed(s, vcd_fail(v, offset(s, id), s->err, 607,
                                  "a value for \"%s\", and no variable is declared", quoted));
    if (v->scanned)
        return STEP_ON; /* others are not noticed either: fast.c */
    if (v->undeclared++ == 0) {
        v->undeclared_line = vcd_line(v, offset(s, id));
        quoted[sizeof v->undeclared_id - 1] = '\0';
        memcpy(v->undeclared_id, quoted, strlen(quoted) + 1);
    }
    return STEP_ON;
}

/* Appends a change with room for `width` bits; NULL if there is none. */
static char *append(struct scan *s, uint32_t code, size_t width)
{
    struct vcd *v = s->v;

    if (v->changes >= VCD_GROUP_CHANGES + 4 * v->base.hier.codes ||
        v->bits_used + width > VCD_GROUP_BITS) {
        s->status = vcd_fail(v, offset(s, s->p), s->err, 612,
                             "time stamp %llu has more than %zu changes of selected signals",
                             (unsigned long long)v->time, v->changes);
        return NULL;
    }
    if (!pc_grow(&v->alloc, (void **)&v->change, &v->changes_capacity, v->changes + 1,
                 sizeof *v->change) ||
        !pc_grow(&v->alloc, (void **)&v->bits, &v->bits_capacity, v->bits_used + width + 1, 1)) {
        s->status = pc_fail(s->err, 100, "not enough memory for the changes of one time stamp");
        return NULL;
    }
    v->change[v->changes++] = (struct wv_change){ code, (uint32_t)v->bits_used };
    char *to = v->bits + v->bits_used;
    v->bits_used += width;
    return to;
}

/* A wanted change whose digits, most significant first, are digit[0 .. n), through `map`. */
static enum step store(struct scan *s, uint32_t code, const uint8_t *digit, size_t n,
                       const uint8_t *map)
{
    const struct wv_code *c = &s->v->base.hier.code[code];
    size_t width = c->kind == PC_VAR_BITS ? c->width : 0;
    char *to = append(s, code, width);

    if (!to)
        return STEP_FAILED;
    if (width == 0)
        return STEP_ON;
    if (n > width) {
        s->v->misfits += digit[0] != '0';
        digit += n - width;
        n = width;
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t value = map[digit[i]];
        if (value < SCALARS)
            return failed(s, vcd_fail(s->v, offset(s, digit + i), s->err, 608,
                                      "a value has the digit \"%c\"",
                                      digit[i] >= ' ' && digit[i] < 127 ? digit[i] : '?'));
        to[width - n + i] = (char)value;
    }
    char left = n == 0 ? 'x' : to[width - n];
    memset(to, left == '1' ? '0' : left, width - n);
    return STEP_ON;
}

/* The same of a scalar for one bit, if there is room: nearly all that a file has. */
static inline bool store_scalar(struct vcd *v, uint32_t code, uint8_t value)
{
    const struct wv_code *c = &v->base.hier.code[code];

    if (c->width != 1 || c->kind != PC_VAR_BITS || v->changes >= v->changes_capacity ||
        v->changes >= VCD_GROUP_CHANGES || v->bits_used + 1 >= v->bits_capacity)
        return false;
    v->change[v->changes++] = (struct wv_change){ code, (uint32_t)v->bits_used };
    v->bits[v->bits_used++] = (char)value;
    return true;
}

/* A wanted change that is a real or a string: without bits, or all unknown for a vector. */
static enum step store_other(struct scan *s, uint32_t code)
{
    const struct wv_code *c = &s->v->base.hier.code[code];
    size_t width = c->kind == PC_VAR_BITS ? c->width : 0;
    char *to = append(s, code, width);

    if (!to)
        return STEP_FAILED;
    s->v->misfits += c->kind == PC_VAR_BITS;
    memset(to, 'x', width);
    return STEP_ON;
}

/* Past blanks to the next word; false if the window ends before it. */
static bool next_word(const struct scan *s, const uint8_t **p)
{
    const uint8_t *q = *p;

    while (q < s->end && *q <= ' ')
        q++;
    *p = q;
    return q < s->end;
}

/* Eight bytes at a time while none of them is a blank; text.buf has room behind its end. */
static const uint8_t *word_end(const uint8_t *p)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t w;

    for (;; p += sizeof w) {
        memcpy(&w, p, sizeof w);
        if ((w - ones * ('!')) & ~w & (ones << 7))
            break;
    }
    while (*p > ' ')
        p++;
    return p;
}

/* b, r, s, p: a word, for ports two words of strengths, then the identifier. */
static enum step long_record(struct scan *s, int kind)
{
    const uint8_t *value = s->p + 1, *value_end = word_end(value), *id = value_end, *end;
    enum step step = STEP_ON;

    for (int words = kind == PORT ? 2 : 0; words > 0; words--) {
        if (!next_word(s, &id))
            return s->v->text.eof ? STEP_CUT : STEP_MORE;
        id = word_end(id);
    }
    if (!next_word(s, &id))
        return s->v->text.eof ? STEP_CUT : STEP_MORE;
    uint32_t code = vcd_lookup(&s->v->ids, id, &end);
    if (end == s->end && !s->v->text.eof)
        return STEP_MORE;
    if (code == VCD_NO_CODE) {
        step = undeclared(s, id, end);
    } else {
        s->v->records++;
        if (s->v->wanted[code])
            step = kind == VECTOR || kind == PORT
                       ? store(s, code, value, (size_t)(value_end - value),
                               kind == PORT ? port_states : kinds)
                       : store_other(s, code);
    }
    s->p = end;
    return step;
}

static enum pc_status bad_time(const struct scan *s, const uint8_t *end, const char *why)
{
    char quoted[48];

    vcd_quote(quoted, (const char *)s->p, (size_t)(end - s->p));
    return vcd_fail(s->v, offset(s, s->p), s->err, 609, "\"%s\" is %s", quoted, why);
}

/* "1200", or "3.2" of writers that count in fractions: the fraction goes. */
static enum pc_status parse_time(struct scan *s, const uint8_t *end, uint64_t *out)
{
    const uint8_t *p = s->p + 1;
    uint64_t t = 0;
    bool fraction = false;

    if (p == end || *p < '0' || *p > '9')
        return bad_time(s, end, "not a time");
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = *p - '0';
        if (t > (UINT64_MAX - digit) / 10)
            return bad_time(s, end, "beyond 64 bits");
        t = t * 10 + digit;
    }
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++)
            fraction |= *p != '0';
    if (p != end)
        return bad_time(s, end, "not a time");
    s->v->fractions += fraction;
    *out = t;
    return PC_OK;
}

static enum step stamp(struct scan *s)
{
    struct vcd *v = s->v;
    const uint8_t *end = word_end(s->p);
    uint64_t t = 0;

    if (end == s->end && (!v->text.eof || end == s->p + 1))
        return v->text.eof ? STEP_CUT : STEP_MORE;
    enum pc_status status = parse_time(s, end, &t);
    if (status)
        return failed(s, status);
    if (v->has_time && t < v->time && end == s->end)
        return STEP_CUT;
    if (v->has_time && t < v->time) {
        if (!v->base.tolerate_time_backwards)
            return failed(s, vcd_fail(v, offset(s, s->p), s->err, 610,
                                      "time runs backwards, from %llu to %llu",
                                      (unsigned long long)v->time, (unsigned long long)t));
        v->backwards++;
        t = v->time;
    } else if (v->has_time && t == v->time) {
        s->p = end;
        return STEP_ON;
    } else if (!v->has_time && v->records == 0) {
        v->has_time = true;
        v->time = t;
        s->p = end;
        return STEP_ON;
    }
    v->next_time = t;
    v->pending = true;
    v->stamp = offset(s, s->p);
    s->p = end;
    return STEP_EMIT;
}

/* $dumpvars and its kin hold ordinary changes; other sections are passed over. */
static enum step keyword(struct scan *s)
{
    const uint8_t *end = word_end(s->p);
    size_t length = (size_t)(end - s->p);

    if (end == s->end && !s->v->text.eof)
        return STEP_MORE;
    bool bare = (length > 5 && memcmp(s->p, "$dump", 5) == 0) ||
                (length == 4 && memcmp(s->p, "$end", 4) == 0);
    if (bare && memcmp(end - 3, "off", 3) == 0) { /* $dumpoff, $dumpportsoff */
        s->v->off_time = s->v->offs++ == 0 ? s->v->time : s->v->off_time;
        wv_dump_off(&s->v->base.hier, s->v->time);
    } else if (bare && memcmp(end - 2, "on", 2) == 0) {
        wv_dump_on(&s->v->base.hier, s->v->time);
    }
    if (length == 4 && memcmp(s->p, "$var", 4) == 0)
        return failed(s, vcd_fail(s->v, offset(s, s->p), s->err, 613,
                                  "a $var stands behind $enddefinitions"));
    s->p = end;
    return bare ? STEP_ON : STEP_SKIP;
}

/* A scalar with its identifier behind a blank, as files written by hand have it. */
static enum step spaced_scalar(struct scan *s)
{
    const uint8_t *id = s->p + 1, *end;

    while (id < s->end && (*id == ' ' || *id == '\t'))
        id++;
    if (id == s->end)
        return s->v->text.eof ? STEP_CUT : STEP_MORE;
    uint32_t code = vcd_lookup(&s->v->ids, id, &end);
    if (end == s->end && !s->v->text.eof)
        return STEP_MORE;
    s->v->records += code != VCD_NO_CODE;
    enum step step = code == VCD_NO_CODE  ? undeclared(s, id, end)
                     : s->v->wanted[code] ? store(s, code, s->p, 1, kinds)
                                          : STEP_ON;
    s->p = end;
    return step;
}

static enum step unknown_word(struct scan *s)
{
    const uint8_t *end = word_end(s->p);
    char quoted[48];

    /* what is told must not hang on where the window ends */
    if (end == s->end && !s->v->text.eof && end - s->p <= 40)
        return STEP_MORE;
    return failed(s, vcd_fail(s->v, offset(s, s->p), s->err, 608, "\"%s\" is no value change",
                              vcd_quote(quoted, (const char *)s->p, (size_t)(end - s->p))));
}

static enum step other_record(struct scan *s)
{
    switch (kinds[*s->p]) {
    case VECTOR:
    case REAL:
    case STRING:
    case PORT:
        return long_record(s, kinds[*s->p]);
    case STAMP:
        return stamp(s);
    case KEYWORD:
        return keyword(s);
    default:
        return unknown_word(s);
    }
}

/* Steps over records until something needs the caller.  The inner loop of every reading. */
static enum step run(struct scan *s)
{
    struct vcd *v = s->v;
    const uint8_t *p = v->text.buf + v->text.at, *end = s->end;
    enum step step = STEP_ON;

    while (step == STEP_ON) {
        while (*p <= ' ' && p < end)
            p++;
        s->p = p;
        if (p == end) {
            step = STEP_MORE;
            break;
        }
        if (kinds[*p] < SCALARS) {
            step = other_record(s);
            p = s->p;
            continue;
        }
        const uint8_t *behind;
        uint32_t code = vcd_lookup(&v->ids, p + 1, &behind);
        if (behind == end && !v->text.eof) {
            step = STEP_MORE;
            break;
        }
        if (behind == p + 1) {
            step = spaced_scalar(s);
            p = s->p;
            continue;
        }
        if (code == VCD_NO_CODE) {
            step = undeclared(s, p + 1, behind);
        } else {
            v->records++;
            if (v->wanted[code] && !store_scalar(v, code, kinds[*p]))
                step = store(s, code, p, 1, kinds);
        }
        p = behind;
    }
    v->text.at = (size_t)(s->p - v->text.buf);
    return step;
}

/* A string longer than the window: only its first character matters. */
static void shorten_string(struct vcd_text *t)
{
    bool full = t->at == 0 && t->end == t->capacity;

    if (!full || kinds[t->buf[0]] != STRING || word_end(t->buf) != t->buf + t->end)
        return;
    t->byte += t->end - 1;
    t->column += t->end - 1;
    t->end = 1;
    t->buf[1] = '\n';
}

/* Until a time stamp is complete or the file ends. */
static enum pc_status fill_group(struct vcd *v, struct pc_error *err)
{
    for (;;) {
        enum pc_status status = PC_OK;
        if (v->skipping) {
            status = vcd_skip_section(v, err);
            if (status && status != PC_END)
                return status;
            v->skipping = false;
        }
        struct scan s = { .v = v, .end = v->text.buf + v->text.end, .err = err };
        enum step step = run(&s);
        if (step == STEP_EMIT)
            return PC_OK;
        if (step == STEP_FAILED)
            return s.status;
        if (step == STEP_CUT || (step == STEP_MORE && v->text.eof)) {
            vcd_report(v, step == STEP_CUT);
            return PC_OK;
        }
        v->skipping = step == STEP_SKIP;
        if (step == STEP_MORE) {
            shorten_string(&v->text);
            status = vcd_refill(v, v->text.at, err);
            if (status)
                return status;
        }
    }
}

enum pc_status vcd_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct vcd *v = (struct vcd *)r;

    if (v->finished)
        return PC_END;
    if (v->pending) {
        v->time = v->next_time;
        v->has_time = true;
        v->pending = false;
    }
    v->changes = v->bits_used = 0;
    v->records = 0;
    enum pc_status status = v->away ? vcd_arrive(v, err) : PC_OK;
    if (status == PC_OK)
        status = fill_group(v, err);
    if (status)
        return status;
    if (v->finished && !v->has_time && v->records == 0)
        return PC_END;
    out->time = v->has_time ? v->time : 0;
    out->change = v->change;
    out->changes = v->changes;
    out->bits = v->bits;
    out->records = v->records;
    out->initial = !v->has_time;
    return PC_OK;
}
