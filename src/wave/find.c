/* SPDX-License-Identifier: MIT */
/*
 * Names to variables: full paths, suffixes of them at a dot, bits and slices.  Blanks and
 * backslashes do not count ("r_nxt [0]", "\bus[3] "), since writers put them at will, but
 * where paths are the same without.  A hash over the last part of each path keeps this cheap
 * with millions of variables.
 */
#include "wave/find.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define DOTTED 100 /* longer names are not tried with dots */

/* 3: the same path to the backslash, which tells a variable \\a.b from b in a scope a. */
static int match(struct wv_piece path, struct wv_piece wanted)
{
    const int kind = wv_compare_paths(path, wanted, false);

    return kind == 2 && wv_compare_paths(path, wanted, true) == 2 ? 3 : kind;
}

/* Everything that matches a name: the best kind of match, and how many of that kind. */
struct matches {
    int kind;
    struct wv_signal first;
    size_t count;
    bool one_stream; /* all of them are aliases */
    bool one_bounds; /* and say the same of their bits */
    bool one_path;   /* of all of them: none can be named without the others */
    char list[300];
};

static void list_more(struct matches *m, struct wv_piece path)
{
    const size_t used = strlen(m->list), room = sizeof m->list - used;

    snprintf(m->list + used, room, "%s%.*s", m->count ? ", " : "",
             path.length > room ? (int)room : (int)path.length, path.at);
}

static void add_match(const struct wv_hier *h, struct matches *m, struct wv_piece wanted,
                      struct wv_signal s)
{
    const struct wv_piece path = wv_path_of(h, s);
    const int kind = match(path, wanted);

    if (kind == 0 || kind < m->kind)
        return;
    if (kind > m->kind)
        *m = (struct matches){
            .kind = kind, .first = s, .one_stream = true, .one_bounds = true, .one_path = true
        };
    m->one_stream = m->one_stream && wv_same_stream(h, s, m->first);
    m->one_bounds = m->one_bounds && wv_same_bounds(h, s, m->first);
    m->one_path = m->one_path && wv_compare_paths(path, wv_path_of(h, m->first), true) == 2;
    list_more(m, path);
    m->count++;
}

static void add_splits(const struct pc_wave *wave, struct wv_piece wanted, struct matches *m)
{
    for (uint32_t at = *wv_split_head(wave, wanted.at, wanted.length); at;
         at = wave->split[at - 1].next)
        add_match(wv_hier_of(wave), m, wanted,
                  (struct wv_signal){ wave->split[at - 1].first, &wave->split[at - 1] });
}

/* Finds those whose whole path it is; false: there is none, or the table is not there. */
static bool look_up_path(const struct pc_wave *wave, struct wv_piece wanted, bool splits,
                         struct matches *m)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (!wave->path_head)
        return false;
    for (uint32_t at = wv_first_of_path(wave, wanted.at, wanted.length); at;
         at = wv_next_of_path(wave, at)) {
        const struct wv_signal s = { at - 1, NULL };
        if (wv_compare_paths(wv_path_of(h, s), wanted, false) == 2)
            add_match(h, m, wanted, s);
    }
    if (splits && m->kind > 0)
        add_splits(wave, wanted, m);
    return m->kind > 0;
}

/* splits: also vectors whose bits are declared one by one. */
static void look_up(const struct pc_wave *wave, struct wv_piece wanted, bool splits,
                    struct matches *m)
{
    const uint32_t hash = wv_name_hash(wanted.at, wanted.length);

    memset(m, 0, sizeof *m);
    splits = splits && wave->splits > 0;
    if (look_up_path(wave, wanted, splits, m))
        return;
    for (uint32_t at = wave->name_head[hash & (wave->name_heads - 1)]; at;
         at = wave->name_next[at - 1])
        add_match(wv_hier_of(wave), m, wanted, (struct wv_signal){ at - 1, NULL });
    if (splits)
        add_splits(wave, wanted, m);
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

static enum pc_status fail_unknown(const struct pc_wave *wave, const char *wanted, bool splits,
                                   struct pc_error *err)
{
    enum pc_status status = pc_fail(err, 520, "signal not found: \"%.200s\"", wanted);

