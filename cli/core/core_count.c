/* SPDX-License-Identifier: MIT */
/*
 * Computes what the events of a core add, as planes of the present block: the expressions of their
 * rows, over the ports where they are in the waveform.  Unknown bits are 0, as in all its planes.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* An event, or the instructions that retire: a condition for each commit port, or one. */
struct counted {
    char *text[PC_HPM_MAX_PORTS];
    struct pc_expr *expr[PC_HPM_MAX_PORTS];
    uint64_t *plane[PC_HPM_MAX_PORTS]; /* of the present block, if that is `block` */
    uint64_t block;
    bool joined; /* what both ports do counts once */
};

struct core_counting {
    const struct core *c;
    uint32_t quirks;
    const uint64_t **value; /* of the waveform's wires; then all 0, all 1 */
    struct counted of[CORE_COUNTED];
    uint64_t nothing[PC_BLOCK_WORDS], always[PC_BLOCK_WORDS];
};

uint32_t core_quirks(const struct core_options *o)
{
    return (o->profile->quirks | o->quirks_on) & ~o->quirks_off;
}

/* ---- names ---- */

static uint32_t wire_of(const struct core *c, const struct core_source *s, uint32_t bit)
{
    if (!s->present || bit >= s->bits)
        return (uint32_t)c->wires;
    if (s->constant)
        return (uint32_t)c->wires + (s->value >> bit & 1);
    return s->wire + bit;
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct core *c = ctx;
    bool bit;
    const struct core_source *s = core_find_named(c, name, &bit);

    if (!s) /* no row of an event names anything but ports */
        return cli_fail(err, 306, "%s is not a port", name);
    *count = bit || s->bits == 0 ? 1 : s->bits;
    *is_signed = false;
    for (uint32_t b = 0; b < *count && b < capacity; b++)
        wires[b] = wire_of(c, s, bit ? (uint32_t)(name[strlen(name) - 2] - '0') : b);
    return PC_OK;
}

/* ---- texts ---- */

/* Returns the condition of the port, NULL: no memory. */
static char *text_of(const struct core_counting *k, unsigned what, unsigned port)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (!file)
        return NULL;
    if (what < PC_HPM_EVENTS)
        core_put_seen(file, k->c, k->quirks, pc_hpm_event_at(what), port);
    else
        fprintf(file, "commit_ack_i[%u]%s", port,
                k->c->port[CORE_EXCEPTION].present ? " & !ex_i.valid" : "");
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

/* Conditions, each of a commit port or one for all. */
static unsigned ports_of(const struct core_counting *k, unsigned what)
{
    const bool retires =
        what == CORE_INSTRUCTIONS || pc_hpm_event_at(what)->unit == PC_HPM_RETIREMENTS;

    return retires ? k->c->options->config->commit_ports : 1;
}

/* Is there something to be counted? */
static bool is_there(const struct core_counting *k, unsigned what)
{
    return what == CORE_INSTRUCTIONS ? k->c->port[CORE_ACK].present
                                     : what > 0 && (k->c->events >> what & 1);
}

/* Makes the texts at their first use; false: no memory. */
static bool has_texts(struct core_counting *k, unsigned what)
{
    struct counted *of = &k->of[what];

    of->joined = what != CORE_INSTRUCTIONS && (k->quirks & PC_HPM_Q_OR_PORTS);
    for (unsigned p = 0; is_there(k, what) && p < ports_of(k, what); p++)
        if (!of->text[p] && !(of->text[p] = text_of(k, what, p)))
            return false;
    return true;
}

/* Opens the expressions at their first use; false: no memory, as the texts are the rows' own. */
static bool is_open(struct core_counting *k, unsigned what)
{
    struct counted *of = &k->of[what];
    struct pc_error err;

    if (!has_texts(k, what))
        return false;
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS && of->text[p]; p++) {
        if (of->expr[p])
            continue;
        of->block = UINT64_MAX;
        of->plane[p] = calloc(PC_BLOCK_WORDS, sizeof *of->plane[p]);
        if (!of->plane[p] || pc_expr_parse(NULL, of->text[p], &of->expr[p], &err) ||
            pc_expr_resolve(of->expr[p], look_up, (void *)(uintptr_t)k->c, &err)) {
            pc_expr_free(of->expr[p]);
            free(of->plane[p]);
            of->expr[p] = NULL;
            of->plane[p] = NULL;
            return false;
        }
    }
    return true;
}

enum pc_status core_counting_open(const struct core *c, uint32_t quirks, struct core_counting **out,
                                  struct pc_error *err)
{
    struct core_counting *k = *out = calloc(1, sizeof *k);

    if (k)
        k->value = calloc(c->wires + 2, sizeof *k->value);
    if (!k || !k->value)
        return cli_fail(err, 100, "no memory for the events of the core");
    k->c = c;
    k->quirks = quirks;
    memset(k->always, 0xff, sizeof k->always);
    k->value[c->wires] = k->nothing;
    k->value[c->wires + 1] = k->always;
    return PC_OK;
}

void core_counting_close(struct core_counting *k)
{
    for (unsigned what = 0; k && what < CORE_COUNTED; what++)
        for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++) {
            pc_expr_free(k->of[what].expr[p]);
            free(k->of[what].text[p]);
            free(k->of[what].plane[p]);
        }
    if (k)
        free(k->value);
    free(k);
}

/* ---- planes ---- */

bool core_counting_planes(struct core_counting *k, unsigned what, const uint64_t *out[2])
{
    struct counted *of = &k->of[what];
    const struct pc_wave_block *block = &k->c->block;
    const size_t words = (block->cycles + 63) / 64;

    if (!is_open(k, what))
        return false;
    const bool two = of->expr[1] != NULL;
    out[0] = of->expr[0] ? of->plane[0] : k->nothing;
    out[1] = two && !of->joined ? of->plane[1] : k->nothing;
    if (of->block == block->first_cycle || !of->expr[0])
        return true;
    of->block = block->first_cycle;
    for (size_t i = 0; i < k->c->wires; i++)
        k->value[i] = block->value[i];
    for (unsigned p = 0; p < (two ? 2 : 1); p++)
        pc_expr_eval(of->expr[p], k->value, NULL, words, block->cycles, of->plane[p], NULL);
    for (size_t w = 0; w < words && two && of->joined; w++)
        of->plane[0][w] |= of->plane[1][w];
    return true;
}

bool core_counting_at(struct core_counting *k, unsigned what, const uint64_t *const *value,
                      bool out[2])
{
    const struct counted *of = &k->of[what];
    uint64_t plane;

    out[0] = out[1] = false;
    if (!is_open(k, what))
        return false;
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS && of->expr[p]; p++) {
        pc_expr_eval(of->expr[p], value, NULL, 1, 1, &plane, NULL);
        out[p] = plane & 1;
    }
    return true;
}

bool core_counts_same(struct core_counting *a, struct core_counting *b, unsigned what)
{
    const struct counted *x = &a->of[what], *y = &b->of[what];

    if (!has_texts(a, what) || !has_texts(b, what))
        return false;
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++)
        if (strcmp(x->text[p] ? x->text[p] : "", y->text[p] ? y->text[p] : "") != 0)
            return false;
    return !x->text[1] || x->joined == y->joined;
}
