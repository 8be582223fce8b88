/* SPDX-License-Identifier: MIT */
/* Monitors and the finder where memory runs out, and limits that are reached. */
#include "heap.h"
#include "pcounter/unstable/bus.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 8, PLANES = 40 };

struct planes {
    uint64_t word[PLANES][WORDS];
    const uint64_t *value[PLANES], *unknown[PLANES];
    uint64_t none[WORDS];
};

static void fill(struct planes *p)
{
    struct test_rng rng = { 77 };

    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < PLANES; i++) {
        for (unsigned w = 0; w < WORDS; w++)
            p->word[i][w] = test_rand(&rng);
        p->value[i] = p->word[i];
        p->unknown[i] = p->none;
    }
}

/* A bus of that protocol, each role of as many planes as it may have, up to 4. */
static struct pc_bus_desc desc_of(const char *name, const struct pc_alloc *alloc,
                                  uint32_t wire[PLANES])
{
    struct pc_bus_desc desc = { .alloc = alloc };
    struct pc_bus_role role;
    struct pc_error err;
    uint32_t at = 0;

    test_ok(pc_bus_protocol_find(name, &desc.protocol, &err), &err);
    for (uint32_t i = 0; i < PLANES; i++)
        wire[i] = i;
    for (size_t i = 0; pc_bus_role_at(desc.protocol, i, &role); i++) {
        desc.role[i].width = role.most < 4 ? role.most : 4;
        desc.role[i].wire = wire + at % (PLANES - 4);
        at += desc.role[i].width;
    }
    return desc;
}

static enum pc_status measure(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const char *name = ctx;
    uint32_t wire[PLANES];
    struct planes p;
    struct pc_bus *bus = NULL;
    struct pc_bus_group g;
    struct pc_dist_figures f;
    uint64_t id;
    struct pc_bus_desc desc = desc_of(name, alloc, wire);

    fill(&p);
    enum pc_status status = pc_bus_create(&desc, &bus, err);
    for (unsigned k = 0; k < 3 && status == PC_OK; k++)
        status = pc_bus_add(bus, 64 * WORDS, p.value, p.unknown, err);
    for (unsigned pass = 0; pass < 2 && status == PC_OK; pass++) {
        if (pass == 1) /* from now on only one way of pairing is told */
            pc_bus_finish(bus);
        for (size_t i = 0; status == PC_OK && pc_bus_group_at(bus, i, &g) == PC_OK; i++) {
            for (unsigned d = 0; d < PC_BUS_DISTS && status == PC_OK; d++)
                if (g.dist[d])
                    status = pc_dist_get_figures(g.dist[d], &f, err);
            for (size_t k = 0; k < g.ids && status == PC_OK; k++)
                status = pc_dist_get_figures(pc_bus_of_id(bus, i, k, &id), &f, err);
        }
    }
    pc_bus_destroy(bus);
    return status;
}

static void monitors(void **state)
{
    const struct pc_bus_protocol *p;
    (void)state;

    for (size_t i = 0; (p = pc_bus_protocol_at(i)) != NULL; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s", pc_bus_protocol_name(p));
        test_refuse_each(measure, name, 3);
    }
}

static enum pc_status watch(struct pc_bus_list *list, struct pc_error *err)
{
    struct test_rng rng = { 78 };
    enum pc_bus_evidence evidence;
    struct pc_bus_bit bit;

    for (uint64_t t = 0; t < 300; t++) {
        uint64_t value[2] = { 0 }, unknown[2] = { 0 };
        const uint64_t moves = t % 2 ? 0 : test_rand(&rng);
        for (size_t i = 0; i < 128 && pc_bus_list_bit(list, i, &bit) == PC_OK; i++) {
            const bool level = bit.signal == 0   ? t % 2 == 0
                               : bit.signal == 1 ? t > 4
                                                 : moves >> i % 64 & 1;
            value[i / 64] |= (uint64_t)level << i % 64;
        }
        const enum pc_status status = pc_bus_watch(list, 5 * t, value, unknown, &evidence, err);
        if (status)
            return status;
    }
    return PC_OK;
}

