/* SPDX-License-Identifier: MIT */
/*
 * Which bits of a read a trace and the model can agree on.  Counters and live signals
 * depend on what the card was doing, which a trace does not tell; configuration and the
 * states of the unit (QUAD_STATE, SINGLE_STATE ...) follow from the accesses.
 */
#include "replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Registers that show counters, signals or memory. */
static const char *const live[] = { "CTR_*",         "SIG_STATUS",      "SRC_STATUS",
                                    "STATE",         "RECORD_POS",      "*VSTATUS*",
                                    "RECORD_COUNT*", "COUNTER_COUNT",   "UNK*",
                                    "RECORD_STATUS", "COUNTER_SIGNALS", "COUNTER_ALL" };

uint64_t replay_mask(const struct replay *r, const struct replay_access *a)
{
    const struct replay_options *o = r->options;
    uint32_t mask = 0;
    bool ignored = false;

    for (size_t i = 0; i < o->ignore.count; i++)
        if (cli_matches(o->ignore.text[i], a->name.text) ||
            (a->known && cli_matches(o->ignore.text[i], a->reg.name)))
            ignored = r->ignored[i] = true;
    if (ignored)
        return 0;
    if (o->strict)
        return a->bits;
    if (!a->known)
        return a->config;
    if (!a->reg.readable)
        return 0;
    for (size_t i = 0; i < sizeof live / sizeof live[0]; i++)
        if (cli_matches(live[i], a->reg.name))
            return 0;
    for (size_t i = 0; i < a->reg.field_count; i++)
        mask |= (UINT32_MAX >> (32 - a->reg.fields[i].bits)) << a->reg.fields[i].shift;
    return mask | a->reg.rw_mask;
}

struct text {
    char *at;
    size_t size, used;
};

static void add(struct text *t, const char *fmt, ...) PC_PRINTF(2, 3);
static void add(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(t->at + t->used, t->size - t->used, fmt, args);
    va_end(args);
    if (n > 0)
        t->used = (size_t)n < t->size - t->used ? t->used + (size_t)n : t->size - 1;
}

static void add_value(struct text *t, const struct pc_field_info *f, uint32_t value)
{
    if (f->values && value < f->value_count && f->values[value] && f->values[value][0])
        add(t, "%s", f->values[value]);
    else
        add(t, "0x%" PRIx32, value);
}

void replay_fields(const struct replay_access *a, char *out, size_t size)
{
    struct text t = { .at = out, .size = size };

    out[0] = '\0';
    for (size_t i = 0; (a->known || a->card) && i < a->reg.field_count; i++) {
        const struct pc_field_info *f = &a->reg.fields[i];
        uint32_t value = cli_field_value(f, (uint32_t)a->value);
        bool acts = !a->write || f->writable || f->strobe;
        if (f->bits >= 32 || value == 0 || !acts)
            continue;
        add(&t, "%s%s=", t.used ? " " : "", f->name);
        add_value(&t, f, value);
    }
}

void replay_difference(const struct replay_access *a, char *out, size_t size)
{
    struct text t = { .at = out, .size = size };

    out[0] = '\0';
    for (size_t i = 0; (a->known || a->card) && i < a->reg.field_count; i++) {
        const struct pc_field_info *f = &a->reg.fields[i];
        uint32_t trace = cli_field_value(f, (uint32_t)a->value);
        uint32_t model = cli_field_value(f, (uint32_t)a->model);
        if (f->bits >= 32 || ((trace ^ model) & cli_field_value(f, (uint32_t)a->mask)) == 0)
            continue;
        add(&t, "%s%s ", t.used ? ", " : "", f->name);
        add_value(&t, f, trace);
        add(&t, " vs ");
        add_value(&t, f, model);
    }
}
