/* SPDX-License-Identifier: MIT */
/*
 * Names to variables: full paths, suffixes of them at a dot, bits and slices.  Blanks and
 * backslashes do not count ("r_nxt [0]", "\bus[3] "), since writers put them at will, but
 * where paths are the same without.  A hash over the last part of each path keeps this cheap
 * with millions of variables.
 */
#include "wave/wave.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define DOTTED 100 /* longer names are not tried with dots */

uint32_t wv_name_hash(const char *path, size_t length)
{
    const char *end = path + length, *p = end;
    uint32_t h = 2166136261u;

    while (p > path && p[-1] != '.')
        p--;
    for (; p < end; p++)
        if (*p != ' ' && *p != '\\')
            h = (h ^ (uint8_t)*p) * 16777619u;
    return h ^ h >> 15;
}

/* A piece of text: a name, or what of it stands in front of an index. */
struct piece {
    const char *at;
    size_t length;
};

static bool is_skipped(char c, bool exactly)
{
    return c == ' ' || (c == '\\' && !exactly);
}

/*
 * Compares from the end: 0 no match, 1 `wanted` is a suffix of `path` at a dot, 2 the same
 * path.  Both without what does not count: blanks, and backslashes unless `exactly`.
 */
static int compare(struct piece path, struct piece wanted, bool exactly)
{
    const char *p = path.at + path.length, *w = wanted.at + wanted.length;

    for (;;) {
        while (p > path.at && is_skipped(p[-1], exactly))
            p--;
        while (w > wanted.at && is_skipped(w[-1], exactly))
            w--;
        if (w == wanted.at)
            return p == path.at ? 2 : p[-1] == '.' ? 1 : 0;
        if (p == path.at || p[-1] != w[-1])
            return 0;
        p--;
        w--;
    }
}

/* 3: the same path to the backslash, which tells a variable \\a.b from b in a scope a. */
static int match(struct piece path, struct piece wanted)
{
    const int kind = compare(path, wanted, false);

    return kind == 2 && compare(path, wanted, true) == 2 ? 3 : kind;
}

/* A variable, or a vector of such that have a bit each. */
struct signal {
    size_t var; /* the first */
    const struct wv_run *run;
};

static struct piece path_of(const struct wv_hier *h, struct signal s)
{
    const char *name = h->names + h->var[s.var].name;

    return (struct piece){ name, s.run ? s.run->base : strlen(name) };
}

static uint32_t width_of(const struct wv_hier *h, struct signal s)
{
    return s.run ? s.run->count : h->var[s.var].width;
}

static int32_t left_of(const struct wv_hier *h, struct signal s)
{
    return s.run ? s.run->left : h->var[s.var].msb;
}

static int32_t right_of(const struct wv_hier *h, struct signal s)
{
    return s.run ? s.run->right : h->var[s.var].lsb;
}

/* Aliases: the same values under another name. */
static bool same_stream(const struct wv_hier *h, struct signal a, struct signal b)
{
    const size_t vars = a.run ? a.run->count : 1;

    if (!a.run != !b.run || width_of(h, a) != width_of(h, b))
        return false;
    for (size_t i = 0; i < vars; i++)
        if (h->var[a.var + i].code != h->var[b.var + i].code)
            return false;
    return true;
}

/* The range of a packed array; of others it says no more than the bounds, and may be left out. */
static const char *shape_of(const struct wv_hier *h, struct signal s)
{
    const char *range = s.run ? "" : h->names + h->var[s.var].range;

    return strstr(range, "][") ? range : "";
}

/* Is each bit called the same in both? */
static bool same_bounds(const struct wv_hier *h, struct signal a, struct signal b)
{
    return left_of(h, a) == left_of(h, b) && right_of(h, a) == right_of(h, b) &&
           strcmp(shape_of(h, a), shape_of(h, b)) == 0;
}

/* Everything that matches a name: the best kind of match, and how many of that kind. */
struct matches {
    int kind;
    struct signal first;
    size_t count;
    bool one_stream; /* all of them are aliases */
    bool one_bounds; /* and say the same of their bits */
    bool one_path;   /* of all of them: none can be named without the others */
    char list[300];
};