/* Buses by their names; with a context also what data say of their clocks and resets. */
static enum pc_status find(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    static const struct pc_bus_signal signal[] = {
        { "tb.clk", 1, 0, 0, 0 },
        { "tb.rst_n", 1, 0, 0, 1 },
        { "tb.a_valid", 2, 1, 0, 2 },
        { "tb.a_ready", 2, 1, 0, 3 },
        { "tb.a", 8, 7, 0, 4 },
        { "tb.wb_stb", 1, 0, 0, 5 },
        { "tb.wb_ack", 1, 0, 0, 6 },
        { "tb.wb_cyc", 1, 0, 0, 7 },
        { "tb.bus_cmd_valid", 1, 0, 0, 8 },
        { "tb.bus_cmd_ready", 1, 0, 0, 9 },
        { "tb.bus_rsp_valid", 1, 0, 0, 10 },
    };
    struct pc_bus_list *list = NULL;

    enum pc_status status = pc_bus_find(alloc, signal, sizeof signal / sizeof *signal, &list, err);
    if (status == PC_OK && ctx)
        status = watch(list, err);
    if (status == PC_OK && ctx)
        status = pc_bus_judge(list, err);
    pc_bus_list_destroy(list);
    return status;
}

static void finder(void **state)
{
    (void)state;
    test_refuse_each(find, NULL, 8);
    test_refuse_each(find, "by data", 20);
}

static void too_many_are_open(void **state)
{
    uint64_t ones[WORDS], none[WORDS] = { 0 };
    const uint64_t *value[] = { ones, none }, *unknown[] = { none, none };
    const uint32_t wire[] = { 0, 1 };
    struct pc_bus_desc desc = { .most_open = 100 };
    struct pc_bus *bus;
    struct pc_error err;
    size_t role;
    (void)state;

    memset(ones, 0xff, sizeof ones);
    test_ok(pc_bus_protocol_find("obi", &desc.protocol, &err), &err);
    test_ok(pc_bus_role_find(desc.protocol, "valid", &role, &err), &err);
    desc.role[role] = (struct pc_bus_wires){ .width = 1, .wire = &wire[0] };
    test_ok(pc_bus_role_find(desc.protocol, "rvalid", &role, &err), &err);
    desc.role[role] = (struct pc_bus_wires){ .width = 1, .wire = &wire[1] };
    test_ok(pc_bus_create(&desc, &bus, &err), &err);
    assert_int_equal(pc_bus_add(bus, 100, value, unknown, &err), PC_OK);
    assert_int_equal(pc_bus_add(bus, 1, value, unknown, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1802);
    pc_bus_destroy(bus);
}

/* Where identifiers or the protocol pair them, only the limit of the description counts. */
static void many_are_open(void **state)
{
    static const char *const ones_of[] = { "arvalid", "arready", "awvalid", "awready",
                                           "wvalid",  "wready",  "rready",  "bready" };
    static const char *const none_of[] = { "rvalid", "bvalid" };
    enum { CYCLES = 1100, ALL = (CYCLES + 63) / 64 };
    uint64_t ones[ALL], none[ALL] = { 0 };
    const uint64_t *value[] = { ones, none }, *unknown[] = { none, none };
    const uint32_t wire[] = { 0, 1 };
    struct pc_bus_desc desc = { .most_open = 0 };
    struct pc_bus_group g;
    struct pc_bus *bus;
    struct pc_error err;
    unsigned transactions = 0;
    size_t role;
    (void)state;

    memset(ones, 0xff, sizeof ones);
    test_ok(pc_bus_protocol_find("axi4-lite", &desc.protocol, &err), &err);
    for (size_t i = 0; i < sizeof ones_of / sizeof *ones_of; i++) {
        test_ok(pc_bus_role_find(desc.protocol, ones_of[i], &role, &err), &err);
        desc.role[role] = (struct pc_bus_wires){ .width = 1, .wire = &wire[0] };
    }
    for (size_t i = 0; i < 2; i++) {
        test_ok(pc_bus_role_find(desc.protocol, none_of[i], &role, &err), &err);
        desc.role[role] = (struct pc_bus_wires){ .width = 1, .wire = &wire[1] };
    }
    test_ok(pc_bus_create(&desc, &bus, &err), &err);
    test_ok(pc_bus_add(bus, CYCLES, value, unknown, &err), &err);
    pc_bus_finish(bus);
    for (size_t i = 0; pc_bus_group_at(bus, i, &g) == PC_OK; i++)
        if (g.kind == PC_BUS_TRANSACTIONS) {
            assert_int_equal(g.most_outstanding, CYCLES);
            transactions++;
        }
    assert_int_equal(transactions, 2);
    pc_bus_destroy(bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(monitors), cmocka_unit_test(finder),
                                        cmocka_unit_test(too_many_are_open),
                                        cmocka_unit_test(many_are_open) };

    return cmocka_run_group_tests_name("bus_refuse", tests, NULL, NULL);
}
