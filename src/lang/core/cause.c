/* SPDX-License-Identifier: MIT */
/*
 * Explains a difference: the rules of the register act once more at the edge before, one
 * of them more, or less, or alone.
 */
#include "lang/core/core.h"

#include <string.h>

/* The register as bits, and the values of its rules in the cycle before. */
struct trial {
    struct pc_core *c;
    const struct core_register *r;
    size_t reg, t; /* the cycle before the difference, in the part */
    uint8_t before[PC_CORE_WIDTH], design[PC_CORE_WIDTH], now[PC_CORE_WIDTH], value[PC_CORE_WIDTH];
};

static bool is_less(const struct trial *t)
{
    for (uint32_t b = t->r->width; b-- > 0;)
        if (t->now[b] != t->value[b])
            return t->now[b] < t->value[b];
    return false;
}

/* The rule acts on `now`; false: its value is not known. */
static bool act(struct trial *t, size_t k)
{
    const struct core_rule *rule = &t->r->rule[k];

    if (!rule->value)
        return true;
    const size_t word = core_evaluate_at(t->c, rule->value, t->t);
    for (uint32_t b = 0; b < t->r->width; b++) {
        const struct ex_row row = ex_row(rule->value, ex_root(rule->value), b);
        if (row.u[word] >> t->t % 64 & 1)
            return false;
        t->value[b] = row.v[word] >> t->t % 64 & 1;
    }
    unsigned carry = 0;
    for (uint32_t b = 0; b < t->r->width && rule->action == PC_CORE_ADD; b++) {
        const unsigned sum = t->now[b] + t->value[b] + carry;
        t->now[b] = sum & 1;
        carry = sum >> 1;
    }
    if (rule->action == PC_CORE_SET)
        memcpy(t->now + rule->lo, t->value, rule->hi - rule->lo + 1);
    if (rule->action == PC_CORE_MAX && is_less(t))
        memcpy(t->now, t->value, t->r->width);
    return true;
}

/* Makes `now` what the rules that acted make, but for `without`, and with `too`; with `alone`, what
 * that one makes.  Returns false if a value is unknown. */
static bool make(struct trial *t, size_t without, size_t too, size_t alone)
{
    memcpy(t->now, t->before, sizeof t->now);
    for (size_t k = 0; k < t->r->rules; k++) {
        const bool acts = core_bit(t->r->rule[k].acts, t->t) && k != without;
        if (alone != PC_CORE_NO_RULE ? k == alone : acts || k == too)
            if (!act(t, k))
                return false;
    }
    return true;
}

static bool explains(struct trial *t, size_t without, size_t too, size_t alone)
{
    return make(t, without, too, alone) && memcmp(t->now, t->design, t->r->width) == 0;
}

/* Returns true if the rule adds and acts, and so do only rules that add after it. */
static bool adds_last(const struct trial *t, size_t rule)
{
    bool adds = core_bit(t->r->rule[rule].acts, t->t);

    for (size_t k = rule; k < t->r->rules; k++)
        if (core_bit(t->r->rule[k].acts, t->t))
            adds &= t->r->rule[k].action == PC_CORE_ADD;
    return adds;
}

/* Returns design - now if that is at most 64, else 0. */
static uint64_t missing(const struct trial *t)
{
    enum { MOST = 64 };
    uint64_t sum = 0;
    unsigned borrow = 0;

    for (uint32_t b = 0; b < t->r->width; b++) {
        const unsigned bit = (t->design[b] ^ t->now[b] ^ borrow) & 1;
        borrow = (unsigned)(t->now[b] + borrow > t->design[b]);
        if (b < 64)
            sum |= (uint64_t)bit << b;
        else if (bit != 0)
            return 0;
    }
    return sum <= MOST ? sum : 0;
}

/* Checks for another small number than the one that an acting rule adds, beside what the others
 * add; of several rules the first that it fits. */
