/* SPDX-License-Identifier: MIT */
/* Wires and states of 64 cycles at once, and values of roles in one of them. */
#include "lang/bus/bus.h"

/* Finds where a bit of a role is known to be 1 and 0; false: there is no such role. */
static bool look_at(const struct pc_bus *b, unsigned role, unsigned bit, uint64_t *one,
                    uint64_t *zero)
{
    const struct bus_wires *r = &b->role[role];

    if (role == 0 || r->width <= bit || !r->wire)
        return false;
    const uint64_t value = b->value[r->wire[bit]][b->word.at];
    const uint64_t other = ~(value | b->unknown[r->wire[bit]][b->word.at]);
    *one = r->inverted ? other : value;
    *zero = r->inverted ? value : other;
    return true;
}

static void look_at_wire(struct pc_bus *b, const struct bus_wire *w, uint64_t *one, uint64_t *zero)
{
    const uint64_t all = ~UINT64_C(0);
    bool any = false;

    *one = w->how == BUS_ALL ? all : 0;
    *zero = ~*one;
    for (size_t i = 0; i < sizeof w->role; i++) {
        uint64_t o, z;
        if (!look_at(b, w->role[i], w->bit, &o, &z))
            continue;
        any = true;
        *one = w->how == BUS_ALL ? *one & o : *one | o;
        *zero = w->how == BUS_ALL ? *zero | z : *zero & z;
    }
    if (!any && !look_at(b, w->otherwise, 0, one, zero)) {
        *one = w->absent ? all : 0;
        *zero = ~*one;
    } else if (w->inverted) {
        const uint64_t o = *one;
        *one = *zero;
        *zero = o;
    }
}

static uint64_t where(const struct bus_word *w, uint32_t ones, uint32_t zeros)
{
    uint64_t cycles = w->live;

    for (; ones != 0; ones &= ones - 1)
        cycles &= w->one[__builtin_ctz(ones)];
    for (; zeros != 0; zeros &= zeros - 1)
        cycles &= w->zero[__builtin_ctz(zeros)];
    return cycles;
}

void pc_bus_look(struct pc_bus *b)
{
    const struct pc_bus_protocol *p = b->protocol;
    struct bus_word *w = &b->word;

    for (size_t i = 0; i < p->wires; i++)
        look_at_wire(b, &p->wire[i], &w->one[i], &w->zero[i]);
    for (size_t c = 0; c < p->channels; c++) {
        uint64_t *state = w->state[c], told = 0;
        for (size_t s = 0; s < BUS_STATES; s++)
            state[s] = 0;
        if (!b->channel[c].rule)
            continue;
        for (size_t i = 0; i < p->channel[c].states; i++) {
            const struct bus_state *s = &p->channel[c].state[i];
            const uint64_t cycles = where(w, s->ones, s->zeros);
            state[s->state] |= cycles;
            told |= cycles;
        }
        state[PC_BUS_UNKNOWN] = w->live & ~told;
    }
}

uint64_t pc_bus_event(const struct pc_bus *b, const struct bus_event *e)
{
    uint64_t cycles =
                 e->is == BUS_NEVER || e->is == BUS_BY_LEN ? 0 : where(&b->word, e->ones, e->zeros),
             in = e->states ? 0 : cycles;

    for (uint32_t s = e->states; s != 0; s &= s - 1)
        in |= b->word.state[e->channel][__builtin_ctz(s)];
    return cycles & in;
}

uint64_t pc_bus_ones(const struct pc_bus *b, unsigned role, unsigned bit)
{
    uint64_t one = 0, zero;

    return look_at(b, role, bit, &one, &zero) ? one : 0;
}

/* Reads its planes in this word, beside each other: nearly always there are several to be asked
 * for. */
static void look_at_number(struct pc_bus *b, struct bus_wires *r)
{
    const size_t at = b->word.at;
    uint64_t unknown = 0;

    for (uint32_t k = 0; k < r->width; k++) {
        r->plane[k] = b->value[r->wire[k]][at];
        unknown |= b->unknown[r->wire[k]][at];
    }
    r->unknown = unknown;
    r->word = b->words;
}

bool pc_bus_number(struct pc_bus *b, unsigned role, unsigned cycle, uint64_t *out)
{
    struct bus_wires *r = &b->role[role];
    uint64_t number = 0;

    *out = 0;
    if (role == 0 || r->width == 0 || !r->wire)
        return false;
    if (r->word != b->words)
        look_at_number(b, r);
    if (r->unknown >> cycle & 1)
        return false;
    for (uint32_t k = 0; k < r->width; k++)
        number |= (r->plane[k] >> cycle & 1) << k;
    *out = !r->inverted    ? number
           : r->width < 64 ? ~number & ((UINT64_C(1) << r->width) - 1)
                           : ~number;
    return true;
}

bool pc_bus_has_bytes(const struct pc_bus *b, unsigned strobe, unsigned width)
{
    return (strobe && b->role[strobe].width > 0) || (width && b->role[width].width > 0);
}

uint64_t pc_bus_bytes(const struct pc_bus *b, unsigned strobe, unsigned width, uint64_t beats)
{
    uint64_t bytes = 0;

    if (!strobe || b->role[strobe].width == 0)
        return width ? pc_ones(beats) * (uint64_t)(b->role[width].width / 8) : 0;
    for (uint32_t k = 0; k < b->role[strobe].width && beats != 0; k++)
        bytes += pc_ones(beats & pc_bus_ones(b, strobe, k));
    return bytes;
}