static void list_more(struct matches *m, struct piece path)
{
    const size_t used = strlen(m->list), room = sizeof m->list - used;

    snprintf(m->list + used, room, "%s%.*s", m->count ? ", " : "",
             path.length > room ? (int)room : (int)path.length, path.at);
}

static void add_match(const struct wv_hier *h, struct matches *m, struct piece wanted,
                      struct signal s)
{
    const struct piece path = path_of(h, s);
    const int kind = match(path, wanted);

    if (kind == 0 || kind < m->kind)
        return;
    if (kind > m->kind)
        *m = (struct matches){
            .kind = kind, .first = s, .one_stream = true, .one_bounds = true, .one_path = true
        };
    m->one_stream = m->one_stream && same_stream(h, s, m->first);
    m->one_bounds = m->one_bounds && same_bounds(h, s, m->first);
    m->one_path = m->one_path && compare(path, path_of(h, m->first), true) == 2;
    list_more(m, path);
    m->count++;
}

/* runs: also vectors whose bits are declared one by one. */
static void look_up(const struct pc_wave *wave, struct piece wanted, bool runs, struct matches *m)
{
    const struct wv_hier *h = wv_hier_of(wave);
    const uint32_t hash = wv_name_hash(wanted.at, wanted.length);

    memset(m, 0, sizeof *m);
    for (uint32_t at = wave->name_head[hash & (wave->name_heads - 1)]; at;
         at = wave->name_next[at - 1])
        add_match(h, m, wanted, (struct signal){ at - 1, NULL });
    if (!runs || wave->runs == 0)
        return;
    for (uint32_t at = *wv_run_head(wave, wanted.at, wanted.length); at;
         at = wave->run[at - 1].next)
        add_match(h, m, wanted, (struct signal){ wave->run[at - 1].first, &wave->run[at - 1] });
}

/* /top/dut/x, as other tools write paths, is there with dots in it. */
static bool hint_of_dots(const struct pc_wave *wave, const char *wanted, struct pc_error *err)
{
    char dotted[DOTTED];
    size_t var;
    uint32_t hi, lo;

    wanted += wanted[0] == '/';
    if (!strchr(wanted, '/') || strlen(wanted) >= sizeof dotted)
        return false;
    snprintf(dotted, sizeof dotted, "%s", wanted);
    for (char *p = dotted; (p = strchr(p, '/'));)
        *p = '.';
    if (pc_wave_find(wave, dotted, &var, &hi, &lo, NULL) != PC_OK)
        return false;
    pc_hint(err, "a path has dots between its parts: %s", dotted);
    return true;
}

static enum pc_status fail_unknown(const struct pc_wave *wave, const char *wanted, bool runs,
                                   struct pc_error *err)
{
    enum pc_status status = pc_fail(err, 520, "there is no signal \"%.200s\"", wanted);

    if (err && !hint_of_dots(wave, wanted, err)) {
        wv_hint_near(wave, wanted, runs, err);
        wv_hint_left_out(wv_hier_of(wave), wanted, err);
    }
    return status;
}

static enum pc_status fail_ambiguous(struct piece wanted, const struct matches *m,
                                     struct pc_error *err)
{
    enum pc_status status =
        pc_fail(err, 521, "\"%.*s\" matches %zu signals",
                wanted.length > 200 ? 200 : (int)wanted.length, wanted.at, m->count);

    if (m->one_path)
        pc_hint(err, "no path tells them apart: %srename one in the file",
                m->one_stream ? "take all of their bits, or " : "");
    else
        pc_hint(err, "write more of the path: %s%s", m->list,
                strlen(m->list) == sizeof m->list - 1 ? "..." : "");
    return status;
}

/* --- bits and slices --- */

#define DIMENSIONS 8 /* more brackets behind a name than this are part of it */

struct range {
    int64_t left, right;
};

