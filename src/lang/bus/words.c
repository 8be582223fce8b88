/* SPDX-License-Identifier: MIT */
/* Reads the name of a signal: the word of a protocol at its end, the bus before it. */
#include "lang/bus/find.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t pc_bus_text(struct bus_finder *f, const char *text, size_t length)
{
    const size_t at = f->texts;

    if (f->no_memory ||
        !pc_grow(&f->alloc, (void **)&f->text, &f->text_capacity, f->texts + length + 1, 1)) {
        f->no_memory = true;
        return SIZE_MAX;
    }
    memcpy(f->text + at, text, length);
    f->text[at + length] = '\0';
    f->texts += length + 1;
    return at;
}

/* ---- a name, taken apart ---- */

struct parts {
    struct bus_words words;
    size_t first, last; /* tokens that are left */
    enum side direction;
    bool low;      /* "ready_ni": it is active at 0 */
    bool next;     /* "ready_n" */
    unsigned rank; /* it is a register's value or its next one */
    size_t number; /* token of digits at the end; SIZE_MAX: none */
};

/* "valid1" is valid and 1, as "valid_1" is. */
static void cut_number(struct parts *p)
{
    static const char *const cut[] = {
        "valid", "ready", "vld", "rdy", "data", "req", "ack", "gnt"
    };
    struct bus_words *w = &p->words;
    char *token = w->text + (w->token[p->last - 1] - w->text);
    char *end = w->text + (w->token[w->count - 1] - w->text);
    const size_t letters = strcspn(token, "0123456789"), digits = strlen(token + letters);

    if (p->number != SIZE_MAX || digits == 0 || digits > BUS_DIGITS ||
        !pc_bus_is_number(token + letters) || w->count == BUS_TOKENS)
        return;
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        if (strlen(cut[i]) != letters || strncmp(token, cut[i], letters) != 0)
            continue;
        end += strlen(end) + 1;
        memcpy(end, token + letters, digits + 1);
        token[letters] = '\0';
        w->token[w->count] = end;
        p->number = w->count++;
        return;
    }
}

/* Prefixes and suffixes that say who drives it, and registers' */
static void strip(struct parts *p)
{
    const struct bus_words *w = &p->words;

    p->first = 0;
    p->last = w->count;
    p->direction = NO_SIDE;
    p->low = false;
    p->next = false;
    p->rank = 0;
    p->number = SIZE_MAX;
    for (bool more = true; more && p->last > 1;) {
        const char *word = w->token[p->last - 1];
        const enum side d = pc_bus_direction(word);
        more = true;
        if (pc_bus_is_number(word) && p->number == SIZE_MAX) {
            p->number = p->last - 1;
        } else if (d && !p->direction) {
            const bool is_stem = strlen(word) > 1 && strcmp(word, w->token[0]) == 0;
            p->direction = is_stem ? NO_SIDE : d; /* "in_valid_in_0" */
            p->low = word[0] == 'n';
        } else if (p->rank == 0 && pc_bus_is_one_of(word, "q r s"))
            p->rank = 1;
        else if (p->rank == 0 && pc_bus_is_one_of(word, "d n c w")) {
            p->rank = 2;
            p->next = word[0] == 'n';
        } else
            more = false;
        p->last -= more;
    }
    const bool apart = p->last > 1 && w->start[1] > w->end[0]; /* "i_bus", not "iBus" */
    if (!p->direction && apart && pc_bus_is_one_of(w->token[0], "i o")) {
        p->direction = pc_bus_direction(w->token[0]);
        p->first = 1;
    }
}

/* ---- readings ---- */

struct place {
    const char *name; /* the signal */
    size_t scope;     /* bytes of it that are the scope */
    const char *key;  /* what the scope counts as, if it is a struct; NULL: itself */
    size_t key_scope; /* bytes of the name that the key stands for */
    bool is_struct;
    enum side direction; /* of the struct */
};

