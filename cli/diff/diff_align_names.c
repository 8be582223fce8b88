/* SPDX-License-Identifier: MIT */
/* The signals of both captures, by their names. */
#include "diff/diff_align.h"

#include "stat/stat.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 1 << 20 };

void align_free_names(struct align_names *n)
{
    for (size_t i = 0; i < n->signals; i++)
        free(n->signal[i].name);
    free(n->signal);
    free(n->signal_of);
}

/* --- the names of -f --- */

/* Variables of the first capture that expressions name. */
struct named {
    const struct pc_wave *wave;
    uint8_t *code; /* by value stream */
};

static bool take_signal(void *ctx, const char *name)
{
    struct named *n = ctx;
    struct pc_wave_var v;
    size_t count = 0;

    if (pc_wave_find_bits(n->wave, name, NULL, 0, &count, NULL))
        return true;
    struct pc_wave_bit *bit = calloc(count + 1, sizeof *bit);
    if (bit && pc_wave_find_bits(n->wave, name, bit, count, &count, NULL) == PC_OK)
        for (size_t i = 0; i < count; i++)
            if (pc_wave_get_var(n->wave, bit[i].var, &v) == PC_OK)
                n->code[v.code] = 1;
    free(bit);
    return bit != NULL;
}

static int take_expression(struct named *n, const char *text, const struct cli_place *place)
{
    struct pc_error err;
    const enum pc_status status = cli_each_signal(n->wave, text, take_signal, n, &err);

    return status ? cli_library_error_at(&err, place) : CLI_OK;
}

static int take_name(struct named *n, const struct pc_clock_name *name,
                     const struct cli_place *clock)
{
    const struct cli_place place = { clock->label, clock->argument,
                                     (uint32_t)(name->text - clock->argument) };
    char *text = cli_copy(name->text, name->size);
    const int code = text ? take_expression(n, text, &place) : cli_no_memory();

    free(text);
    return code;
}

static int take_clock(struct named *n, const struct stat_asked_clock *asked)
{
    const struct cli_place place = { asked->label, asked->text, 0 };
    struct pc_clock_text t;
    struct pc_error err;
    int code = CLI_OK;

    if (pc_wave_parse_clock(asked->text, strlen(asked->text), &t, &err))
        return cli_library_error_at(&err, &place);
    if (t.clock.text && t.edge != PC_EDGE_PERIOD) /* else a time */
        code = take_name(n, &t.clock, &place);
    if (code == CLI_OK && t.has_iff)
        code = take_name(n, &t.condition, &place);
    return code;
}

static int take_pieces(struct named *n, const struct stat_piece *piece, unsigned count)
{
    int code = CLI_OK;

    for (unsigned i = 0; i < count && code == CLI_OK; i++)
        if (piece[i].text)
            code = take_expression(n, piece[i].text, &piece[i].place);
    return code;
}

static int take_measures(struct named *n, const struct stat_options *o)
{
    int code = CLI_OK;

    for (size_t i = 0; i < o->clocks && code == CLI_OK; i++)
        code = take_clock(n, &o->asked_clock[i]);
    for (size_t i = 0; i < o->events && code == CLI_OK; i++)
        code = take_expression(n, o->event[i].text, &o->event[i].place);
    for (size_t i = 0; i < o->measures.count && code == CLI_OK; i++) {
        const struct stat_measure *m = &o->measures.item[i];
        code = take_pieces(n, m->piece, m->pieces);
        if (code == CLI_OK)
            code = take_pieces(n, m->drop, STAT_DROPS);
    }
    return code;
}

/* The streams that the file of measurements names; NULL: all; an exit code. */
static int find_named(const struct align_options *o, const struct align_side *s, uint8_t **out)
{
    struct stat_options said = { .verb = &cli_verb_diff, .files = 1, .threads = 1 };
    struct named n = { s->wave, NULL };

    *out = NULL;
    if (!o->measurements)
        return CLI_OK;
    int code = stat_take_file(&said, o->measurements);
    n.code = calloc(s->info.codes + 1, 1);
    if (code == CLI_OK)
        code = n.code ? take_measures(&n, &said) : cli_no_memory();
    stat_free_options(&said);
    *out = n.code;
    return code;
}