static bool added_else(struct trial *t, struct pc_core_cause *out)
{
    for (size_t k = 0; t->r->width > 6 && k < t->r->rules; k++) {
        const uint64_t added =
            adds_last(t, k) && make(t, k, PC_CORE_NO_RULE, PC_CORE_NO_RULE) ? missing(t) : 0;
        if (added == 0)
            continue;
        *out = (struct pc_core_cause){ .what = PC_CORE_AS_IF_ADDED,
                                       .rule = k,
                                       .added = (int64_t)added };
        return true;
    }
    return false;
}

/* `now` is what the model makes. */
static void be_model(struct trial *t)
{
    (void)make(t, PC_CORE_NO_RULE, PC_CORE_NO_RULE, PC_CORE_NO_RULE);
}

/* Returns how many rules add. */
static size_t adding(const struct trial *t)
{
    size_t rules = 0;

    for (size_t k = 0; k < t->r->rules; k++)
        rules += t->r->rule[k].action == PC_CORE_ADD && core_bit(t->r->rule[k].acts, t->t);
    return rules;
}

/* Returns the last rule with the action that acts; PC_CORE_NO_RULE: none does. */
static size_t acting(const struct trial *t, enum pc_core_action action)
{
    for (size_t k = t->r->rules; k-- > 0;)
        if (t->r->rule[k].action == action && core_bit(t->r->rule[k].acts, t->t))
            return k;
    return PC_CORE_NO_RULE;
}

/* Returns the first rule after which bits from lo on are not as before: the one whose sum carries.
 */
static size_t carrying(struct trial *t, uint32_t lo)
{
    memcpy(t->now, t->before, sizeof t->now);
    for (size_t k = 0; k < t->r->rules; k++)
        if (core_bit(t->r->rule[k].acts, t->t) && act(t, k) &&
            memcmp(t->now + lo, t->before + lo, t->r->width - lo) != 0)
            return k;
    return PC_CORE_NO_RULE;
}

/* Below bit lo the design is the model, from there on as before, where the model has one more. */
static bool lost_carry(struct trial *t, struct pc_core_cause *out)
{
    const uint32_t width = t->r->width;
    uint32_t lo = 0, b;

    be_model(t);
    while (lo < width && t->now[lo] == t->design[lo])
        lo++;
    if (lo == 0 || lo == width || (lo % 8 != 0 && 2 * lo != width))
        return false;
    for (b = lo; b < width; b++)
        if (t->design[b] != t->before[b])
            return false;
    for (b = lo; b < width && t->before[b]; b++)
        if (t->now[b])
            return false;
    if (b < width && !t->now[b++])
        return false;
    for (; b < width; b++)
        if (t->now[b] != t->before[b])
            return false;
    const size_t rule = carrying(t, lo);
    *out = (struct pc_core_cause){ .what = PC_CORE_AS_IF_NO_CARRY, .rule = rule, .lo = lo };
    return rule != PC_CORE_NO_RULE && t->r->rule[rule].action == PC_CORE_ADD;
}

/* Checks whether a rule that adds would have acted in the cycle after one in which another rule set
 * the value.
 */
static bool after_write(struct trial *t, struct pc_core_cause *out)
{
    size_t write = PC_CORE_NO_RULE;

    for (size_t k = 0; t->t > 0 && k < t->r->rules; k++)
        if (t->r->rule[k].action == PC_CORE_SET && core_bit(t->r->rule[k].acts, t->t - 1))
            write = k;
    for (size_t k = 0; write != PC_CORE_NO_RULE && k < t->r->rules; k++) {
        struct pc_expr *const when = t->r->rule[k].when;
        if (t->r->rule[k].action != PC_CORE_ADD || core_bit(t->r->rule[k].acts, t->t) ||
            !explains(t, PC_CORE_NO_RULE, k, PC_CORE_NO_RULE) ||
            (when && !core_lacks_signal(t->c, when, t->t)))
            continue;
        *out =
            (struct pc_core_cause){ .what = PC_CORE_AS_IF_AFTER_WRITE, .rule = k, .write = write };
        return true;
    }
    return false;
}