/* "scope stem": tokens from first to last, and the number that was at the end. */
static size_t key_of(struct bus_finder *f, const struct place *at, const struct parts *p,
                     size_t last, const char *glued, size_t glued_length)
{
    char stem[2 * BUS_LEAF + 32];
    size_t n = 0;
    const char *scope = at->key ? at->key : at->name;
    const size_t length = at->key ? strlen(at->key) : at->scope;

    stem[n++] = at->is_struct ? '\t' : ' ';
    for (size_t i = p->first; i < last && n + strlen(p->words.token[i]) + 2 < BUS_LEAF; i++)
        n += (size_t)snprintf(stem + n, sizeof stem - n, "%s_", p->words.token[i]);
    if (glued_length > 0 && n + glued_length + 2 < sizeof stem)
        n += (size_t)snprintf(stem + n, sizeof stem - n, "%.*s_", (int)glued_length, glued);
    if (p->number != SIZE_MAX)
        n += (size_t)snprintf(stem + n, sizeof stem - n, "#%.20s", p->words.token[p->number]);
    const size_t key = pc_bus_text(f, scope, length);
    if (key == SIZE_MAX)
        return key;
    f->texts--; /* the stem goes on where it ended */
    pc_bus_text(f, stem, n);
    return f->no_memory ? SIZE_MAX : key;
}

/* Returns the place after an index, which is not cut in two: of "\\s_axi[0]_tvalid" the bus is
 * s_axi[0]. */
static size_t after_index(const char *name, size_t from, size_t end)
{
    size_t to = end;

    for (size_t i = from; i < end; i++)
        from = name[i] == '[' || name[i] == ']' ? i : from;
    if (name[from] != '[')
        return end;
    while (name[to] == '\\' || is_digit(name[to]))
        to++;
    return name[to] == ']' ? to + 1 : end;
}

/* Returns the name without what escapes its characters, and the index that its signals have. */
static size_t plain_name(struct bus_finder *f, const char *name, size_t length, const char *index)
{
    char out[4096];
    size_t n = 0;

    if (length + BUS_LEAF >= sizeof out)
        return pc_bus_text(f, name, length);
    for (size_t i = 0; i < length; i++)
        if (name[i] != '\\')
            out[n++] = name[i];
    if (index)
        n += (size_t)snprintf(out + n, sizeof out - n, "[%s]", index);
    return pc_bus_text(f, out, n);
}

/* "valid[2]": the number at its end is an index. */
static const char *index_of(const struct place *at, const struct parts *p)
{
    const char *leaf = at->name + at->scope;

    if (p->number == SIZE_MAX || p->words.start[p->number] == 0 ||
        leaf[p->words.start[p->number] - 1] != '[')
        return NULL;
    return p->words.token[p->number];
}

/* Returns the length of the bus' name: up to the word, without what is between. */
static size_t name_of(struct bus_finder *f, const struct place *at, const struct parts *p,
                      size_t last, size_t glued_length)
{
    size_t end = at->key ? 0 : at->scope;

    if (at->key && last == p->first && glued_length == 0)
        return plain_name(f, at->key, strlen(at->key), NULL);
    if (glued_length > 0)
        end = at->key_scope + p->words.start[last] + glued_length;
    else if (last > p->first)
        end = at->key_scope + p->words.end[last - 1];
    else if (at->scope > 0)
        end = at->scope - 1;
    return plain_name(f, at->name, after_index(at->name, at->key_scope, end), index_of(at, p));
}

static void add(struct bus_finder *f, size_t signal, const struct place *at, const struct parts *p,
                const struct bus_word *w, size_t last, const char *glued, size_t glued_length)
{
    const enum side d = p->direction ? p->direction : at->direction;
    /* "src_rdy_n" of LocalLink is active at 0 */
    const bool low = p->low || (p->next && pc_bus_is_one_of(w->text, "srcrdy dstrdy"));

    if (!pc_grow(&f->alloc, (void **)&f->reading, &f->reading_capacity, f->readings + 1,
                 sizeof *f->reading)) {
        f->no_memory = true;
        return;
    }
    struct bus_reading *r = &f->reading[f->readings];
    *r = (struct bus_reading){
        .signal = signal,
        .family = w->family,
        .role = (unsigned char)pc_bus_word_role(w),
        .rank = (unsigned char)(w->rank + p->rank),
        .inverted = w->inverted != low,
        .next = p->next && !low,
        .is_struct = at->is_struct,
        .side = (unsigned char)(!d                                       ? 0
                                : (d == OUT) == (w->flow == BUS_FORWARD) ? 1
                                                                         : 2),
    };
    r->key = key_of(f, at, p, last, glued, glued_length);
    r->name = name_of(f, at, p, last, glued_length);
    f->readings += !f->no_memory;
}

