/* SPDX-License-Identifier: MIT */
/*
 * The value changes of a VCD, one timestamp at a time (IEEE 1364-2005 clause 18.2.3; port
 * changes of extended VCD: 18.4).  Words are taken from the window wherever they stand; a
 * word that reaches the window's end is started again once more of the file is there.
 * Changes of streams that are not wanted are counted and skipped.
 */
#include "wave/vcd/lookup.h"
#include "wave/vcd/records.h"

#include <string.h>

/* Meanings of a word's first character: the value of a scalar, or the kind of a record. */
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

/* Remembers the first value without a variable; there may be millions. */
static enum vcd_step undeclared(struct vcd_records *s, const uint8_t *id, const uint8_t *end)
{
    struct vcd *v = s->v;
    char quoted[48];

    vcd_quote(quoted, (const char *)id, (size_t)(end - id));
    if (v->base.hier.vars == 0)
        return vcd_failed(s, vcd_fail(v, vcd_offset(s, id), s->err, 607,
                                      "a value for \"%s\", and no variable is declared", quoted));
    if (v->scanned)
        return VCD_STEP_ON; /* others are not noticed either: fast.c */
    if (v->undeclared++ == 0) {
        v->undeclared_line = vcd_line(v, vcd_offset(s, id));
        quoted[sizeof v->undeclared_id - 1] = '\0';
        memcpy(v->undeclared_id, quoted, strlen(quoted) + 1);
    }
    return VCD_STEP_ON;
}

/* false: nothing else can be done */
static bool bad_digit(struct vcd_records *s, const uint8_t *digit)
{
    s->status = vcd_fail(s->v, vcd_offset(s, digit), s->err, 608, "a value has the digit \"%c\"",
                         *digit >= ' ' && *digit < 127 ? *digit : '?');
    return false;
}

/* Appends if there is room without making some: nearly always. */
static inline char *append_at_once(struct vcd *v, uint32_t code, size_t width)
{
    if (v->changes >= v->changes_capacity || v->changes >= VCD_GROUP_CHANGES ||
        v->bits_used + width >= v->bits_capacity || v->bits_used + width > VCD_GROUP_BITS)
        return NULL;
    v->change[v->changes++] = (struct wv_change){ code, (uint32_t)v->bits_used };
    char *to = v->bits + v->bits_used;
    v->bits_used += width;
    return to;
}

/* Appends a change with room for `width` bits; NULL if there is none. */
static char *append(struct vcd_records *s, uint32_t code, size_t width)
{
    struct vcd *v = s->v;
    char *at_once = append_at_once(v, code, width);

    if (at_once)
        return at_once;
    if (v->changes >= VCD_GROUP_CHANGES + 4 * v->base.hier.codes ||
        v->bits_used + width > VCD_GROUP_BITS) {
        s->status = vcd_fail(v, vcd_offset(s, s->p), s->err, 612,
                             "timestamp %llu has more than %zu changes of selected signals",
                             (unsigned long long)v->time, v->changes);
        return NULL;
    }
    if (!pc_grow(&v->alloc, (void **)&v->change, &v->changes_capacity, v->changes + 1,
                 sizeof *v->change) ||
        !pc_grow(&v->alloc, (void **)&v->bits, &v->bits_capacity, v->bits_used + width + 1, 1)) {
        s->status = pc_fail(s->err, 100, "not enough memory for the changes of one timestamp");
        return NULL;
    }
    v->change[v->changes++] = (struct wv_change){ code, (uint32_t)v->bits_used };
    char *to = v->bits + v->bits_used;
    v->bits_used += width;
    return to;
}

/*
 * Checks the digits before the last `width` of n; false if the text fails.  Zeros say nothing, nor
 * does what repeats an unknown leftmost bit.
 */