static bool parse_index(const char **at, int64_t *out)
{
    const bool minus = **at == '-';
    const char *p = *at + minus;
    int64_t n = 0;

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

/* "[7:4]" or "[3]" at the end of a name, which is cut off. */
static bool cut_select(struct piece *name, struct range *out)
{
    size_t end = name->length, open;

    while (end > 0 && name->at[end - 1] == ' ')
        end--;
    if (end == 0 || name->at[end - 1] != ']')
        return false;
    for (open = end - 1; open > 0 && name->at[open] != '['; open--)
        ;
    if (open == 0)
        return false;
    const char *p = name->at + open + 1;
    if (!parse_index(&p, &out->left))
        return false;
    out->right = out->left;
    if (*p == ':') {
        p++;
        if (!parse_index(&p, &out->right))
            return false;
    }
    name->length = open;
    return p == name->at + end - 1;
}

static int64_t length_of(struct range r)
{
    return (r.left >= r.right ? r.left - r.right : r.right - r.left) + 1;
}

/*
 * The dimensions of a signal, the outermost first: those of its range if they make up its width
 * ("[1:0][3:0]" of eight bits), else one.
 */
static size_t dimensions(const struct wv_hier *h, struct signal s, struct range *out)
{
    const char *p = s.run ? "" : h->names + h->var[s.var].range;
    const int64_t width = width_of(h, s);
    int64_t bits = 1;
    size_t n = 0;

    for (; *p == '[' && n < DIMENSIONS; p++, n++) {
        p++;
        if (!parse_index(&p, &out[n].left) || *p++ != ':' || !parse_index(&p, &out[n].right) ||
            *p != ']' || length_of(out[n]) > width)
            break;
        bits *= length_of(out[n]);
        if (bits > width)
            break;
    }
    if (*p == '\0' && bits == width && n > 1)
        return n;
    out[0] = (struct range){ left_of(h, s), right_of(h, s) };
    return 1;
}

/* Declared indices to positions from the right: [7:4], [0:7] and negative bounds. */
static enum pc_status positions(const char *name, struct range declared, struct range asked,
                                int64_t *hi, int64_t *lo, struct pc_error *err)
{
    const int64_t left = declared.left, right = declared.right;
    const bool falls = left >= right;

    *hi = falls ? asked.left - right : right - asked.left;
    *lo = falls ? asked.right - right : right - asked.right;
    if (*hi < 0 || *lo < 0 || *hi >= length_of(declared) || *lo >= length_of(declared)) {
        enum pc_status status = pc_fail(err, 522, "\"%.200s\" reaches beyond the signal", name);
        pc_hint(err, "it is declared [%ld:%ld]", (long)left, (long)right);
        return status;
    }
    if (*hi < *lo) {
        enum pc_status status =
            pc_fail(err, 523, "the slice of \"%.200s\" is the wrong way round", name);
        pc_hint(err, "the signal is declared [%ld:%ld]; write [%ld:%ld]", (long)left, (long)right,
                (long)asked.right, (long)asked.left);
        return status;
    }
    return PC_OK;
}

/* What a name means. */
struct found {
    struct signal signal;
    uint32_t hi, lo; /* from the right; hi < lo: it has no bits */
    size_t selects;
    struct range select[DIMENSIONS]; /* the innermost first, as they stand from the end */
};

/* Several selects: elements of elements of a packed array, and then bits. */
static enum pc_status select_bits(const struct pc_wave *wave, const char *name, bool runs,
                                  struct found *f, struct pc_error *err)
{
    struct range dimension[DIMENSIONS];
    const size_t n = dimensions(wv_hier_of(wave), f->signal, dimension);
    int64_t inner = width_of(wv_hier_of(wave), f->signal), base = 0, hi = 0, lo = 0;

    if (f->selects > n)
        return fail_unknown(wave, name, runs, err);
    for (size_t i = 0; i < f->selects; i++) {
        const struct range asked = f->select[f->selects - 1 - i];
        if (i + 1 < f->selects && asked.left != asked.right)
            return fail_unknown(wave, name, runs, err);
        enum pc_status status = positions(name, dimension[i], asked, &hi, &lo, err);
        if (status)
            return status;
        inner /= length_of(dimension[i]);
        if (i + 1 < f->selects)
            base += lo * inner;
    }
    f->hi = (uint32_t)(base + (hi + 1) * inner - 1);
    f->lo = (uint32_t)(base + lo * inner);
    return PC_OK;
}

/*
 * A variable x[3] that is found by the end of its path: elsewhere there may be an x whose bit 3
 * could be meant as well.
 */
static enum pc_status check_index(const struct pc_wave *wave, struct piece name,
                                  const struct matches *m, bool runs, struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);
    struct piece base = name, own = path_of(h, m->first);
    struct range select;
    struct matches all = *m, other;

    if (m->kind > 1 || !cut_select(&base, &select) || !cut_select(&own, &select))
        return PC_OK;
    look_up(wave, base, runs, &other);
    if (other.count == 0 || compare(path_of(h, other.first), own, false) == 2)
        return PC_OK;
    if (other.first.run && !m->first.run) { /* an alias of it? */
        const struct wv_run *r = other.first.run;
        const int64_t at = select.left >= r->left ? select.left - r->left : r->left - select.left;
        if (at < r->count && h->var[r->first + (size_t)at].code == h->var[m->first.var].code)
            return PC_OK;
    }
    list_more(&all, (struct piece){ other.list, strlen(other.list) });
    all.count += other.count;
    all.one_path = false;
    return fail_ambiguous(name, &all, err);
}