/* "r_en" is who takes, not who offers. */
static bool is_of_reads(const struct parts *p, size_t last)
{
    return last > p->first && pc_bus_is_one_of(p->words.token[last - 1], "r rd read deq pop");
}

/* Adds all rows whose word is this text. */
static void add_words(struct bus_finder *f, size_t signal, const struct place *at,
                      const struct parts *p, const char *text, size_t last)
{
    const struct bus_word *w;

    for (size_t i = 0; (w = pc_bus_word_at(i)) != NULL; i++)
        if (w->text[0] == text[0] && strcmp(w->text, text) == 0 &&
            !(w->rank == BUS_ENABLE && is_of_reads(p, last)))
            add(f, signal, at, p, w, last, NULL, 0);
}

/* "cmd_payload_id": the id of the pair cmd */
static void add_inner(struct bus_finder *f, size_t signal, const struct place *at,
                      const struct parts *p, const char *text, size_t last)
{
    const struct bus_word *w;

    for (size_t i = 0; (w = pc_bus_word_at(i)) != NULL; i++)
        if (w->family == FAMILY_PAIR && pc_bus_is_one_of(w->role, "last id") &&
            strcmp(w->text, text) == 0)
            add(f, signal, at, p, w, last, NULL, 0);
}

/* Words that others are glued to: "cmdvalid", "wrdy". */
static const char *const glued_ends[] = { "valid", "ready", "vld", "rdy" };
#define GLUED_ENDS (sizeof glued_ends / sizeof *glued_ends)

const char *pc_bus_word_in(const char *path, const char *word)
{
    const char *dot = strrchr(path, '.'), *leaf = dot ? dot + 1 : path;
    const size_t n = strlen(word);
    struct bus_words w;
    bool may_end = false;

    for (size_t e = 0; e < GLUED_ENDS; e++)
        may_end = may_end || strcmp(word, glued_ends[e]) == 0;
    if (!pc_bus_split(leaf, strlen(leaf), &w))
        return NULL;
    for (size_t t = 0; t < w.count; t++) {
        const size_t length = strcspn(w.token[t], "0123456789");
        if (length < n || strncmp(w.token[t] + length - n, word, n) != 0 ||
            (length > n && !may_end) || !pc_bus_is_number(w.token[t] + length))
            continue;
        return leaf + w.start[t] + length - n;
    }
    return NULL;
}

/* Letters that stand before it without a separator belong to the stem. */
static void add_glued(struct bus_finder *f, size_t signal, const struct place *at,
                      const struct parts *p)
{
    const char *token = p->words.token[p->last - 1];
    const size_t length = strlen(token);
    const struct bus_word *w;

    for (size_t e = 0; e < GLUED_ENDS; e++) {
        const size_t n = strlen(glued_ends[e]);
        if (length <= n || strcmp(token + length - n, glued_ends[e]) != 0 ||
            pc_bus_is_one_of(token, "tvalid tready pvld prdy"))
            continue;
        for (size_t i = 0; (w = pc_bus_word_at(i)) != NULL; i++)
            if (w->family == FAMILY_PAIR && strcmp(w->text, glued_ends[e]) == 0)
                add(f, signal, at, p, w, p->last - 1, token, length - n);
    }
}

/* HTRANSS1, HREADYM0: the port is of the stem.  And mcyc, sstb. */
static void add_ported(struct bus_finder *f, size_t signal, const struct place *at,
                       const struct parts *p)
{
    const char *token = p->words.token[p->last - 1];
    const struct bus_word *w;

    for (size_t i = 0; (w = pc_bus_word_at(i)) != NULL; i++) {
        const size_t n = strlen(w->text);
        if (w->family == FAMILY_AHB && strncmp(token, w->text, n) == 0 &&
            (token[n] == 's' || token[n] == 'm') && token[n + 1] && pc_bus_is_number(token + n + 1))
            add(f, signal, at, p, w, p->last - 1, token + n, strlen(token + n));
        if (w->family == FAMILY_WISHBONE && (token[0] == 'm' || token[0] == 's') &&
            strcmp(token + 1, w->text) == 0)
            add(f, signal, at, p, w, p->last - 1, token, 1);
    }
}