/* Checks whether one bit of the value that a rule sets differs. */
static bool one_bit(struct trial *t, struct pc_core_cause *out)
{
    const size_t k = acting(t, PC_CORE_SET);
    uint32_t bit = 0, differ = 0;

    be_model(t);
    for (uint32_t b = 0; b < t->r->width; b++)
        if (t->now[b] != t->design[b]) {
            bit = b;
            differ++;
        }
    if (k == PC_CORE_NO_RULE || differ != 1 || bit < t->r->rule[k].lo || bit > t->r->rule[k].hi ||
        t->r->rule[k].lo == t->r->rule[k].hi)
        return false;
    *out = (struct pc_core_cause){ .what = PC_CORE_AS_IF_BIT, .rule = k, .lo = bit };
    return true;
}

/* Checks whether the design has the model's bits, except for some in a row that are as before. */
static bool kept_some(struct trial *t, struct pc_core_cause *out)
{
    enum { FEW = 8 }; /* less may be by chance */
    const uint32_t width = t->r->width;
    uint32_t lo = 0, hi = width;

    be_model(t);
    while (lo < width && t->now[lo] == t->design[lo])
        lo++;
    while (hi > lo && t->now[hi - 1] == t->design[hi - 1])
        hi--;
    for (uint32_t b = lo; b < hi; b++)
        if (t->design[b] != t->before[b])
            return false;
    while (hi < width && t->design[hi] == t->before[hi])
        hi++; /* as far as it may go: a half, not the bits of it that differ */
    while (lo > 0 && t->design[lo - 1] == t->before[lo - 1])
        lo--;
    *out = (struct pc_core_cause){ .what = PC_CORE_AS_IF_KEPT, .hi = hi - 1, .lo = lo };
    return hi - lo >= FEW && hi - lo < width;
}

/* Checks one rule more, or less, or alone; those that set, or the others. */
static bool other_rules(struct trial *t, bool sets, struct pc_core_cause *out)
{
    /* beside a write something more is likelier than something else */
    const bool written = acting(t, PC_CORE_SET) != PC_CORE_NO_RULE;

    for (size_t k = 0; k < t->r->rules; k++) {
        const bool acts = core_bit(t->r->rule[k].acts, t->t);
        if ((t->r->rule[k].action == PC_CORE_SET) != sets)
            continue;
        out->rule = k;
        out->what = acts ? PC_CORE_AS_IF_WITHOUT : PC_CORE_AS_IF_TOO;
        if (written &&
            explains(t, acts ? k : PC_CORE_NO_RULE, acts ? PC_CORE_NO_RULE : k, PC_CORE_NO_RULE))
            return true;
        out->what = acts ? PC_CORE_AS_IF_ONLY : PC_CORE_AS_IF_ALONE;
        if (explains(t, PC_CORE_NO_RULE, PC_CORE_NO_RULE, k))
            return true;
        out->what = acts ? PC_CORE_AS_IF_WITHOUT : PC_CORE_AS_IF_TOO;
        if (explains(t, acts ? k : PC_CORE_NO_RULE, acts ? PC_CORE_NO_RULE : k, PC_CORE_NO_RULE))
            return true;
    }
    return false;
}

/*
 * Tries the causes in the order of their likelihood. Of several rules that add one may be missing,
 * before one of them adds another number. That a rule which sets had acted comes last:
 * what it would set, as the data of a bus that is idle, may be the design's value by chance.
 */
static struct pc_core_cause find(struct trial *t)
{
    struct pc_core_cause cause = { .what = PC_CORE_NO_CAUSE };