static bool pass_excess(struct vcd_records *s, const uint8_t *digit, size_t n, size_t width,
                        const uint8_t *map)
{
    const uint8_t first = map[digit[n - width]];
    bool lost = false;

    for (size_t i = 0; i < n - width; i++) {
        const uint8_t value = map[digit[i]];
        if (value < SCALARS)
            return bad_digit(s, digit + i);
        lost |= value != '0' && (value != first || first == '1');
    }
    if (lost)
        vcd_odd(s->v, VCD_ODD_WIDE, vcd_offset(s, s->p),
                "a value does not fit its variable, which has %zu bit%s: the first digits are left "
                "out",
                width, width == 1 ? "" : "s");
    return true;
}

/* Copies eight digits at once, while all of them are 0 and 1; how many. */
static inline size_t copy_known(const uint8_t *digit, size_t n, char *to)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t eight;
        memcpy(&eight, digit + i, sizeof eight);
        if ((eight ^ UINT64_C(0x3030303030303030)) & ~UINT64_C(0x0101010101010101))
            break;
        memcpy(to + i, &eight, sizeof eight);
    }
    return i;
}

/* A wanted change whose digits, most significant first, are digit[0 .. n), through `map`. */
static enum vcd_step store(struct vcd_records *s, uint32_t code, const uint8_t *digit, size_t n,
                           const uint8_t *map)
{
    const struct wv_code *c = &s->v->base.hier.code[code];
    size_t width = c->kind == PC_VAR_BITS ? c->width : 0;

    if (s->v->dumping && (c->kind == PC_VAR_EVENT || c->coding == WV_CODED_EVENT))
        return VCD_STEP_ON;
    char *to = append(s, code, width);
    if (!to)
        return VCD_STEP_FAILED;
    if (width == 0)
        return VCD_STEP_ON;
    if (n > 2 && digit[0] == '0' && (digit[1] | 0x20) == 'b' && map == kinds) { /* of Python */
        vcd_odd(s->v, VCD_ODD_PREFIX, vcd_offset(s, s->p), "a value has 0b before its digits");
        digit += 2;
        n -= 2;
    }
    if (n > width) {
        if (!pass_excess(s, digit, n, width, map))
            return VCD_STEP_FAILED;
        digit += n - width;
        n = width;
    }
    if (n == 0)
        vcd_odd(s->v, VCD_ODD_NO_DIGITS, vcd_offset(s, s->p),
                "a value has no digit; it is unknown");
    for (size_t i = map == kinds ? copy_known(digit, n, to + width - n) : 0; i < n; i++) {
        uint8_t value = map[digit[i]];
        if (value < SCALARS)
            return bad_digit(s, digit + i) ? VCD_STEP_ON : VCD_STEP_FAILED;
        to[width - n + i] = (char)value;
    }
    if (n == width)
        return VCD_STEP_ON;
    char left = n == 0 ? 'x' : to[width - n];
    memset(to, left == '1' ? '0' : left, width - n);
    return VCD_STEP_ON;
}

/* Stores a scalar for one bit, if there is room: nearly all that a file has. */
static inline bool store_scalar(struct vcd *v, uint32_t code, uint8_t value)
{
    const struct wv_code *c = &v->base.hier.code[code];
    char *to = c->width == 1 && c->kind == PC_VAR_BITS && c->coding == WV_PLAIN
                   ? append_at_once(v, code, 1)
                   : NULL;

    if (to)
        *to = (char)value;
    return to != NULL;
}

/* Stores a wanted change that is a real or a string: without bits, or all unknown for a vector,
 * unless it is a text as bits. */
