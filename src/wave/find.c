/* SPDX-License-Identifier: MIT */
/*
 * Names to variables: full paths, suffixes of them at a dot, bits and slices.  Blanks and
 * backslashes do not count ("r_nxt [0]", "\bus[3] "), since writers put them at will.  A
 * hash over the last part of each path keeps this cheap with millions of variables.
 */
#include "wave/wave.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

#define NEAR_TRIES 200000 /* names that are compared for "did you mean" */
#define TYPED      100    /* longer names are shown as they are */

/* Past what does not count. */
static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\\')
        p++;
    return p;
}

static const char *last_part(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot + 1 : path;
}

uint32_t wv_name_hash(const char *path)
{
    uint32_t h = 2166136261u;

    for (const char *p = skip(last_part(path)); *p; p = skip(p + 1))
        h = (h ^ (uint8_t)*p) * 16777619u;
    return h ^ h >> 15;
}

/*
 * Compares from the end: 0 no match, 1 `wanted` is a suffix of `path` at a dot, 2 the same
 * path.  Both without what does not count.
 */
static int match(const char *path, const char *wanted)
{
    const char *p = path + strlen(path), *w = wanted + strlen(wanted);

    for (;;) {
        while (p > path && (p[-1] == ' ' || p[-1] == '\\'))
            p--;
        while (w > wanted && (w[-1] == ' ' || w[-1] == '\\'))
            w--;
        if (w == wanted)
            return p == path ? 2 : p[-1] == '.' ? 1 : 0;
        if (p == path || p[-1] != w[-1])
            return 0;
        p--;
        w--;
    }
}

/* Everything that matches a name: the best kind of match, and how many of that kind. */
struct matches {
    int kind;
    size_t first;
    size_t count;    /* variables */
    bool one_stream; /* all of them are aliases */
    char list[300];
};

static void add_match(const struct wv_hier *h, struct matches *m, int kind, size_t i)
{
    size_t used;

    if (kind < m->kind)
        return;
    if (kind > m->kind)
        *m = (struct matches){ .kind = kind, .first = i, .one_stream = true };
    if (h->var[i].code != h->var[m->first].code || h->var[i].width != h->var[m->first].width)
        m->one_stream = false;
    used = strlen(m->list);
    snprintf(m->list + used, sizeof m->list - used, "%s%s", m->count ? ", " : "",
             h->names + h->var[i].name);
    m->count++;
}

static void look_up(const struct pc_wave *wave, const char *wanted, struct matches *m)
{
    const struct wv_hier *h = wv_hier_of(wave);
    uint32_t at = wave->name_head[wv_name_hash(wanted) & (wave->name_heads - 1)];

    memset(m, 0, sizeof *m);
    for (; at; at = wave->name_next[at - 1]) {
        int kind = match(h->names + h->var[at - 1].name, wanted);
        if (kind > 0)
            add_match(h, m, kind, at - 1);
    }
}

/* The end of `path` with as many parts as `wanted` has. */
static const char *comparable(const char *path, const char *wanted)
{
    size_t parts = 1;
    const char *p = path + strlen(path);

    for (const char *w = wanted; *w; w++)
        parts += *w == '.';
    while (p > path)
        if (*--p == '.' && --parts == 0)
            return p + 1;
    return path;
}

/* As it can stand in an expression: "Channel 0" as Channel0.  An escaped name keeps its blank. */
static const char *as_written(const char *name, char out[TYPED])
{
    size_t n = 0;

    if (strlen(name) >= TYPED || strchr(name, '\\'))
        return name;
    for (; *name; name++)
        if (*name != ' ')
            out[n++] = *name;
    out[n] = '\0';
    return out;
}

static enum pc_status fail_unknown(const struct pc_wave *wave, const char *wanted,
                                   struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);
    struct pc_near near;
    char list[350], typed[PC_NEAR_MAX][TYPED];
    enum pc_status status = pc_fail(err, 520, "there is no signal \"%.200s\"", wanted);

    if (!err)
        return status;
    pc_near_begin(&near, wanted);
    for (size_t i = 0; i < h->vars && i < NEAR_TRIES; i++) {
        const char *candidate = comparable(h->names + h->var[i].name, wanted);
        bool known = false;
        for (size_t k = 0; k < near.count; k++)
            known |= strcmp(near.name[k], candidate) == 0;
        if (!known)
            pc_near_offer(&near, candidate);
    }
    for (size_t i = 0; i < near.count; i++)
        near.name[i] = as_written(near.name[i], typed[i]);
    pc_near_text(&near, list, sizeof list);
    if (list[0])
        pc_hint(err, "did you mean: %s", list);
    return status;
}

