/* SPDX-License-Identifier: MIT */
/*
 * Which response belongs to which request: a way of pairing fits if no response comes with nothing
 * outstanding, and if what is outstanding does not grow over the run.
 */
#include "test.h"
#include "pcounter/unstable/bus.h"

#include <string.h>

enum { CYCLES = 2048, VALID = 0, WE, RVALID, RESET, PLANES };

/* Cycles: r a read, w a write, a an answer, R and W with an answer, ! a reset, . nothing. */
struct traffic {
    const char *what;
    const char *protocol;
    bool writes; /* the bus tells reads from writes */
    struct {
        const char *cycles;
        unsigned times;
    } part[6];
    const char *how; /* if it fits */
    const char *why; /* NULL: it fits */
    uint64_t completed;
};

#define EACH        "request-response", false
#define BOTH        "request-response", true
#define OBI         "obi", false
#define READS_ALONE "reads alone (writes have no response)"
static const struct traffic traffics[] = {
    { "each is answered", BOTH, { { "wara", 20 } }, NULL, NULL, 40 },
    { "writes are posted", BOTH, { { "wra", 20 } }, READS_ALONE, NULL, 20 },
    { "writes alone are answered", BOTH, { { "wa", 20 } }, NULL, NULL, 20 },
    { "two each", EACH, { { "raa", 20 } }, "2 responses to each", NULL, 20 },
    { "answered at once", OBI, { { "r", 1 }, { "R", 20 }, { "a", 1 } }, NULL, NULL, 21 },
    /* a response before the first request is one to a request before the file, or the reset */
    { "from before", OBI, { { "a", 1 }, { "ra", 20 } }, NULL, NULL, 20 },
    { "from before a reset", OBI, { { "ra", 5 }, { "!aa", 1 }, { "ra", 5 } }, NULL, NULL, 10 },
    { "without a request",
      OBI,
      { { "ra", 20 }, { "a", 1 }, { "ra", 20 } },
      NULL,
      "the response at edge 40 has no outstanding request",
      0 },
    { "reads alone fail earlier",
      BOTH,
      { { "rawa", 10 }, { "aaaa", 120 } },
      NULL,
      "the response at edge 40 has no outstanding request",
      0 },
    /* at most 1024 are outstanding where there is another way */
    { "too many",
      EACH,
      { { "r", 1100 } },
      NULL,
      "too many requests are outstanding at edge 1024",
      0 },
    { "not yet too many", EACH, { { "r", 1024 } }, NULL, NULL, 0 },
    /* of a few responses: one request more */
    { "3 and 4", OBI, { { "raraRrrra", 1 }, { "r", 1 } }, NULL, NULL, 4 },
    { "of 3, 4", OBI, { { "ra", 3 }, { "r", 4 } }, NULL, NULL, 3 },
    { "of 3, 5",
      OBI,
      { { "ra", 3 }, { "r", 5 } },
      NULL,
      "more and more requests stay outstanding, 5 of 8 at the end",
      0 },
    { "of none, 9", OBI, { { "r", 9 } }, NULL, NULL, 0 },
    { "of one of many, 3",
      EACH,
      { { "rrrra", 1 } },
      NULL,
      "more and more requests stay outstanding, 3 of 4 at the end",
      0 },
    /* of 4 to 15: 1 at some time after half of them, or 2 at the end */
    { "of 4, 2", OBI, { { "rrr", 1 }, { "Ra", 3 } }, NULL, NULL, 6 },
    { "of 4, 3",
      OBI,
      { { "rrr", 1 }, { "R", 4 } },
      NULL,
      "more and more requests stay outstanding, 3 of 7 at the end",
      0 },
    { "of 5, 3, but 1 at the second",
      OBI,
      { { "rrraa", 1 }, { "rrr", 1 }, { "R", 3 } },
      NULL,
      NULL,
      5 },
    { "of 5, 3, but 1 at the first",
      OBI,
      { { "rra", 1 }, { "rr", 1 }, { "R", 4 } },
      NULL,
      "more and more requests stay outstanding, 3 of 8 at the end",
      0 },
    { "of 5, 3, but 2 at the second",
      OBI,
      { { "rrrraar", 1 }, { "R", 3 } },
      NULL,
      "more and more requests stay outstanding, 3 of 8 at the end",
      0 },
    { "of 15, 3",
      OBI,
      { { "rrr", 1 }, { "R", 15 } },
      NULL,
      "more and more requests stay outstanding, 3 of 18 at the end",
      0 },
    { "of 16, 3", OBI, { { "rrr", 1 }, { "R", 16 } }, NULL, NULL, 16 },
    { "of 16, 3 at once",
      OBI,
      { { "ra", 15 }, { "rrrra", 1 } },
      NULL,
      "more and more requests stay outstanding, 3 of 19 at the end",
      0 },
    /* of more: in the last octave half more than in those before the one before it, and 2 */
    { "none and 3",
      OBI,
      { { "ra", 15 }, { "rrr", 1 }, { "R", 17 } },
      NULL,
      "more and more requests stay outstanding, 3 of 35 at the end",
      0 },
    { "4 at the first, and 8",
      OBI,
      { { "rrrrraaaaa", 1 }, { "ra", 10 }, { "rrrrrrrr", 1 }, { "R", 20 } },
      NULL,
      NULL,
      35 },
    { "4 and 8",
      OBI,
      { { "rr", 1 }, { "R", 14 }, { "rr", 1 }, { "R", 1 }, { "rrrr", 1 }, { "R", 33 } },
      NULL,
      NULL,
      48 },
    { "4 and 9",
      OBI,
      { { "rr", 1 }, { "R", 14 }, { "rr", 1 }, { "R", 1 }, { "rrrrr", 1 }, { "R", 33 } },
      NULL,
      "more and more requests stay outstanding, 9 of 57 at the end",
      0 },
    { "5 and 9",
      OBI,
      { { "rr", 1 }, { "R", 14 }, { "rrr", 1 }, { "R", 1 }, { "rrrr", 1 }, { "R", 33 } },
      NULL,
      NULL,
      48 },
    { "5 and 10",
      OBI,
      { { "rr", 1 }, { "R", 14 }, { "rrr", 1 }, { "R", 1 }, { "rrrrr", 1 }, { "R", 33 } },
      NULL,
      "more and more requests stay outstanding, 10 of 58 at the end",
      0 },
    { "more and more",
      OBI,
      { { "rra", 50 } },
      NULL,
      "more and more requests stay outstanding, 50 of 100 at the end",
      0 },
    { "more and more, until a reset",
      OBI,
      { { "rra", 50 }, { "!", 1 }, { "rr", 1 } },
      NULL,
      NULL,
      50 },
    { "more and more, also after a reset",
      OBI,
      { { "rra", 50 }, { "!", 1 }, { "rrr", 1 } },
      NULL,
      "more and more requests stay outstanding, 3 of 103 at the end",
      0 },
};