    if (err && !hint_of_dots(wave, wanted, err)) {
        wv_hint_near(wave, wanted, splits, err);
        wv_hint_left_out(wv_hier_of(wave), wanted, err);
    }
    return status;
}

static enum pc_status fail_ambiguous(struct wv_piece wanted, const struct matches *m,
                                     struct pc_error *err)
{
    enum pc_status status =
        pc_fail(err, 521, "\"%.*s\" matches %zu signals",
                wanted.length > 200 ? 200 : (int)wanted.length, wanted.at, m->count);

    const struct wv_piece name = { wanted.at, wanted.length > 60 ? 60 : wanted.length };

    if (m->one_path)
        pc_hint(err,
                "they have one path: write %.*s#1 for the one that is declared first, %.*s#2 for "
                "the second%s",
                (int)name.length, name.at, (int)name.length, name.at,
                m->one_stream ? "; all of their bits are the same" : "");
    else
        pc_hint(err, "write more of the path: %s%s", m->list,
                strlen(m->list) == sizeof m->list - 1 ? "..." : "");
    return status;
}

/* The meaning of a name. */
struct found {
    struct wv_signal signal;
    uint32_t hi, lo; /* from the right; hi < lo: it has no bits */
    uint32_t turn;   /* of signals that have one path; 0: there is one */
    size_t selects;
    bool pieces;           /* instead of hi and lo: bits of several, of these indices */
    struct wv_range asked; /* by the declaration */
    struct wv_range select[WV_DIMENSIONS]; /* the innermost first, as they stand from the end */
};

/* Several selects: elements of elements of a packed array, and then bits. */
static enum pc_status select_bits(const struct pc_wave *wave, const char *name, bool splits,
                                  struct found *f, struct pc_error *err)
{
    struct wv_range dimension[WV_DIMENSIONS];
    const size_t n = wv_dimensions(wv_hier_of(wave), f->signal, dimension);
    int64_t inner = wv_width_of(wv_hier_of(wave), f->signal), base = 0, hi = 0, lo = 0;

    if (f->selects > n)
        return fail_unknown(wave, name, splits, err);
    for (size_t i = 0; i < f->selects; i++) {
        const struct wv_range asked = f->select[f->selects - 1 - i];
        if (i + 1 < f->selects && asked.left != asked.right)
            return fail_unknown(wave, name, splits, err);
        enum pc_status status = wv_positions(name, dimension[i], asked, &hi, &lo, err);
        if (status)
            return status;
        inner /= wv_length_of(dimension[i]);
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
static enum pc_status check_index(const struct pc_wave *wave, struct wv_piece name,
                                  const struct matches *m, bool splits, struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);
    struct wv_piece base = name, own = wv_path_of(h, m->first);
    struct wv_range select;
    struct matches all = *m, other;

    if (m->kind > 1 || !wv_cut_select(&base, &select) || !wv_cut_select(&own, &select))
        return PC_OK;
    look_up(wave, base, splits, &other);
    if (other.count == 0 || wv_compare_paths(wv_path_of(h, other.first), own, false) == 2)
        return PC_OK;
    if (other.first.split && !m->first.split) { /* an alias of it? */
        const struct wv_split_vector *r = other.first.split;
        const int64_t at = select.left >= r->left ? select.left - r->left : r->left - select.left;
        if (at < r->count && h->var[r->first + (size_t)at].code == h->var[m->first.var].code)
            return PC_OK;
    }
    list_more(&all, (struct wv_piece){ other.list, strlen(other.list) });
    all.count += other.count;
    all.one_path = false;
    return fail_ambiguous(name, &all, err);
}

/* Cuts off "#2" at the end of a name. */
static bool cut_turn(struct wv_piece *name, uint32_t *turn)
{
    size_t end = name->length;
    uint32_t n = 0;

    while (end > 0 && pc_is_digit(name->at[end - 1]))
        end--;
    if (end < 2 || end == name->length || name->at[end - 1] != '#' || name->length - end > 6)
        return false;
    for (size_t i = end; i < name->length; i++)
        n = 10 * n + (uint32_t)(name->at[i] - '0');
    *turn = n;
    name->length = end - 1;
    return n > 0;
}

/* Takes the one whose turn it is of signals that have one path. */
static enum pc_status take_turn(const struct pc_wave *wave, struct wv_piece base, bool splits,
                                const struct matches *m, struct found *f, struct pc_error *err)
{
    if (!m->one_path)
        return fail_ambiguous(base, m, err);
    if (wv_find_turn(wave, m->first, f->turn, splits, &f->signal))
        return PC_OK;
    enum pc_status status =
        pc_fail(err, 520, "there is no signal %lu of the name \"%.*s\"", (unsigned long)f->turn,
                base.length > 200 ? 200 : (int)base.length, base.at);
    pc_hint(err, "%zu are declared, aliases of one signal counted as one", m->count);
    return status;
}

/* Takes the bits of a vector that is declared in pieces; PC_EAMBIG: of what is none. */
static enum pc_status take_pieces(const struct pc_wave *wave, struct wv_piece base,
                                  const char *text, bool splits, const struct matches *m,
                                  struct found *f, struct pc_error *err)
{
    struct wv_range bounds;
    struct pc_wave_bit bit;
    int64_t hi, lo;

