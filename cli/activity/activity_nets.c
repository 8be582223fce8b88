/* SPDX-License-Identifier: MIT */
/* The nets that a call asks for, by their names, and the order of their rows. */
#include "activity/activity.h"

#include "text/regs_text.h"

#include <stdlib.h>
#include <string.h>

char *activity_bit_name(const struct pc_wave_var *v, uint32_t bit)
{
    const size_t size = strlen(v->name) + 16;
    const int64_t index = v->msb < v->lsb ? (int64_t)v->lsb - bit : (int64_t)v->lsb + bit;
    char *name = malloc(size);

    if (name && v->width == 1 && !v->range[0])
        snprintf(name, size, "%s", v->name);
    else if (name)
        snprintf(name, size, "%s[%lld]", v->name, (long long)index);
    return name;
}

/* One of its bits, by its own name?  false also where there is no memory: then it is left out. */
static bool asked_for_bit(const struct activity_options *o, const struct pc_wave_var *v,
                          uint32_t bit)
{
    char *name = activity_bit_name(v, bit);
    const bool yes = name && cli_matches_one(o->glob, o->globs, name);

    free(name);
    return yes;
}

static bool asked_for_some(const struct activity_options *o, const struct pc_wave_var *v)
{
    bool index = false;

    for (size_t i = 0; i < o->globs; i++)
        index |= strchr(o->glob[i], '[') != NULL;
    for (uint32_t bit = 0; o->bits && index && bit < v->width; bit++)
        if (asked_for_bit(o, v, bit))
            return true;
    return false;
}

static bool add_net(struct activity_nets *n, size_t var, const struct pc_wave_var *v, bool parts)
{
    if (n->width[v->code] > 0) /* another name of it */
        return true;
    if ((n->nets & (n->nets - 1)) == 0) {
        const size_t capacity = n->nets ? 2 * n->nets : 1;
        void *more = realloc(n->net, capacity * sizeof *n->net);
        if (!more)
            return false;
        n->net = more;
    }
    n->width[v->code] = v->width;
    n->net[n->nets++] = (struct activity_net){ .var = var, .code = v->code, .parts = parts };
    return true;
}

static bool add_event(struct activity_nets *n, size_t var, uint32_t code)
{
    if (n->width[code] > 0) /* another name of it */
        return true;
    if ((n->events & (n->events - 1)) == 0) {
        const size_t capacity = n->events ? 2 * n->events : 1;
        void *more = realloc(n->event, capacity * sizeof *n->event);
        if (!more)
            return false;
        n->event = more;
    }
    n->width[code] = n->is_event[code] = 1;
    n->event[n->events++] = (struct activity_event){ .var = var, .code = code };
    return true;
}

static bool find(struct activity_nets *n)
{
    struct pc_wave_var v;

    for (size_t i = 0; pc_wave_get_var(n->wave, i, &v) == PC_OK; i++) {
        const bool all = cli_matches_one(n->o->glob, n->o->globs, v.name);
        if (strcmp(v.type, "parameter") == 0) /* a constant */
            continue;
        if (v.kind == PC_VAR_EVENT) {
            if (all && !add_event(n, i, v.code))
                return false;
            continue;
        }
        if (v.kind != PC_VAR_BITS || v.width == 0) {
            n->no_bits += all;
            continue;
        }
        if ((all || asked_for_some(n->o, &v)) && !add_net(n, i, &v, !all))
            return false;
    }
    return true;
}

static bool make_rows(struct activity_nets *n)
{
    size_t most = 0;
    struct pc_wave_var v;

    for (size_t i = 0; i < n->nets; i++)
        most += n->o->bits ? n->width[n->net[i].code] : 1;
    n->row = calloc(most + 1, sizeof *n->row);
    for (size_t i = 0; n->row && i < n->nets; i++) {
        const struct activity_net *net = &n->net[i];
        if (pc_wave_get_var(n->wave, net->var, &v) != PC_OK)
            continue;
        for (uint32_t k = 0, bits = n->o->bits ? v.width : 1; k < bits; k++) {
            const uint32_t bit = bits - 1 - k; /* from the left */
            if (!net->parts || asked_for_bit(n->o, &v, bit))
                n->row[n->rows++] = (struct activity_row){ .net = (uint32_t)i, .bit = bit };
        }
    }
    return n->row != NULL;
}

bool activity_find_nets(struct activity_nets *n)
{
    struct pc_wave_info info;

    pc_wave_get_info(n->wave, &info);
    n->codes = info.codes;
    n->width = calloc(n->codes + 1, sizeof *n->width);
    n->is_event = calloc(n->codes + 1, 1);
    return n->width && n->is_event && find(n) && make_rows(n);
}

/* Those that toggle as often in the order of the file, from the left. */
static int by_toggles(const void *a, const void *b)
{
    const struct activity_row *x = a, *y = b;

    if (x->toggles != y->toggles)
        return x->toggles > y->toggles ? -1 : 1;
    if (x->net != y->net)
        return x->net < y->net ? -1 : 1;
    return x->bit > y->bit ? -1 : x->bit < y->bit;
}

void activity_sort(struct activity_nets *n, const struct pc_activity *activity)
{
    for (size_t i = 0; i < n->rows; i++) {
        struct activity_row *row = &n->row[i];
        struct pc_activity_figures f;
        pc_activity_get(activity, n->net[row->net].code, row->bit, &f);
        row->toggles = f.rises + f.falls;
    }
    qsort(n->row, n->rows, sizeof *n->row, by_toggles);
}

void activity_free_nets(struct activity_nets *n)
{
    free(n->net);
    free(n->event);
    free(n->is_event);
    free(n->width);
    free(n->row);
}
