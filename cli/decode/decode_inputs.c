/* SPDX-License-Identifier: MIT */
/*
 * Words of registers to configurations: the last word written to each register counts.
 * Where a domain was used (its counters were read, time passed) and is then written again, a
 * configuration ends; one that was there before is not kept twice.
 */
#include "decode_inputs.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static struct decode_domain *domain_of(struct decode_inputs *in, const struct pc_reg_info *reg)
{
    for (size_t i = 0; i < in->domains; i++)
        if (in->domain[i].any.domain == reg->domain &&
            strcmp(in->domain[i].any.place, reg->place) == 0)
            return &in->domain[i];
    if (in->domains == DECODE_DOMAINS || reg->domain < 0)
        return NULL;
    struct decode_domain *d = &in->domain[in->domains++];
    *d = (struct decode_domain){ .any = *reg };
    return d;
}

static int order(const void *x, const void *y)
{
    const struct decode_domain *a = x, *b = y;
    const int place = strcmp(a->any.place, b->any.place);

    if (a->any.domain != b->any.domain)
        return a->any.domain < b->any.domain ? -1 : 1;
    if (place)
        return place;
    if (a->ops != b->ops)
        return a->ops < b->ops ? -1 : 1;
    if (a->ctrl != b->ctrl)
        return a->ctrl < b->ctrl ? -1 : 1;
    const int src = memcmp(a->src, b->src, sizeof a->src);
    const int op = memcmp(a->op, b->op, sizeof a->op);
    return src ? src : op ? op : memcmp(a->more, b->more, sizeof a->more);
}

/* Room for one more, and a copy of it there; NULL if memory runs out. */
static struct decode_domain *copy(struct decode_inputs *in, const struct decode_domain *d)
{
    if (in->kepts == in->capacity) {
        size_t capacity = in->capacity ? 2 * in->capacity : 16;
        struct decode_domain **grown = realloc(in->kept, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        in->kept = grown;
        in->capacity = capacity;
    }
    struct decode_domain *c = malloc(sizeof *c);
    if (c)
        *c = *d;
    return c;
}

static void keep(struct decode_inputs *in, struct decode_domain *d)
{
    d->changed = d->used = false;
    if (d->ops == 0 || tfind(d, &in->known, order))
        return;
    struct decode_domain *c = copy(in, d);
    if (!c || !tsearch(c, &in->known, order)) {
        free(c);
        in->no_memory = true;
        return;
    }
    in->kept[in->kepts++] = c;
    d->kepts++;
}

/* Where the word of a register is kept, and the bit that says so; NULL: it is none of these. */
static uint32_t *word_of(struct decode_domain *d, const char *name, unsigned **seen, unsigned *bit)
{
    static const char *const more[DECODE_MORE] = {
        "THRESHOLD", "THRESHOLD_HI", "CTR_PRE",      "CTR_STOP",
        "SPEC_SRC",  "RECORD_START", "RECORD_LIMIT", "RECORD_ADDRESS_HIGH",
    };

    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        size_t n = strlen(pc_input_name((enum pc_input_id)i));
        if (strncmp(name, pc_input_name((enum pc_input_id)i), n) != 0)
            continue;
        *bit = 1u << i;
        *seen = strcmp(name + n, "_SRC") == 0 ? &d->srcs : &d->ops;
        if (strcmp(name + n, "_SRC") == 0)
            return &d->src[i];
        if (strcmp(name + n, "_OP") == 0)
            return &d->op[i];
    }
    for (unsigned i = 0; i < DECODE_MORE; i++)
        if (strcmp(name, more[i]) == 0 || (i == DECODE_SWAP && strcmp(name, "SWAP_SRC") == 0)) {
            *bit = 1u << i;
            *seen = &d->mores;
            return &d->more[i];
        }
    return NULL;
}

static void put(struct decode_inputs *in, struct decode_domain *d, uint32_t *word, uint32_t value,
                uint32_t mask, uint32_t line)
{
    if (d->changed && d->used)
        keep(in, d);
    if (!d->changed)
        d->line = line;
    d->changed = true;
    d->used = false;
    *word = (*word & ~mask) | (value & mask);
}

static void put_ctrl(struct decode_inputs *in, const struct pc_reg_info *reg, uint32_t value,
                     uint32_t mask, uint32_t line)
{
    in->ctrl = *reg;
    in->has_ctrl = true;
    if (reg->domain < 0) { /* of all domains */
        in->shared_ctrl = (in->shared_ctrl & ~mask) | (value & mask);
        for (size_t i = 0; i < in->domains; i++) {
            put(in, &in->domain[i], &in->domain[i].ctrl, in->shared_ctrl, UINT32_MAX, line);
            in->domain[i].has_ctrl = true;
        }
        return;
    }
    struct decode_domain *d = domain_of(in, reg);
    if (!d)
        return;
    put(in, d, &d->ctrl, value, mask, line);
    d->has_ctrl = true;
}

void decode_inputs_add(struct decode_inputs *in, const struct pc_reg_info *reg, uint32_t value,
                       uint32_t mask, uint32_t line)
{
    struct decode_domain none = { .ops = 0 };
    unsigned *seen, bit;

    if (strcmp(reg->name, "CTRL") == 0) {
        put_ctrl(in, reg, value & reg->rw_mask, mask, line);
        return;
    }
    if (!word_of(&none, reg->name, &seen, &bit))
        return;
    size_t before = in->domains;
    struct decode_domain *d = domain_of(in, reg);
    if (!d)
        return;
    if (in->domains > before && in->has_ctrl && in->ctrl.domain < 0) {
        d->ctrl = in->shared_ctrl;
        d->has_ctrl = true;
    }
    uint32_t *word = word_of(d, reg->name, &seen, &bit);
    *seen |= bit;
    put(in, d, word, value & reg->rw_mask, mask, line);
}

void decode_inputs_used(struct decode_inputs *in)
{
    for (size_t i = 0; i < in->domains; i++)
        in->domain[i].used = in->domain[i].changed;
}

int decode_inputs_end(struct decode_inputs *in)
{
    for (size_t i = 0; i < in->domains; i++)
        if (in->domain[i].changed)
            keep(in, &in->domain[i]);
    return in->no_memory ? cli_no_memory() : CLI_OK;
}

void decode_inputs_free(struct decode_inputs *in)
{
    for (size_t i = 0; i < in->kepts; i++) {
        tdelete(in->kept[i], &in->known, order);
        free(in->kept[i]);
    }
    free(in->kept);
    pc_names_close(in->names);
}