static void put(uint64_t plane[][CYCLES / 64], size_t cycle, char c)
{
    const bool is[PLANES] = { [VALID] = strchr("rwRW", c) != NULL,
                              [WE] = strchr("wW", c) != NULL,
                              [RVALID] = strchr("aRW", c) != NULL,
                              [RESET] = c == '!' };

    for (size_t i = 0; i < PLANES; i++)
        plane[i][cycle / 64] |= (uint64_t)is[i] << cycle % 64;
}

static void set_role(struct pc_bus_desc *desc, const char *name, const uint32_t *wire)
{
    struct pc_error err;
    size_t role;

    test_ok(pc_bus_role_find(desc->protocol, name, &role, &err), &err);
    desc->role[role] = (struct pc_bus_wires){ .width = 1, .wire = wire };
}

static struct pc_bus *bus_of(const struct traffic *t)
{
    static const uint32_t wire[PLANES] = { VALID, WE, RVALID, RESET };
    struct pc_bus_desc desc = { .has_reset = true, .reset = RESET };
    struct pc_bus *bus;
    struct pc_error err;

    test_ok(pc_bus_protocol_find(t->protocol, &desc.protocol, &err), &err);
    set_role(&desc, "valid", &wire[VALID]);
    set_role(&desc, "rvalid", &wire[RVALID]);
    if (t->writes)
        set_role(&desc, "we", &wire[WE]);
    test_ok(pc_bus_create(&desc, &bus, &err), &err);
    return bus;
}

static uint64_t completed(struct pc_bus *bus)
{
    struct pc_bus_group g;

    for (size_t i = 0; pc_bus_group_at(bus, i, &g) == PC_OK; i++)
        if (g.kind == PC_BUS_TRANSACTIONS)
            return g.count[PC_BUS_COMPLETED];
    return 0;
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void each_way_of_pairing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof traffics / sizeof *traffics; i++) {
        const struct traffic *t = &traffics[i];
        uint64_t plane[PLANES][CYCLES / 64] = { 0 }, none[CYCLES / 64] = { 0 };
        const uint64_t *value[PLANES], *unknown[PLANES];
        struct pc_bus_pairing p;
        struct pc_error err;
        size_t cycles = 0;

        for (size_t k = 0; k < 6 && t->part[k].cycles; k++)
            for (unsigned n = 0; n < t->part[k].times; n++)
                for (const char *c = t->part[k].cycles; *c; c++)
                    put(plane, cycles++, *c);
        for (size_t k = 0; k < PLANES; k++) {
            value[k] = plane[k];
            unknown[k] = none;
        }
        struct pc_bus *bus = bus_of(t);
        test_ok(pc_bus_add(bus, cycles, value, unknown, &err), &err);
        pc_bus_finish(bus);
        pc_bus_get_pairing(bus, &p);
        if (!p.guessed || p.fits != !t->why || !same(p.how, t->how) || !same(p.why, t->why) ||
            completed(bus) != t->completed)
            fail_msg("%s: how %s, why %s, %u completed", t->what, p.how ? p.how : "-",
                     p.why ? p.why : "-", (unsigned)completed(bus));
        pc_bus_destroy(bus);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_way_of_pairing) };

    return cmocka_run_group_tests_name("bus_pairing", tests, NULL, NULL);
}