static enum vcd_step store_other(struct vcd_records *s, uint32_t code, int kind,
                                 const uint8_t *value, size_t length)
{
    const struct wv_code *c = &s->v->base.hier.code[code];
    size_t width = c->kind == PC_VAR_BITS ? c->width : 0;
    char *to = append(s, code, width);

    if (!to)
        return VCD_STEP_FAILED;
    if (c->coding == WV_CODED_TEXT && kind == STRING) {
        wv_put_text((const char *)value, length, true, to);
        return VCD_STEP_ON;
    }
    double real;
    if (c->coding == WV_CODED_REAL && kind == REAL &&
        wv_read_real((const char *)value, length, &real)) {
        wv_put_real(real, to);
        return VCD_STEP_ON;
    }
    if (c->kind == PC_VAR_BITS && c->coding != WV_CODED_REAL)
        vcd_odd(s->v, VCD_ODD_KIND, vcd_offset(s, s->p),
                "a value of a real or a text does not fit its variable, which has bits; it is "
                "unknown");
    memset(to, 'x', width);
    return VCD_STEP_ON;
}

/* The value at s->p has no identifier; what stands at `next` is something else. */
static enum vcd_step no_identifier(struct vcd_records *s, const uint8_t *next)
{
    vcd_odd(s->v, VCD_ODD_NO_ID, vcd_offset(s, s->p), "a value without an identifier is left out");
    s->p = next;
    return VCD_STEP_ON;
}

/*
 * The identifier of a value stands in another line.  That is right by the standard, and no writer
 * does it: what is no identifier, but a record of its own, is taken as that.
 */
static bool is_of_next_line(struct vcd_records *s, const uint8_t *newline, uint32_t code)
{
    const uint8_t *p = newline;

    while (*p <= ' ')
        p++;
    if (kinds[*p] == BAD)
        return false;
    if (code == VCD_NO_CODE)
        return true;
    vcd_odd(s->v, VCD_ODD_SPLIT, vcd_offset(s, s->p),
            "the identifier of a value is on the next line");
    return false;
}

/* b, r, s, p: a word, for ports two words of strengths, then the identifier. */
static enum vcd_step long_record(struct vcd_records *s, int kind)
{
    const uint8_t *value = s->p + 1, *value_end = vcd_word_end(value), *id = value_end, *end;
    enum vcd_step step = VCD_STEP_ON;

    for (int words = kind == PORT ? 2 : 0; words > 0; words--) {
        if (!vcd_next_word(s, &id))
            return s->v->text.eof ? VCD_STEP_CUT : VCD_STEP_MORE;
        if (*id <= ' ')
            return no_identifier(s, id);
        id = vcd_word_end(id);
    }
    if (!vcd_next_word(s, &id))
        return s->v->text.eof ? VCD_STEP_CUT : VCD_STEP_MORE;
    if (*id <= ' ')
        return no_identifier(s, id);
    uint32_t code = vcd_lookup(&s->v->ids, id, &end);
    if (end == s->end && !s->v->text.eof)
        return VCD_STEP_MORE;
    if (*value_end != ' ' || id - value_end > 1) {
        const uint8_t *newline = memchr(value_end, '\n', (size_t)(id - value_end));
        if (newline && is_of_next_line(s, newline, code))
            return no_identifier(s, newline);
    }
    if (code == VCD_NO_CODE) {
        step = undeclared(s, id, end);
    } else {
        s->v->records++;
        if (s->v->wanted[code])
            step = kind == VECTOR || kind == PORT
                       ? store(s, code, value, (size_t)(value_end - value),
                               kind == PORT ? port_states : kinds)
                       : store_other(s, code, kind, value, (size_t)(value_end - value));
    }
    s->p = end;
    return step;
}

/* Reads a scalar with its identifier after a blank, as files written by hand have it. */
static enum vcd_step spaced_scalar(struct vcd_records *s)
{
    static const uint8_t unknown[] = { 'x' };
    const uint8_t *id = s->p + 1, *end;

    while (id < s->end && (*id == ' ' || *id == '\t'))
        id++;
    if (id == s->end)
        return s->v->text.eof ? VCD_STEP_CUT : VCD_STEP_MORE;
    if (*id <= ' ')
        return no_identifier(s, id);
    uint32_t code = vcd_lookup(&s->v->ids, id, &end);
    if (end == s->end && !s->v->text.eof)
        return VCD_STEP_MORE;
    s->v->records += code != VCD_NO_CODE;
    enum vcd_step step = code == VCD_NO_CODE ? undeclared(s, id, end)
                         : s->v->wanted[code]
                             ? store(s, code, *s->p < 0x80 ? s->p : unknown, 1, kinds)
                             : VCD_STEP_ON;
    s->p = end;
    return step;
}