/* Adds EN_x and RDY_x of Bluespec. */
static void add_prefixed(struct bus_finder *f, size_t signal, const struct place *at,
                         struct parts *p)
{
    const bool en = strcmp(p->words.token[0], "en") == 0;

    if (p->words.count < 2 || (!en && strcmp(p->words.token[0], "rdy") != 0) ||
        at->name[at->scope] != (en ? 'E' : 'R'))
        return;
    const struct parts whole = {
        .words = p->words, .first = 1, .last = p->words.count, .number = SIZE_MAX
    };
    struct parts q = whole;
    for (size_t i = 0; i < q.words.count; i++) /* the tokens are of the copy */
        q.words.token[i] = q.words.text + (p->words.token[i] - p->words.text);
    const struct bus_word w = {
        "", FAMILY_PAIR, en ? "valid" : "ready", en ? BUS_FORWARD : BUS_BACKWARD, 0, false
    };
    add(f, signal, at, &q, &w, q.last, NULL, 0);
}

static void read_place(struct bus_finder *f, size_t signal, const struct place *at)
{
    struct parts p;
    char joined[2 * BUS_LEAF];

    if (!pc_bus_split(at->name + at->key_scope, strlen(at->name + at->key_scope), &p.words) ||
        p.words.count == 0)
        return;
    add_prefixed(f, signal, at, &p);
    strip(&p);
    cut_number(&p);
    const char *const *token = p.words.token;
    const size_t n = p.last;
    add_words(f, signal, at, &p, token[n - 1], n - 1);
    add_glued(f, signal, at, &p);
    add_ported(f, signal, at, &p);
    if (n >= p.first + 2) {
        snprintf(joined, sizeof joined, "%s%s", token[n - 2], token[n - 1]);
        add_words(f, signal, at, &p, joined, n - 2);
    }
    if (n >= p.first + 3 && pc_bus_is_one_of(token[n - 2], "payload bits")) {
        snprintf(joined, sizeof joined, "%s%s", token[n - 3], token[n - 1]);
        add_words(f, signal, at, &p, joined, n - 3);
    }
    if (n >= p.first + 2 && pc_bus_is_one_of(token[n - 2], "payload bits data"))
        add_inner(f, signal, at, &p, token[n - 1], n - 2);
}

/* ---- scopes that are structs ---- */

static size_t before_dot(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] != '.')
        length--;
    return length;
}

static void read_places(struct bus_finder *f, size_t signal, const char *name, size_t scope,
                        size_t from)
{
    char key[4096];
    struct place at = { .name = name, .scope = scope, .key_scope = from };

    read_place(f, signal, &at);
    if (scope > 1 && scope < sizeof key &&
        pc_bus_whole_of(name, scope, key, sizeof key, &at.direction)) {
        at.key = key;
        at.is_struct = true;
        read_place(f, signal, &at);
    }
}

/* ---- a signal ---- */

void pc_bus_read_signal(struct bus_finder *f, size_t signal)
{
    const char *name = f->signal[signal].name;
    const size_t scope = before_dot(name, strlen(name));

    read_places(f, signal, name, scope, scope);
    if (scope < 2)
        return;
    const size_t outer = before_dot(name, scope - 1);
    char part[16];
    const size_t length = scope - 1 - outer;
    if (length >= sizeof part)
        return;
    snprintf(part, sizeof part, "%.*s", (int)length, name + outer);
    if (pc_bus_is_one_of(part, "ar aw w r b a d req_data rsp_data")) /* "slv_req.ar.id" */
        read_places(f, signal, name, outer, outer);
    if (pc_bus_is_one_of(part, "a r")) /* "req.a.aid" */
        read_places(f, signal, name, outer, scope);
}

size_t pc_bus_bare_key(struct bus_finder *f, size_t signal)
{
    const char *name = f->signal[signal].name;
    const struct place at = { .name = name,
                              .scope = before_dot(name, strlen(name)),
                              .key_scope = before_dot(name, strlen(name)) };
    struct parts p;

    if (!pc_bus_split(name + at.scope, strlen(name + at.scope), &p.words) || p.words.count == 0)
        return SIZE_MAX;
    strip(&p);
    return key_of(f, &at, &p, p.last, NULL, 0);
}
