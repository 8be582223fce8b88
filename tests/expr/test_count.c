/* SPDX-License-Identifier: MIT */
/*
 * Verifies that the counters of the model, programmed with what pc_expr_place() says, count
 * the ones of pc_expr_eval(), from the first cycle on: random expressions in every slot of
 * a domain of every chip that has quad mode.
 */
#include "tree.h"

#include <stdio.h>
#include <string.h>

enum { CYCLES = 200, WORDS = (CYCLES + 63) / 64 };

static const char *const slots[] = { "PRE", "START", "EVENT", "STOP" };

struct bench {
    const struct pc_chip *chip;
    struct pc_unit *unit;
    unsigned domain;
    uint8_t signal[TREE_WIRES]; /* raw signal of each wire */
};

static uint32_t address(const struct bench *b, const char *prefix, const char *slot)
{
    struct pc_reg_info reg;
    struct pc_error err;
    char name[32];

    snprintf(name, sizeof name, "%s%s[%u]", prefix, slot, b->domain);
    test_ok(pc_reg_find(b->chip, name, &reg, &err), &err);
    return reg.address;
}

static uint32_t slot_register(const struct bench *b, unsigned slot, const char *suffix)
{
    char name[16];

    snprintf(name, sizeof name, "%s_%s", slots[slot], suffix);
    return address(b, "", name);
}

static void set_quad(const struct bench *b)
{
    struct pc_reg_info reg;
    struct pc_error err;
    char name[32];
    uint32_t word = 0;
    bool shared = b->chip->layout == PC_LAYOUT_NV10;

    snprintf(name, sizeof name, shared ? "CTRL" : "CTRL[%u]", b->domain);
    test_ok(pc_reg_find(b->chip, name, &reg, &err), &err);
    snprintf(name, sizeof name, shared ? "DOM%u_MODE" : "MODE", b->domain);
    test_ok(pc_reg_set_field(&reg, name, "QUAD", &word, &err), &err);
    pc_unit_write(b->unit, reg.address, word);
}

/* A domain with enough raw signals, and the signals that its wires get. */
static void choose_domain(struct bench *b, struct test_rng *rng)
{
    unsigned found;

    do {
        b->domain = test_rand_below(rng, b->chip->domains);
        found = 0;
        for (unsigned s = 0; s < b->chip->domain[b->domain].size && found < TREE_WIRES; s++)
            if (pc_chip_signal(b->chip, b->domain, s).kind == PC_SIG_RAW)
                b->signal[found++] = (uint8_t)s;
    } while (found < TREE_WIRES);
}

/* An expression that the slot can compute, written into its registers. */
static struct pc_expr *program(struct bench *b, struct test_rng *rng, unsigned slot,
                               char text[TREE_TEXT])
{
    struct tree pool[100];
    struct pc_expr_input in;
    struct pc_error err;

    for (;;) {
        struct pc_expr *e = NULL;
        tree_print(
            tree_random(rng, pool, 100, 1 + test_rand_below(rng, 4), test_rand_below(rng, 2)), rng,
            text);
        test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
        test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
        if (pc_expr_place(e, b->chip, (enum pc_slot)slot, &in, &err) == PC_OK) {
            uint32_t sources = 0;
            for (unsigned i = 0; i < 4; i++)
                if (in.source[i] != PC_NO_WIRE)
                    sources |= (uint32_t)b->signal[in.source[i]] << 8 * i;
            pc_unit_write(b->unit, slot_register(b, slot, "SRC"), sources);
            pc_unit_write(b->unit, slot_register(b, slot, "OP"), in.op);
            return e;
        }
        assert_int_equal(err.status, PC_EUNFIT);
        pc_expr_free(e);
    }
}

static void step(struct bench *b, const uint64_t plane[TREE_WIRES][WORDS], unsigned cycle)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    for (unsigned w = 0; plane && w < TREE_WIRES; w++)
        raw[b->domain][b->signal[w] / 64] |= (plane[w][cycle / 64] >> cycle % 64 & 1)
                                             << b->signal[w] % 64;
    pc_unit_step(b->unit, 1u << b->domain, (const uint64_t(*)[PC_SIG_WORDS])raw);
}

static unsigned ones(const uint64_t *words)
{
    unsigned n = 0;

    for (unsigned w = 0; w < WORDS; w++)
        for (uint64_t x = words[w]; x; x &= x - 1)
            n++;
    return n;
}

static void one_bench(struct test_rng *rng, const struct pc_chip *chip)
{
    struct bench b = { .chip = chip };
    struct pc_unit_desc desc = { .chip = chip };
    struct pc_expr *e[4];
    static char text[4][TREE_TEXT];
    uint64_t plane[TREE_WIRES][WORDS], out[WORDS];
    const uint64_t *value[TREE_WIRES];
    struct pc_error err;

    test_ok(pc_unit_create(&desc, &b.unit, &err), &err);
    choose_domain(&b, rng);
    for (unsigned s = 0; s < 4; s++)
        e[s] = program(&b, rng, s, text[s]);
    for (unsigned w = 0; w < TREE_WIRES; w++) {
        value[w] = plane[w];
        for (unsigned i = 0; i < WORDS; i++)
            plane[w][i] = test_rand(rng);
    }
    step(&b, NULL, 0);
    set_quad(&b);
    for (unsigned t = 0; t < CYCLES; t++)
        step(&b, (const uint64_t(*)[WORDS])plane, t);
    pc_unit_pulse(b.unit, PC_PULSE_PM_TRIGGER, 0);
    step(&b, NULL, 0);
    assert_int_equal(pc_unit_read(b.unit, address(&b, "CTR_", "CYCLES")), CYCLES);
    for (unsigned s = 0; s < 4; s++) {
        pc_expr_eval(e[s], value, NULL, WORDS, CYCLES, out, NULL);
        unsigned counted = pc_unit_read(b.unit, address(&b, "CTR_", slots[s]));
        if (counted != ones(out))
            fail_msg("%s domain %u %s: %s: counted %u, evaluated %u", chip->name, b.domain,
                     slots[s], text[s], counted, ones(out));
        pc_expr_free(e[s]);
    }
    pc_unit_destroy(b.unit);
}

static void model_counts_what_is_evaluated(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(3, &seed);
    unsigned chips = 0;

    (void)state;
    print_message("PC_SEED=%llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (!(chip->features & PC_F_QUAD) || chip->domains == 0 || chip->layout == PC_LAYOUT_GF100)
            continue;
        chips++;
        for (int round = 0; round < 20; round++)
            one_bench(&rng, chip);
    }
    assert_true(chips > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(model_counts_what_is_evaluated) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