static enum pc_status find(const struct pc_wave *wave, const char *text, bool runs, struct found *f,
                           struct pc_error *err)
{
    const struct piece name = { text, strlen(text) };
    struct piece base = name;
    struct matches m;

    memset(f, 0, sizeof *f);
    look_up(wave, name, runs, &m);
    if (m.count > 0) {
        const uint32_t width = width_of(wv_hier_of(wave), m.first);
        f->signal = m.first;
        f->hi = width - 1;
        f->lo = 0;
        return m.one_stream ? check_index(wave, name, &m, runs, err)
                            : fail_ambiguous(name, &m, err);
    }
    while (m.count == 0) {
        if (f->selects == DIMENSIONS || !cut_select(&base, &f->select[f->selects]))
            return fail_unknown(wave, text, runs, err);
        f->selects++;
        look_up(wave, base, runs, &m);
    }
    if (!m.one_stream || !m.one_bounds)
        return fail_ambiguous(base, &m, err);
    f->signal = m.first;
    return select_bits(wave, text, runs, f, err);
}

enum pc_status pc_wave_find(const struct pc_wave *wave, const char *name, size_t *var, uint32_t *hi,
                            uint32_t *lo, struct pc_error *err)
{
    struct found f;

    if (!wave || !name || !var || !hi || !lo)
        return pc_fail(err, 530,
                       "pc_wave_find needs a waveform, a name and places for its results");
    enum pc_status status = find(wave, name, false, &f, err);
    if (status)
        return status;
    *var = f.signal.var;
    *hi = f.hi == UINT32_MAX ? 0 : f.hi; /* of a variable without bits */
    *lo = f.lo;
    return PC_OK;
}

enum pc_status pc_wave_find_bits(const struct pc_wave *wave, const char *name,
                                 struct pc_wave_bit *bits, size_t capacity, size_t *count,
                                 struct pc_error *err)
{
    struct found f;

    if (!wave || !name || (!bits && capacity > 0) || !count)
        return pc_fail(err, 530,
                       "pc_wave_find_bits needs a waveform, a name and places for its results");
    enum pc_status status = find(wave, name, true, &f, err);
    if (status)
        return status;
    const struct wv_run *r = f.signal.run;
    *count = f.hi == UINT32_MAX ? 0 : (size_t)f.hi - f.lo + 1;
    for (size_t i = 0; i < *count && i < capacity; i++)
        bits[i] = r ? (struct pc_wave_bit){ r->first + r->count - 1 - (f.lo + i), 0 }
                    : (struct pc_wave_bit){ f.signal.var, f.lo + (uint32_t)i };
    return PC_OK;
}

bool pc_wave_is_signed(const struct pc_wave *wave, const char *name)
{
    struct found f;

    if (!wave || !name || find(wave, name, true, &f, NULL) != PC_OK || f.selects > 0)
        return false;
    const struct wv_var *v = &wv_hier_of(wave)->var[f.signal.var];
    return v->is_signed && !f.signal.run && !v->indexed;
}