    if (memcmp(t->before, t->design, t->r->width) == 0)
        return (struct pc_core_cause){ .what = PC_CORE_AS_IF_NONE };
    if (lost_carry(t, &cause) || after_write(t, &cause) ||
        (adding(t) > 1 && other_rules(t, false, &cause)) || added_else(t, &cause) ||
        other_rules(t, false, &cause) || one_bit(t, &cause) || kept_some(t, &cause) ||
        other_rules(t, true, &cause))
        return cause;
    return (struct pc_core_cause){ .what = PC_CORE_NO_CAUSE };
}

/* For a difference that is being told; NULL: it is unknown, or comes of a reset. */
static struct trial *begin(struct pc_core *c, size_t reg)
{
    struct core_register *r = &c->reg[reg];
    bool known = true;

    if (c->told_edge == 0 || core_bit(c->in_reset, c->told_edge - 1) ||
        core_bit(c->between, c->told_edge))
        return NULL;
    struct trial *t = pc_calloc(&c->alloc, 1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct trial){ .c = c, .r = r, .reg = reg, .t = c->told_edge - 1 };
    for (uint32_t b = 0; b < r->width; b++) {
        const uint32_t wire = core_wire(c, r, b);
        t->before[b] = core_bit(c->value[wire], t->t) & 1;
        t->design[b] = core_bit(c->value[r->design[b]], t->t + 1) & 1;
        known &= !core_bit(c->unknown[wire], t->t) && !core_bit(c->unknown[r->design[b]], t->t + 1);
    }
    if (known)
        return t;
    pc_free(&c->alloc, t, sizeof *t);
    return NULL;
}

void pc_core_find_cause(struct pc_core *c, size_t reg, struct pc_core_cause *out, char *but_for,
                        size_t size)
{
    struct core_register *r = &c->reg[reg];
    struct trial *t = begin(c, reg);

    *out = t ? find(t) : (struct pc_core_cause){ .what = PC_CORE_NO_CAUSE };
    if (size > 0)
        but_for[0] = '\0';
    if (size > 0 &&
        (out->what == PC_CORE_AS_IF_ALONE || out->what == PC_CORE_AS_IF_TOO ||
         out->what == PC_CORE_AS_IF_AFTER_WRITE) &&
        r->rule[out->rule].when)
        core_tell_lack(c, r->rule[out->rule].when, t->t, but_for, size);
    pc_free(&c->alloc, t, sizeof *t);
}

/* --- another register, were it another value --- */

/* Returns true if the rules make the design's value, by the planes as they are now. */
static bool gives(struct trial *t)
{
    memcpy(t->now, t->before, sizeof t->now);
    for (size_t k = 0; k < t->r->rules; k++) {
        struct pc_expr *const when = t->r->rule[k].when;
        struct ex_row row = { 0 };
        size_t word = 0;
        if (when) {
            word = core_evaluate_at(t->c, when, t->t);
            row = ex_row(when, ex_root(when), 0);
        }
        if (when && (row.u[word] >> t->t % 64 & 1))
            return false;
        if (when && !(row.v[word] >> t->t % 64 & 1))
            continue;
        if (!act(t, k))
            return false;
        if (!t->r->rule[k].go_on)
            break;
    }
    return memcmp(t->now, t->design, t->r->width) == 0;
}

/* Tries the same with the bits of a register, in all cycles, as `bits` has them. */
static bool gives_with(struct trial *t, const struct core_register *s, uint64_t bits)
{
    static const uint64_t zeros[CORE_WORDS];
    uint64_t ones[CORE_WORDS];
    const uint64_t *value[64] = { NULL }, *unknown[64] = { NULL };
    struct pc_core *c = t->c;
    const uint32_t width = s->width < 64 ? s->width : 64;

    memset(ones, 0xff, sizeof ones);
    for (uint32_t b = 0; b < width; b++) {
        const uint32_t wire = core_wire(c, s, b);
        value[b] = c->value[wire];
        unknown[b] = c->unknown[wire];
        c->value[wire] = bits >> b & 1 ? ones : zeros;
        c->unknown[wire] = zeros;
    }
    const bool does = gives(t);
    for (uint32_t b = width; b-- > 0;) {
        const uint32_t wire = core_wire(c, s, b);
        c->value[wire] = value[b];
        c->unknown[wire] = unknown[b];
    }
    return does;
}

