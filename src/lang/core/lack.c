/* SPDX-License-Identifier: MIT */
/* Evaluates an expression in one cycle, and finds the parts of a condition that do not hold there.
 */
#include "lang/core/core.h"

#include <stdio.h>
#include <string.h>

size_t core_evaluate_at(struct pc_core *c, struct pc_expr *e, size_t t)
{
    for (size_t i = 0; i < c->histories; i++)
        if (c->history[i].expr == e)
            memcpy(e->history, c->history[i].saved, e->histories);
    for (size_t at = 0; at * 64 <= t; at += e->words) {
        const size_t words = t / 64 + 1 - at < e->words ? t / 64 + 1 - at : e->words;
        ex_evaluate(e, c->value, c->unknown, at, 0, (struct ex_part){ words, 63, c->restart + at });
    }
    return (t / 64) % e->words;
}

/* The parts of a & b & c that do not hold, one after the other. */
struct lack {
    struct pc_core *c;
    const struct pc_expr *e;
    size_t t, word, opens;
    uint32_t open[EX_MAX_NEST];
};

static struct lack lack_begin(struct pc_core *c, struct pc_expr *e, size_t t)
{
    struct lack l = { .c = c, .e = e, .t = t, .word = core_evaluate_at(c, e, t), .opens = 1 };

    l.open[0] = (uint32_t)(e->nodes - 1);
    return l;
}

/* Returns the next part; NULL: there is none. */
static const struct ex_node *lack_next(struct lack *l)
{
    while (l->opens > 0) {
        const struct ex_node *n = &l->e->node[l->open[--l->opens]];
        const struct ex_row row = ex_row(l->e, n, 0);
        if (row.v[l->word] & ~row.u[l->word] & UINT64_C(1) << l->t % 64)
            continue;
        if (!(n->op == EX_AND || n->op == EX_LAND) || l->opens + 2 > EX_MAX_NEST)
            return n;
        l->open[l->opens++] = n->child[1];
        l->open[l->opens++] = n->child[0];
    }
    return NULL;
}

void core_tell_lack(struct pc_core *c, struct pc_expr *e, size_t t, char *out, size_t size)
{
    struct lack l = lack_begin(c, e, t);
    const struct ex_node *n;
    size_t used = 0;

    while (used < size && (n = lack_next(&l)) != NULL) {
        const int length = snprintf(out + used, size - used, "%s%.*s", used ? ", " : "",
                                    (int)(n->end - n->begin), e->text + n->begin);
        used += length > 0 ? (size_t)length : 0;
    }
}

bool core_lacks_signal(struct pc_core *c, struct pc_expr *e, size_t t)
{
    struct lack l = lack_begin(c, e, t);
    const struct ex_node *part;
    long hi, lo;

    while ((part = lack_next(&l)) != NULL)
        for (size_t i = 0; i < e->nodes; i++) {
            const struct ex_node *n = &e->node[i];
            if (n->op != EX_NAME || n->begin < part->begin || n->end > part->end)
                continue;
            const struct core_name *is = core_find_part(c, e->arena + n->data, &hi, &lo);
            if (!is || is->kind != CORE_REGISTER)
                return true;
        }
    return false;
}
