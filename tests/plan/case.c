/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_begin(struct plan_case *c, const struct pc_chip *chip)
{
    memset(c, 0, sizeof *c);
    c->chip = chip;
}

void case_end(struct plan_case *c)
{
    for (size_t i = 0; i < c->owned; i++)
        pc_expr_free(c->own[i]);
}

const struct pc_expr *case_expr(struct plan_case *c, const char *text)
{
    struct pc_expr **e = &c->own[c->owned++];
    struct pc_error err;

    test_ok(pc_expr_parse(NULL, text, e, &err), &err);
    test_ok(pc_expr_resolve(*e, test_signal, NULL, &err), &err);
    return *e;
}

struct pc_plan_event *case_event(struct plan_case *c, const char *name, unsigned domain,
                                 const char *text)
{
    size_t n = c->events++;
    struct pc_plan_event *e = &c->event[n];

    assert_in_range(n, 0, CASE_EVENTS - 1);
    snprintf(c->name[n], sizeof c->name[n], "%s", name);
    snprintf(c->text[n], sizeof c->text[n], "%s", text);
    *e = (struct pc_plan_event){ .name = c->name[n], .domains = UINT64_C(1) << domain };
    e->expr = case_expr(c, text);
    e->mux = c->mux[n];
    return e;
}

void case_mux(struct plan_case *c, const char *reg, uint32_t mask, uint32_t value)
{
    struct pc_plan_event *e = &c->event[c->events - 1];

    c->mux[c->events - 1][e->muxes++] = (struct pc_plan_mux){ reg, mask, value, false };
}

/* --- random --- */

static bool chance(struct test_rng *rng, unsigned percent)
{
    return test_rand_below(rng, 100) < percent;
}

/* A signal from the card in this domain, out of the first twelve: so that some are shared. */
static unsigned some_signal(struct test_rng *rng, const struct pc_chip *chip, unsigned domain)
{
    struct pc_chip_domain place;
    struct pc_chip of_set;
    struct pc_error err;
    unsigned wanted = test_rand_below(rng, 12), s = 0;

    assert_true(pc_chip_get_domain(chip, domain, &place));
    test_ok(pc_chip_of_set(chip, place.set, &of_set, &err), &err);
    for (;; s++)
        if (pc_chip_signal(&of_set, place.domain, s).kind == PC_SIG_RAW && wanted-- == 0)
            return s;
}

/* "s01 & rise(s05) ^ s0a": up to `most` different signals */
static void random_text(struct test_rng *rng, const struct pc_chip *chip, unsigned domain,
                        unsigned most, char *out, size_t size)
{
    static const char *const ops[] = { "&", "|", "^" };
    unsigned count = 1 + test_rand_below(rng, most);

    out[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        bool late = i == 0 && most <= 4 && chance(rng, 20);
        snprintf(out + strlen(out), size - strlen(out), "%s%s%s%s%02x%s", i ? " " : "",
                 i ? ops[test_rand_below(rng, 3)] : "", i ? " " : "", late ? "prev(s" : "s",
                 some_signal(rng, chip, domain), late ? ")" : "");
    }
}

static void random_sum(struct plan_case *c, struct test_rng *rng, unsigned domain,
                       struct pc_plan_event *e)
{
    bool other = (c->chip->features & PC_F_WIDE_MODES) && chance(rng, 60);

    e->sum_bits = !other ? 4 : chance(rng, 20) ? 2 : 6;
    for (unsigned i = 0; i < e->sum_bits; i++)
        e->sum[i] = some_signal(rng, c->chip, domain);
    e->expr = case_expr(c, chance(rng, 50) ? "1" : c->text[c->events - 1]);
}

static void random_flag(struct plan_case *c, struct test_rng *rng, unsigned domain,
                        struct pc_plan_event *e)
{
    char text[64];
    struct pc_chip_domain place;
    struct pc_chip of_set;
    struct pc_error err;

    assert_true(pc_chip_get_domain(c->chip, domain, &place));
    test_ok(pc_chip_of_set(c->chip, place.set, &of_set, &err), &err);
    int flag = pc_chip_signal_position(&of_set, place.domain, PC_SIG_DOM_FLAG, place.domain);
    if (flag < 0)
        return;
    snprintf(text, sizeof text, "s%02x & s%02x", (unsigned)flag, some_signal(rng, c->chip, domain));
    e->expr = case_expr(c, text);
    snprintf(c->text[c->events - 1], sizeof c->text[0], "%s", text);
    random_text(rng, c->chip, domain, 2, text, sizeof text);
    e->setflag = case_expr(c, text);
    if (chance(rng, 50)) {
        random_text(rng, c->chip, domain, 2, text, sizeof text);
        e->clrflag = case_expr(c, text);
    }
}

static void random_mux(struct plan_case *c, struct test_rng *rng)
{
    static const char *const regs[] = { "A", "B", "C" };
    static const uint32_t masks[] = { 0x0000000f, 0x000000f0, 0xffffffff };

    unsigned first = test_rand_below(rng, 3);

    for (unsigned i = test_rand_below(rng, 2) + 1; i > 0; i--)
        case_mux(c, regs[(first + i) % 3], masks[test_rand_below(rng, 3)],
                 test_rand_below(rng, 3) * 0x11);
}

void case_random(struct plan_case *c, struct test_rng *rng, const struct pc_chip *chip,
                 size_t events, const struct case_taste *taste)
{
    unsigned present = 0, group = 0;
    struct pc_chip_domain d;

    case_begin(c, chip);
    while (pc_chip_get_domain(chip, present, &d))
        present++;
    while (c->events < events) {
        unsigned domain = test_rand_below(rng, present < taste->domains ? present : taste->domains);
        char text[256], name[16];
        random_text(rng, chip, domain, chance(rng, taste->chained) ? 6 : 4, text, sizeof text);
        snprintf(name, sizeof name, "e%zu", c->events);
        struct pc_plan_event *e = case_event(c, name, domain, text);
        if (chance(rng, taste->sum))
            random_sum(c, rng, domain, e);
        else if (chance(rng, taste->flag))
            random_flag(c, rng, domain, e);
        if (chance(rng, taste->pinned))
            e->slots = 1u << test_rand_below(rng, 4);
        if (chance(rng, taste->mux))
            random_mux(c, rng);
        if (chance(rng, taste->group))
            e->group = group ? group : ++group;
        else
            group += group != 0;
        if (pc_plan_check(chip, e, false, NULL) != PC_OK) {
            c->events--; /* not on this chip */
            memset(c->mux[c->events], 0, sizeof c->mux[0]);
        }
        if (c->owned + 4 > sizeof c->own / sizeof c->own[0])
            return;
    }
}
