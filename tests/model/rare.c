/* SPDX-License-Identifier: MIT */
/* What a unit and the idle counters do by switches, and in cases that hardly ever happen. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "model/unit/state.h"

static struct pc_unit *make(const char *chip)
{
    const struct pc_unit_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_unit *u = NULL;
    struct pc_error err;

    test_ok(pc_unit_create(&desc, &u, &err), &err);
    return u;
}

static uint32_t address_of(const struct pc_unit *u, const char *name)
{
    struct pc_reg_info reg;
    struct pc_error err;

    test_ok(pc_reg_find(u->chip, name, &reg, &err), &err);
    return reg.address;
}

static void write_field(struct pc_unit *u, const char *name, const char *field, const char *value)
{
    struct pc_reg_info reg;
    struct pc_error err;
    uint32_t word = 0;

    test_ok(pc_reg_find(u->chip, name, &reg, &err), &err);
    test_ok(pc_reg_set_field(&reg, field, value, &word, &err), &err);
    pc_unit_write(u, reg.address, word);
}

static void step(struct pc_unit *u)
{
    static const uint64_t none[PC_MAX_DOMAINS][PC_SIG_WORDS];

    pc_unit_step(u, 0xff, none);
}

/* D-49, D-56: entering quad mode keeps the shadows, or clears them; leaving it keeps QUAD_STATE, or
 * makes it EMPTY. */
static void quad_mode_begins_and_ends(void **state)
{
    (void)state;
    for (unsigned clears = 0; clears < 2; clears++) {
        struct pc_unit *u = make("G92");
        struct pc_domain *d = &u->state.domain[1];
        test_ok(pc_unit_option(u, "quad-entry", clears ? "clear" : "keep", NULL), NULL);
        test_ok(pc_unit_option(u, "quad-exit", clears ? "empty" : "keep", NULL), NULL);
        d->shadow.stop = 77;
        write_field(u, "CTRL[1]", "MODE", "QUAD");
        step(u);
        assert_int_equal(d->shadow.stop, clears ? 0 : 77);
        d->quad_state = PC_VALID;
        write_field(u, "CTRL[1]", "MODE", "SINGLE");
        step(u);
        assert_int_equal(d->quad_state, clears ? PC_EMPTY : PC_VALID);
        pc_unit_destroy(u);
    }
}

/* D-31: a write of CTRL leaves the PERIODIC generator alone, or restarts it. */
static void periodic_goes_on(void **state)
{
    (void)state;
    for (unsigned restarts = 0; restarts < 2; restarts++) {
        struct pc_unit *u = make("G92");
        struct pc_domain *d = &u->state.domain[1];
        test_ok(pc_unit_option(u, "periodic-restart", restarts ? "on" : "off", NULL), NULL);
        for (unsigned i = 0; i < 10; i++)
            step(u);
        assert_int_equal(d->periodic, 10);
        write_field(u, "CTRL[1]", "PERIODIC_PERIOD", "0x400");
        step(u);
        assert_int_equal(d->periodic, restarts ? 1 : 11);
        pc_unit_destroy(u);
    }
}

/* PC.QUAD.11: two acks in one gap count twice, and a third one has nothing left to take. */
static void three_acks_in_one_gap(void **state)
{
    struct pc_unit *u = make("NV34");
    const uint32_t ack = address_of(u, "QUAD_ACK_TRIGGER");

    (void)state;
    u->state.domain[0].quad_state = PC_OVERFLOW;
    for (unsigned i = 0; i < 3; i++)
        pc_unit_write(u, ack, 1);
    assert_int_equal(u->state.domain[0].pending.acks, 2);
    step(u);
    assert_int_equal(u->state.domain[0].quad_state, PC_EMPTY);
    pc_unit_destroy(u);
}