/* --- all of them --- */

static bool grow_bits(struct align_side side[2], size_t bits)
{
    for (int k = 0; k < 2; k++) {
        void *more = realloc(side[k].bit, (bits + 1) * sizeof *side[k].bit);
        if (!more)
            return false;
        side[k].bit = more;
    }
    return true;
}

/* Adds a variable of the first capture that is also in the second one. */
static int add(struct align_names *n, const struct pc_wave_var *v, struct align_side side[2])
{
    size_t count[2] = { 0, 0 };
    struct pc_error err;

    if (pc_wave_find_bits(side[0].wave, v->name, NULL, 0, &count[0], &err) ||
        pc_wave_find_bits(side[1].wave, v->name, NULL, 0, &count[1], &err) || count[1] == 0) {
        n->only_before++;
        return CLI_OK;
    }
    if (count[0] != count[1]) {
        n->other_width++;
        return CLI_OK;
    }
    if (n->bits + count[0] > MOST_BITS) {
        cli_fail(&err, 1704, "more than %d bits are compared", MOST_BITS);
        return cli_error(&err, NULL, NULL);
    }
    void *array = n->signal;
    struct align_signal *g = cli_one_more(&array, &n->capacity, &n->signals, sizeof *g);
    n->signal = array;
    if (!g || !grow_bits(side, n->bits + count[0]))
        return cli_no_memory();
    *g = (struct align_signal){ .first = (uint32_t)n->bits, .width = (uint32_t)count[0] };
    for (int k = 0; k < 2; k++)
        if (pc_wave_find_bits(side[k].wave, v->name, side[k].bit + n->bits, count[k], &count[k],
                              &err))
            return cli_error(&err, side[k].path, NULL);
    n->bits += count[0];
    const size_t size = strlen(v->name) + strlen(v->range) + 1;
    g->name = malloc(size);
    if (!g->name)
        return cli_no_memory();
    snprintf(g->name, size, "%s%s", v->name, v->range);
    return CLI_OK;
}

int align_find_names(struct align_names *n, const struct align_options *o,
                     struct align_side side[2])
{
    uint8_t *seen = calloc(side[0].info.codes + 1, 1), *named = NULL;
    struct cli_wave_vars vars;
    struct pc_wave_var v;
    int code = seen ? find_named(o, &side[0], &named) : cli_no_memory();

    cli_wave_vars_begin(&vars, side[0].wave);
    while (code == CLI_OK && cli_wave_vars_next(&vars, &v)) {
        if (v.kind != PC_VAR_BITS || v.width == 0 || seen[v.code] || (named && !named[v.code]) ||
            strcmp(v.type, "parameter") == 0 ||
            !cli_matches_one(o->only.text, o->only.count, v.name))
            continue;
        seen[v.code] = 1;
        code = add(n, &v, side);
    }
    free(seen);
    free(named);
    return code;
}

int align_find_signal(const struct align_names *n, const struct align_side side[2],
                      const char *name, uint32_t *out)
{
    struct pc_wave_bit bit;
    struct pc_error err;
    size_t count = 0;

    if (pc_wave_find_bits(side[0].wave, name, &bit, 1, &count, &err))
        return cli_error(&err, side[0].path, NULL);
    if (pc_wave_find_bits(side[1].wave, name, NULL, 0, &count, &err))
        return cli_error(&err, side[1].path, NULL);
    for (uint32_t i = 0; i < n->signals; i++) {
        struct pc_wave_var a, b;
        const struct pc_wave_bit *own = &side[0].bit[n->signal[i].first];
        if (pc_wave_get_var(side[0].wave, own->var, &a) == PC_OK &&
            pc_wave_get_var(side[0].wave, bit.var, &b) == PC_OK && a.code == b.code) {
            *out = i;
            return CLI_OK;
        }
    }
    cli_fail(&err, 1704, "\"%.200s\" is not one of the signals that are compared", name);
    return cli_error(&err, NULL, NULL);
}