/* A byte that is no character in front of an identifier: a value that its writer made wrong. */
static bool is_odd_scalar(struct vcd_records *s)
{
    const uint8_t *end;

    if (*s->p < 0x80 || vcd_lookup(&s->v->ids, s->p + 1, &end) == VCD_NO_CODE)
        return false;
    vcd_odd(s->v, VCD_ODD_BYTE, vcd_offset(s, s->p), "a value is byte 0x%02x, which is taken as x",
            *s->p);
    return true;
}

static enum vcd_step unknown_word(struct vcd_records *s)
{
    const uint8_t *end = vcd_word_end(s->p);
    char quoted[48];

    /* what is told must not depend on where the window ends */
    if (end == s->end && !s->v->text.eof && end - s->p <= 40)
        return VCD_STEP_MORE;
    if (is_odd_scalar(s))
        return spaced_scalar(s);
    return vcd_failed(s, vcd_fail(s->v, vcd_offset(s, s->p), s->err, 608,
                                  "\"%s\" is not a value change",
                                  vcd_quote(quoted, (const char *)s->p, (size_t)(end - s->p))));
}

static enum vcd_step other_record(struct vcd_records *s)
{
    switch (kinds[*s->p]) {
    case VECTOR:
    case REAL:
    case STRING:
    case PORT:
        return long_record(s, kinds[*s->p]);
    case STAMP:
        return vcd_stamp(s);
    case KEYWORD:
        return vcd_keyword(s);
    default:
        return unknown_word(s);
    }
}

/* Steps over records until something needs the caller.  The inner loop of every reading. */
static enum vcd_step run(struct vcd_records *s)
{
    struct vcd *v = s->v;
    const uint8_t *p = v->text.buf + v->text.at, *end = s->end;
    enum vcd_step step = VCD_STEP_ON;

    while (step == VCD_STEP_ON) {
        for (; *p <= ' ' && p < end; p++)
            if (vcd_is_hole(*p))
                vcd_hole(v, (size_t)(p - v->text.buf));
        s->p = p;
        if (p == end) {
            step = VCD_STEP_MORE;
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
            step = VCD_STEP_MORE;
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

/* Shortens a string longer than the window: only its first character matters. */
static void shorten_string(struct vcd_text *t)
{
    bool full = t->at == 0 && t->end == t->capacity;

    if (!full || kinds[t->buf[0]] != STRING || vcd_word_end(t->buf) != t->buf + t->end)
        return;
    t->byte += t->end - 1;
    t->column += t->end - 1;
    t->end = 1;
    t->buf[1] = '\n';
}

/* Reads until a timestamp is complete or the file ends. */
static enum pc_status fill_group(struct vcd *v, struct pc_error *err)
{
    for (;;) {
        enum pc_status status = PC_OK;
        if (v->skipping) {
            status = v->body.timescale ? vcd_timescale(v, err) : vcd_skip_section(v, err);
            if (status)
                return status;
            v->skipping = false;
        }
        struct vcd_records s = { .v = v, .end = v->text.buf + v->text.end, .err = err };
        enum vcd_step step = run(&s);
        if (step == VCD_STEP_EMIT)
            return PC_OK;
        if (step == VCD_STEP_FAILED)
            return s.status;
        if (step == VCD_STEP_CUT || (step == VCD_STEP_MORE && v->text.eof)) {
            vcd_report(v, step == VCD_STEP_CUT);
            return PC_OK;
        }
        v->skipping = step == VCD_STEP_SKIP;
        if (step == VCD_STEP_MORE) {
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
        v->rest = v->next_rest;
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