/* The other GPC's registers are not this unit's. */
static void another_unit_of_the_set(void **state)
{
    const struct pc_unit_desc desc = { .chip = pc_chip_find("GK104"),
                                       .set = PC_SET_GPC,
                                       .index = 1 };
    struct pc_unit *u = NULL;
    struct pc_error err;
    struct pc_reg_info here, there;

    (void)state;
    test_ok(pc_unit_create(&desc, &u, &err), &err);
    test_ok(pc_reg_find(desc.chip, "gpc1.0.EVENT_OP", &here, &err), &err);
    test_ok(pc_reg_find(desc.chip, "gpc0.0.EVENT_OP", &there, &err), &err);
    pc_unit_write(u, here.address, 0x1234);
    assert_int_equal(pc_unit_read(u, here.address), 0x1234);
    pc_unit_write(u, there.address, 0x4321);
    assert_int_equal(pc_unit_read(u, here.address), 0x1234);
    assert_int_equal(pc_unit_read(u, there.address), 0);
    pc_unit_destroy(u);
}

/* A packet of stream-out that has no memory to go to is lost, and the unit says so. */
static void a_stream_without_memory(void **state)
{
    const struct pc_unit_desc desc = { .chip = pc_chip_find("GK20A"), .set = PC_SET_HUB };
    struct pc_unit *u = NULL;
    struct pc_error err;

    (void)state;
    test_ok(pc_unit_create(&desc, &u, &err), &err);
    assert_int_equal(pc_unit_diagnostics(u, 0) & PC_DIAG_RECORD_LOST, 0);
    pc_stream_send(u, 0, &u->state.domain[0]);
    assert_int_equal(pc_unit_diagnostics(u, 0) & PC_DIAG_RECORD_LOST, PC_DIAG_RECORD_LOST);
    pc_unit_destroy(u);
}

/* Domains that a domain looks at: by each source of each input, and on NV10:NV30 by the flag's own.
 */
static void domains_that_are_looked_at(void **state)
{
    static const char *const chips[] = { "NV20", "G92" };

    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct pc_unit *u = make(chips[c]);
        struct pc_domain *d = &u->state.domain[0];
        const unsigned flag = (unsigned)u->slots[0].flag[1];
        const unsigned inputs = c == 0 ? PC_INPUTS : PC_IN_SETFLAG;
        assert_int_equal(pc_selects(u, 0), 0);
        for (unsigned s = 0; s < 4 * PC_INPUTS; s++) {
            d->src[s / 4] = flag << 8 * (s % 4);
            assert_int_equal(pc_selects(u, 0), s / 4 < inputs ? 2 : 0);
            d->src[s / 4] = 0;
        }
        if (c == 1) {
            d->src[PC_IN_PRE] = (uint32_t)u->slots[0].event[5] << 16;
            d->spec_src = (uint32_t)u->slots[0].event[7];
            assert_int_equal(pc_selects(u, 0), 1u << 5 | 1u << 7);
        }
        pc_unit_destroy(u);
    }
}

/* What is remembered of a cycle is remembered in the domains that have an edge. */
static void domains_without_an_edge_rest(void **state)
{
    static const uint64_t ones[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { UINT64_MAX }, { UINT64_MAX } };
    static const enum pc_flag_action rests[PC_MAX_DOMAINS] = { PC_FLAG_FROZEN };
    struct pc_unit *u = make("NV34");
    const struct pc_domain before = u->state.domain[1];

    (void)state;
    pc_unit_remember(u, 1, ones, rests);
    assert_memory_equal(&u->state.domain[1], &before, sizeof before);
    assert_true(u->state.domain[0].vector[0] != 0);
    pc_unit_remember(u, 2, ones, rests);
    assert_true(u->state.domain[1].vector[0] != 0);
    pc_unit_destroy(u);
}

static void governors_by_name(void **state)
{
    (void)state;
    assert_null(pc_governor_find(NULL));
    assert_null(pc_governor_find("nobody"));
    for (size_t i = 0; pc_governor_at(i); i++)
        assert_ptr_equal(pc_governor_find(pc_governor_at(i)->name), pc_governor_at(i));
}