    f->signal = m->first;
    if (!m->one_path || f->selects > 1 || !wv_pieces(wave, m->first, splits, &bounds))
        return fail_ambiguous(base, m, err);
    f->asked = f->selects ? f->select[0] : bounds;
    enum pc_status status = wv_positions(text, bounds, f->asked, &hi, &lo, err);
    const int64_t step = f->asked.left >= f->asked.right ? 1 : -1;
    for (int64_t i = f->asked.right; status == PC_OK; i += step) {
        if (!wv_piece_bit(wave, m->first, i, splits, &bit))
            return fail_ambiguous(base, m, err);
        if (i == f->asked.left)
            break;
    }
    f->pieces = true;
    f->hi = (uint32_t)(hi - lo);
    f->lo = 0;
    return status;
}

/* Finds the rest of a name whose part before selects and "#2" is found. */
static enum pc_status find_part(const struct pc_wave *wave, struct wv_piece base, const char *text,
                                bool splits, const struct matches *m, struct found *f,
                                struct pc_error *err)
{
    const bool alone = m->one_stream && m->one_bounds;
    enum pc_status status = PC_OK;

    f->signal = m->first;
    if (f->turn)
        status = take_turn(wave, base, splits, m, f, err);
    else if (!alone)
        return take_pieces(wave, base, text, splits, m, f, err);
    if (status)
        return status;
    if (f->selects > 0)
        return select_bits(wave, text, splits, f, err);
    f->hi = wv_width_of(wv_hier_of(wave), f->signal) - 1;
    f->lo = 0;
    return PC_OK;
}

static enum pc_status find_as_written(const struct pc_wave *wave, const char *text, bool splits,
                                      struct found *f, struct pc_error *err)
{
    const struct wv_piece name = { text, strlen(text) };
    struct wv_piece base = name;
    struct matches m;

