/* SPDX-License-Identifier: MIT */
/* Handshakes: "x_valid" and "x_ready" in one scope, "VALID_o" and "READY_i". */
#include "wave/pairs.h"
#include "pcounter/unstable/bus.h"
#include "wave/wave_bits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Who offers, and who takes. */
static const char *const words[][2] = { { "valid", "ready" }, { "vld", "rdy" }, { "req", "gnt" },
                                        { "req", "grant" },   { "req", "ack" }, { "stb", "ack" } };
#define WORDS (sizeof words / sizeof words[0])

/* A signal of one bit. */
struct one {
    const char *name;
    size_t var;
    const struct pc_var_activity *a;
};

struct found {
    struct one offers, takes;
};

struct search {
    const struct pc_wave *wave;
    const struct pc_var_activity *activity;
    struct one *one; /* those that offer in the order of the file, those that take by name */
    size_t offers, takes, capacity;
    struct found *found;
    size_t count;
    char *name;
};

int cli_compare_activity(const struct pc_var_activity *a, const struct pc_var_activity *b)
{
    const uint64_t of[][2] = {
        { a->rises, b->rises },           { a->falls, b->falls },
        { a->first_rise, b->first_rise }, { a->last_rise, b->last_rise },
        { a->min_period, b->min_period }, { a->max_period, b->max_period },
    };
    int way = 0;

    for (size_t i = 0; i < sizeof of / sizeof of[0] && way == 0; i++)
        way = cli_order(of[i][0], of[i][1]);
    return way;
}

static int by_name(const void *left, const void *right)
{
    const struct one *a = left, *b = right;
    int way = strcmp(a->name, b->name);

    return way ? way : cli_order(a->var, b->var);
}

static int by_waveform(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int way = cli_compare_activity(a->offers.a, b->offers.a);

    if (way == 0)
        way = cli_compare_activity(a->takes.a, b->takes.a);
    return way ? way : cli_order(a->offers.var, b->offers.var);
}

static int by_place(const void *left, const void *right)
{
    const struct found *a = left, *b = right;

    return cli_order(a->offers.var, b->offers.var);
}

static bool has_word(const char *name, unsigned side)
{
    for (size_t i = 0; i < WORDS; i++)
        if (pc_bus_word_in(name, words[i][side]))
            return true;
    return false;
}

static size_t sort_out(const struct search *s, unsigned side, struct one *to)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;
    size_t count = 0;

    cli_wave_vars_begin(&at, s->wave);
    while (cli_wave_vars_next(&at, &v)) {
        const struct pc_var_activity *a = &s->activity[v.code];
        if (v.kind != PC_VAR_BITS || v.width != 1 || !has_word(v.name, side) ||
            (side == 0 && a->rises == 0))
            continue;
        if (to)
            to[count] = (struct one){ v.name, at.first, a };
        count++;
    }
    return count;
}

/* In the letters of the word that it replaces: READY for VALID, Ready for Valid. */
static void put_word(char *to, const char *word, const char *like)
{
    const bool first = isupper((unsigned char)like[0]), rest = isupper((unsigned char)like[1]);

    for (size_t i = 0; word[i]; i++)
        to[i] = (char)((i == 0 ? first : rest) ? toupper((unsigned char)word[i]) : word[i]);
}

/* An output has its counterpart among the inputs: _o and _i. */
static bool turn_direction(char *name)
{
    size_t n = strlen(name);

    if (n < 2 || name[n - 2] != '_' || !strchr("ioIO", name[n - 1]))
        return false;
    name[n - 1] = (char)(name[n - 1] == 'i'   ? 'o'
                         : name[n - 1] == 'o' ? 'i'
                         : name[n - 1] == 'I' ? 'O'
                                              : 'I');
    return true;
}

static const struct one *find(const struct search *s, const char *name)
{
    size_t from = 0, to = s->takes;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (strcmp(s->one[s->offers + middle].name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    const struct one *one = &s->one[s->offers + from];
    return from < s->takes && strcmp(one->name, name) == 0 ? one : NULL;
}

static const struct one *partner_of(struct search *s, const struct one *offers)
{
    for (size_t i = 0; i < WORDS; i++) {
        const char *at = pc_bus_word_in(offers->name, words[i][0]);
        if (!at)
            continue;
        const size_t before = (size_t)(at - offers->name), word = strlen(words[i][1]);
        memcpy(s->name, offers->name, before);
        put_word(s->name + before, words[i][1], at);
        const char *rest = at + strlen(words[i][0]);
        memcpy(s->name + before + word, rest, strlen(rest) + 1);
        const struct one *takes = find(s, s->name);
        if (!takes && turn_direction(s->name))
            takes = find(s, s->name);
        if (takes)
            return takes;
    }
    return NULL;
}

static bool allocate(struct search *s)
{
    size_t longest = 0;

    s->offers = sort_out(s, 0, NULL);
    s->takes = sort_out(s, 1, NULL);
    s->one = calloc(s->offers + s->takes + 1, sizeof *s->one);
    s->found = calloc(s->offers + 1, sizeof *s->found);
    if (!s->one || !s->found)
        return false;
    sort_out(s, 0, s->one);
    sort_out(s, 1, s->one + s->offers);
    qsort(s->one + s->offers, s->takes, sizeof *s->one, by_name);
    for (size_t i = 0; i < s->offers; i++)
        if (strlen(s->one[i].name) > longest)
            longest = strlen(s->one[i].name);
    s->name = malloc(longest + sizeof "ready");
    return s->name != NULL;
}

/* Keeps the first pair of the file of those with the same two waveforms. */
static bool keep(struct search *s, struct cli_suggestions *out)
{
    size_t kept = 0;

    qsort(s->found, s->count, sizeof *s->found, by_waveform);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 ||
            cli_compare_activity(s->found[kept - 1].offers.a, s->found[i].offers.a) != 0 ||
            cli_compare_activity(s->found[kept - 1].takes.a, s->found[i].takes.a) != 0)
            s->found[kept++] = s->found[i];
    qsort(s->found, kept, sizeof *s->found, by_place);
    out->pair = calloc(kept + 1, sizeof *out->pair);
    if (!out->pair)
        return false;
    for (size_t i = 0; i < kept; i++)
        out->pair[i] = (struct cli_pair){ s->found[i].offers.var, s->found[i].takes.var };
    out->pairs = kept;
    return true;
}

bool cli_find_pairs(const struct pc_wave *wave, const struct pc_var_activity *activity,
                    struct cli_suggestions *out)
{
    struct search s = { .wave = wave, .activity = activity };
    bool ok = allocate(&s);

    for (size_t i = 0; ok && i < s.offers; i++) {
        const struct one *takes = partner_of(&s, &s.one[i]);
        if (takes && takes->var != s.one[i].var)
            s.found[s.count++] = (struct found){ s.one[i], *takes };
    }
    ok = ok && keep(&s, out);
    free(s.one);
    free(s.found);
    free(s.name);
    return ok;
}