static enum pc_status fail_ambiguous(const char *wanted, const struct matches *m,
                                     struct pc_error *err)
{
    enum pc_status status = pc_fail(err, 521, "\"%.200s\" matches %zu signals", wanted, m->count);

    pc_hint(err, "write more of the path: %s%s", m->list,
            strlen(m->list) == sizeof m->list - 1 ? "..." : "");
    return status;
}

/* "[7:4]" or "[3]" at the end of a name. */
struct select {
    size_t name_length; /* of what stands before it */
    int64_t msb, lsb;
};

static bool parse_index(const char **at, int64_t *out)
{
    const char *p = *at;
    bool minus = *p == '-';
    int64_t n = 0;

    if (minus)
        p++;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (*p - '0');
        if (n > INT32_MAX)
            n = (int64_t)INT32_MAX + 1; /* out of every bound */
    }
    *at = p;
    *out = minus ? -n : n;
    return true;
}

static bool parse_select(const char *name, struct select *out)
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] == ' ')
        length--;
    if (length == 0 || name[length - 1] != ']')
        return false;
    const char *open = strrchr(name, '[');
    if (!open || open == name)
        return false;
    const char *p = open + 1;
    if (!parse_index(&p, &out->msb))
        return false;
    out->lsb = out->msb;
    if (*p == ':') {
        p++;
        if (!parse_index(&p, &out->lsb))
            return false;
    }
    out->name_length = (size_t)(open - name);
    return p == name + length - 1;
}

/* Declared indices to positions from the right: [7:4], [0:7] and negative bounds. */
static enum pc_status select_bits(const char *name, const struct wv_var *v, const struct select *s,
                                  uint32_t *hi, uint32_t *lo, struct pc_error *err)
{
    int64_t left = v->msb, right = v->lsb;
    bool falls = left >= right;
    int64_t a = falls ? s->msb - right : right - s->msb;
    int64_t b = falls ? s->lsb - right : right - s->lsb;

    if (a < 0 || b < 0 || a >= (int64_t)v->width || b >= (int64_t)v->width) {
        enum pc_status status = pc_fail(err, 522, "\"%.200s\" reaches beyond the signal", name);
        pc_hint(err, "it is declared [%ld:%ld]", (long)left, (long)right);
        return status;
    }
    if (a < b) {
        enum pc_status status =
            pc_fail(err, 523, "the slice of \"%.200s\" is the wrong way round", name);
        pc_hint(err, "the signal is declared [%ld:%ld]; write [%ld:%ld]", (long)left, (long)right,
                (long)s->lsb, (long)s->msb);
        return status;
    }
    *hi = (uint32_t)a;
    *lo = (uint32_t)b;
    return PC_OK;
}

/* Finds the base of a slice; its name is copied to be terminated. */
static enum pc_status find_base(const struct pc_wave *wave, const char *name, size_t length,
                                struct matches *m, struct pc_error *err)
{
    char base[1024];

    /* Longer names than this are found whole or not at all. */
    if (length >= sizeof base)
        return fail_unknown(wave, name, err);
    memcpy(base, name, length);
    base[length] = '\0';
    look_up(wave, base, m);
    if (m->count == 0)
        return fail_unknown(wave, name, err);
    return m->one_stream ? PC_OK : fail_ambiguous(base, m, err);
}

enum pc_status pc_wave_find(const struct pc_wave *wave, const char *name, size_t *var, uint32_t *hi,
                            uint32_t *lo, struct pc_error *err)
{
    const struct wv_hier *h;
    struct matches m;
    struct select s;

    if (!wave || !name || !var || !hi || !lo)
        return pc_fail(err, 530,
                       "pc_wave_find needs a waveform, a name and places for its results");
    h = wv_hier_of(wave);
    look_up(wave, name, &m);
    if (m.count > 0 && !m.one_stream)
        return fail_ambiguous(name, &m, err);
    if (m.count > 0) {
        *var = m.first;
        *hi = h->var[m.first].width ? h->var[m.first].width - 1 : 0;
        *lo = 0;
        return PC_OK;
    }
    if (!parse_select(name, &s))
        return fail_unknown(wave, name, err);
    enum pc_status status = find_base(wave, name, s.name_length, &m, err);
    if (status)
        return status;
    status = select_bits(name, &h->var[m.first], &s, hi, lo, err);
    if (status == PC_OK)
        *var = m.first;
    return status;
}