static void masks_of_idle_signals(void **state)
{
    const struct pc_chip *chip = pc_chip_find("GF100");
    const char *first = pc_idle_signal_at(chip, 0)->name;
    char text[200];
    struct pc_error err;
    uint32_t mask = 0;

    (void)state;
    test_ok(pc_idle_mask(chip, "0x1f", &mask, &err), &err);
    assert_int_equal(mask, 0x1f);
    test_ok(pc_idle_mask(chip, "31", &mask, &err), &err);
    assert_int_equal(mask, 31);
    test_ok(pc_idle_mask(chip, first, &mask, &err), &err);
    assert_int_equal(mask, UINT32_C(1) << pc_idle_signal_at(chip, 0)->bit);
    assert_int_not_equal(pc_idle_mask(chip, "0x100000000", &mask, &err), PC_OK);
    assert_non_null(strstr(err.hint, "no leading zeros"));
    snprintf(text, sizeof text, "%s|%sX", first, first);
    assert_int_not_equal(pc_idle_mask(chip, text, &mask, &err), PC_OK);
    assert_int_equal(err.column, strlen(first) + 2);
    assert_non_null(strstr(err.hint, first));
    memset(text, 'q', 100);
    text[100] = '\0';
    assert_int_not_equal(pc_idle_mask(chip, text, &mask, &err), PC_OK);
    assert_string_equal(err.hint, "");
}

/* A mask of more than four wires, and an option that is no idle counter's. */
static void idle_counters_of_many_wires(void **state)
{
    const struct pc_idle_desc desc = { .chip = pc_chip_find("GF100") };
    struct pc_idle *idle = NULL;
    uint64_t word[32][2];
    struct pc_error err;
    struct test_rng rng = test_rng_start(5, NULL);
    uint32_t mask = 0, want = 0, v;

    (void)state;
    test_ok(pc_idle_create(&desc, &idle, &err), &err);
    assert_int_equal(pc_idle_option(idle, "host-bus", "off", &err), PC_EARG);
    assert_int_equal(err.code, 405);
    for (size_t i = 0; i < 6; i++)
        mask |= UINT32_C(1) << pc_idle_signal_at(desc.chip, i)->bit;
    for (unsigned b = 0; b < 32; b++)
        for (unsigned w = 0; w < 2; w++)
            word[b][w] = test_rand(&rng) | test_rand(&rng) | test_rand(&rng);
    for (unsigned t = 3; t < 120; t++) {
        bool all = true;
        for (unsigned b = 0; b < 32; b++)
            all &= !(mask >> b & 1) || (word[b][t / 64] >> t % 64 & 1);
        want += all;
    }
    assert_true(want > 10);
    pc_idle_write(idle, PC_IDLE_HOST, 0x10a504, mask);
    pc_idle_write(idle, PC_IDLE_HOST, 0x10a50c, 1);
    for (unsigned t = 3; t < 120; t++) {
        uint32_t wires = 0;
        for (unsigned b = 0; b < 32; b++)
            wires |= (uint32_t)(word[b][t / 64] >> t % 64 & 1) << b;
        pc_idle_run(idle, wires, 1);
    }
    assert_true(pc_idle_read(idle, PC_IDLE_HOST, 0x10a508, &v));
    assert_int_equal(v, want);
    pc_idle_destroy(idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quad_mode_begins_and_ends),
        cmocka_unit_test(periodic_goes_on),
        cmocka_unit_test(three_acks_in_one_gap),
        cmocka_unit_test(another_unit_of_the_set),
        cmocka_unit_test(governors_by_name),
        cmocka_unit_test(a_stream_without_memory),
        cmocka_unit_test(domains_that_are_looked_at),
        cmocka_unit_test(domains_without_an_edge_rest),
        cmocka_unit_test(masks_of_idle_signals),
        cmocka_unit_test(idle_counters_of_many_wires),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