    memset(f, 0, sizeof *f);
    look_up(wave, name, splits, &m);
    if (m.count > 0 && m.one_stream) {
        f->signal = m.first;
        f->hi = wv_width_of(wv_hier_of(wave), m.first) - 1;
        return check_index(wave, name, &m, splits, err);
    }
    if (m.count > 0)
        return take_pieces(wave, base, text, splits, &m, f, err);
    while (m.count == 0) {
        if (f->selects < WV_DIMENSIONS && wv_cut_select(&base, &f->select[f->selects]))
            f->selects++;
        else if (f->turn || !cut_turn(&base, &f->turn))
            return fail_unknown(wave, text, splits, err);
        look_up(wave, base, splits, &m);
    }
    return find_part(wave, base, text, splits, &m, f, err);
}

/* Other ways of writing indices: those at the end in brackets; all of them; those of scopes in
 * parentheses. */
enum { LAST_SQUARE, ALL_SQUARE, SCOPES_ROUND, WAYS };

/* false: there is no such index. */
static bool other_indices(char *text, unsigned way)
{
    const char open = way == SCOPES_ROUND ? '[' : '(', close = way == SCOPES_ROUND ? ']' : ')';
    bool any = false;

    for (char *p = strchr(text, open); p; p = strchr(p + 1, open)) {
        char *end = p + (p[1] == '-' ? 2 : 1);
        while (pc_is_digit(*end))
            end++;
        const bool of_scope = strchr(end, '.') != NULL;
        if (*end != close || !pc_is_digit(end[-1]) || (way == LAST_SQUARE && of_scope) ||
            (way == SCOPES_ROUND && !of_scope))
            continue;
        *p = way == SCOPES_ROUND ? '(' : '[';
        *end = way == SCOPES_ROUND ? ')' : ']';
        any = true;
    }
    return any;
}

/* VHDL writes indices in parentheses: a name means the same with brackets. */
static enum pc_status find(const struct pc_wave *wave, const char *text, bool splits,
                           struct found *f, struct pc_error *err)
{
    const enum pc_status status = find_as_written(wave, text, splits, f, err);
    const size_t size = strlen(text) + 1;

    if (status != PC_ENOENT || !strpbrk(text, "(["))
        return status;
    char *other = pc_calloc(&wave->alloc, size, 1);
    if (!other)
        return pc_fail(err, 100, "not enough memory for a name");
    bool found = false;
    for (unsigned way = 0; way < WAYS && !found; way++) {
        memcpy(other, text, size);
        found = other_indices(other, way) && find_as_written(wave, other, splits, f, NULL) == PC_OK;
    }
    pc_free(&wave->alloc, other, size);
    return found ? PC_OK : status;
}

/* Returns bit i from the right of what was found. */
static struct pc_wave_bit bit_of(const struct pc_wave *wave, const struct found *f, bool splits,
                                 uint32_t i)
{
    const struct wv_split_vector *r = f->signal.split;
    struct pc_wave_bit bit = { f->signal.var, f->lo + i };

    if (f->pieces)
        (void)wv_piece_bit(wave, f->signal,
                           f->asked.left >= f->asked.right ? f->asked.right + i
                                                           : f->asked.right - i,
                           splits, &bit);
    else if (r)
        bit = (struct pc_wave_bit){ r->first + r->count - 1 - (f->lo + i), 0 };
    return bit;
}

/* Pieces of which one has all of the bits. */
static bool take_one_piece(const struct pc_wave *wave, struct found *f)
{
    const struct pc_wave_bit right = bit_of(wave, f, false, 0);

    for (uint32_t i = 1; i <= f->hi; i++) {
        const struct pc_wave_bit bit = bit_of(wave, f, false, i);
        if (bit.var != right.var || bit.bit != right.bit + i)
            return false;
    }
    f->signal = (struct wv_signal){ right.var, NULL };
    f->hi += right.bit;
    f->lo = right.bit;
    return true;
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
    if (f.pieces && !take_one_piece(wave, &f)) {
        status = pc_fail(err, 521, "\"%.200s\" is made of several variables", name);
        pc_hint(err, "take one of their bits, or bits of one of them");
        return status;
    }
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
    *count = f.hi == UINT32_MAX ? 0 : (size_t)f.hi - f.lo + 1;
    for (uint32_t i = 0; i < *count && i < capacity; i++)
        bits[i] = bit_of(wave, &f, true, i);
    return PC_OK;
}

bool pc_wave_is_signed(const struct pc_wave *wave, const char *name)
{
    struct found f;

    if (!wave || !name || find(wave, name, true, &f, NULL) != PC_OK || f.selects > 0)
        return false;
    const struct wv_var *v = &wv_hier_of(wave)->var[f.signal.var];
    return v->is_signed && !f.signal.split && !f.pieces && !v->indexed;
}