static void try_all(struct trial *t, const struct core_register *s, struct pc_core_instead *out)
{
    enum { FEW = 6 };
    const uint32_t width = s->width < 64 ? s->width : 64;
    uint64_t now = 0;

    for (uint32_t b = 0; b < width; b++) {
        const uint32_t wire = core_wire(t->c, s, b);
        if (core_bit(t->c->unknown[wire], t->t))
            return;
        now |= core_bit(t->c->value[wire], t->t) << b;
    }
    for (uint32_t n = 0; width <= FEW && n < 1u << width; n++)
        out->values |= (uint64_t)gives_with(t, s, n) << n;
    for (uint32_t n = 0; n < width; n++) {
        out->inverted |= (uint64_t)gives_with(t, s, now ^ UINT64_C(1) << n) << n;
        out->alone |= (uint64_t)(width > FEW && gives_with(t, s, UINT64_C(1) << n)) << n;
    }
}

/* Returns a register of the same width whose name is the same up to its number, sel1 and sel0, and
 * that is one of the values. */
static size_t find_as(const struct trial *t, size_t reg, uint64_t values)
{
    const struct core_register *s = &t->c->reg[reg];
    const size_t stem = strcspn(s->name, "0123456789");

    for (size_t i = 0; i < t->c->regs; i++) {
        const struct core_register *r = &t->c->reg[i];
        uint64_t value = 0, unknown = 0;
        if (i == reg || r->width != s->width || r->width > 6 || s->name[stem] == '\0' ||
            strncmp(r->name, s->name, stem) != 0 || !(r->design || core_is_stepped(r)))
            continue;
        for (uint32_t b = 0; b < r->width; b++) {
            value |= core_bit(t->c->value[core_wire(t->c, r, b)], t->t) << b;
            unknown |= core_bit(t->c->unknown[core_wire(t->c, r, b)], t->t);
        }
        if (!unknown && values >> value & 1)
            return i;
    }
    return SIZE_MAX;
}

/* Finds the i-th of the registers that the conditions name. */
static bool find_named(const struct pc_core *c, const struct core_register *r, size_t i,
                       size_t *out)
{
    size_t seen[16], count = 0;

    for (size_t k = 0; k < r->rules; k++) {
        const struct pc_expr *e = r->rule[k].when;
        for (size_t n = 0; e && n < e->nodes; n++) {
            const char *name = e->node[n].op == EX_NAME ? e->arena + e->node[n].data : NULL;
            long hi, lo;
            const struct core_name *is = name ? core_find_part(c, name, &hi, &lo) : NULL;
            size_t at = 0;
            if (!is || is->kind != CORE_REGISTER || &c->reg[is->item] == r)
                continue;
            while (at < count && seen[at] != is->item)
                at++;
            if (at < count || count == sizeof seen / sizeof seen[0])
                continue;
            if (count == i)
                *out = is->item;
            seen[count++] = is->item;
        }
    }
    return count > i;
}

bool pc_core_find_instead(struct pc_core *c, size_t reg, size_t i, struct pc_core_instead *out)
{
    *out = (struct pc_core_instead){ .as = SIZE_MAX };
    if (!find_named(c, &c->reg[reg], i, &out->reg))
        return false;
    struct trial *t = begin(c, reg);
    if (t) {
        try_all(t, &c->reg[out->reg], out);
        out->as = find_as(t, out->reg, out->values);
    }
    pc_free(&c->alloc, t, sizeof *t);
    return true;
}
