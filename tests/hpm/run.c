/* SPDX-License-Identifier: MIT */
/*
 * Blocks are steps: run equals step from random states, in random configurations, cut at
 * random places, and with every kernel; count is what uninhibited counters would see; advance is
 * many equal steps.
 */
#include "hpm_test.h"

#include <string.h>

#include "model/hpm/hpm.h"
#include "kernel/kernel.h"

enum { CLOCKS = 300, WORDS = CLOCKS / 64 + 2 };

/* Bit planes of a stretch of random inputs; some planes are left out. */
struct planes {
    uint64_t debug[WORDS], line[PC_HPM_LINES][WORDS], valid[3][32][WORDS];
    struct {
        uint64_t ack[WORDS], fu[4][WORDS], op_add[WORDS], op_jalr[WORDS], rd[5][WORDS];
        uint64_t known[WORDS], rs1[5][WORDS];
    } port[PC_HPM_MAX_PORTS];
};

static void set(uint64_t *plane, unsigned t, unsigned bit)
{
    plane[t / 64] |= (uint64_t)(bit & 1) << (t % 64);
}

static void fill(struct planes *p, unsigned t, const struct pc_hpm_in *in)
{
    set(p->debug, t, in->mode.debug);
    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        set(p->line[i], t, in->lines >> i);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 32; k++)
            set(p->valid[i][k], t, in->way_valid[i] >> k);
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++) {
        const struct pc_hpm_port *q = &in->port[i];
        set(p->port[i].ack, t, q->ack);
        set(p->port[i].op_add, t, q->op == PC_HPM_OP_ADD);
        set(p->port[i].op_jalr, t, q->op == PC_HPM_OP_JALR);
        set(p->port[i].known, t, q->rs1_known);
        for (unsigned k = 0; k < 5; k++) {
            set(p->port[i].rd[k], t, (unsigned)q->rd >> k);
            set(p->port[i].rs1[k], t, (unsigned)q->rs1 >> k);
            if (k < 4)
                set(p->port[i].fu[k], t, (unsigned)q->fu >> k);
        }
    }
}

static void point(struct pc_hpm_block *b, const struct planes *p)
{
    memset(b, 0, sizeof *b);
    b->debug = p->debug;
    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        b->line[i] = p->line[i];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 32; k++)
            b->way_valid[i][k] = p->valid[i][k];
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++) {
        b->port[i].ack = p->port[i].ack;
        b->port[i].op_add = p->port[i].op_add;
        b->port[i].op_jalr = p->port[i].op_jalr;
        b->port[i].rs1_known = p->port[i].known;
        for (unsigned k = 0; k < 5; k++) {
            b->port[i].rd[k] = p->port[i].rd[k];
            b->port[i].rs1[k] = p->port[i].rs1[k];
            if (k < 4)
                b->port[i].fu[k] = p->port[i].fu[k];
        }
    }
}

static void random_state(struct test_rng *rng, struct pc_hpm *h)
{
    const struct pc_hpm_config *c = pc_hpm_get_config(h);
    struct pc_hpm_state s;
    struct pc_error err;

    memset(&s, 0, sizeof s);
    s.counter[0] = UINT64_MAX - test_rand_below(rng, 500); /* near its end */
    s.counter[2] = UINT32_MAX - test_rand_below(rng, 500);
    for (unsigned i = 3; i <= 8 && c->perf_counter_en; i++) {
        s.counter[i] = test_rand(rng);
        s.selector[i] = (uint8_t)test_rand_below(rng, 32);
    }
    if (c->perf_counter_en)
        s.inhibit = (uint32_t)(test_rand(rng) & test_rand(rng)) & 0x1fd;
    test_ok(pc_hpm_set_state(h, &s, &err), &err);
}

/* A preset with other ports, ways and debug. */
static struct pc_hpm_config random_config(struct test_rng *rng)
{
    static const uint8_t ways[] = { 1, 2, 4, 7, 8, 9, 16, 31, 32 };
    struct pc_hpm_config c = *pc_hpm_config_at(test_rand_below(rng, 14));

    c.commit_ports = (uint8_t)(1 + test_rand_below(rng, 2));
    c.dcache_ways = ways[test_rand_below(rng, sizeof ways)];
    c.debug = test_rand_below(rng, 4) != 0;
    return c;
}

static void same_state(const struct pc_hpm *a, const struct pc_hpm *b, uint64_t seed, unsigned turn)
{
    struct pc_hpm_state x, y;

    pc_hpm_get_state(a, &x);
    pc_hpm_get_state(b, &y);
    for (unsigned c = 0; c <= 8; c++)
        if (x.counter[c] != y.counter[c])
            fail_msg("seed %llu turn %u: counter %u (event %u): run %llx, step %llx",
                     (unsigned long long)seed, turn, c, x.selector[c],
                     (unsigned long long)x.counter[c], (unsigned long long)y.counter[c]);
    assert_memory_equal(&x, &y, sizeof x);
}

/* Verifies that run is step, whole and cut at random places. */
static void run_is_step(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(2024, &seed);
    static struct planes planes;

    (void)state;
    for (unsigned turn = 0; turn < 400; turn++) {
        const struct pc_hpm_config config = random_config(&rng);
        const uint32_t quirks = (uint32_t)test_rand(&rng) & 0xfff;
        struct pc_hpm *wide = hpm_of(&config, "spec", quirks, ~quirks);
        struct pc_hpm *narrow = hpm_of(&config, "spec", quirks, ~quirks);
        struct pc_hpm_block block;
        struct pc_hpm_state s;
        struct pc_error err;
        const unsigned first = test_rand_below(&rng, 65), cycles = test_rand_below(&rng, 236);

        memset(&planes, 0, sizeof planes);
        random_state(&rng, wide);
        pc_hpm_get_state(wide, &s);
        test_ok(pc_hpm_set_state(narrow, &s, &err), &err);
        for (unsigned t = 0; t < CLOCKS; t++) {
            struct pc_hpm_in in;
            struct pc_hpm_out out;
            random_in(&rng, &in);
            fill(&planes, t, &in);
            if (t >= first && t < first + cycles)
                pc_hpm_step(narrow, &in, &out);
        }
        point(&block, &planes);
        for (unsigned done = 0; done <= cycles;) {
            unsigned n = turn & 1 ? cycles : 1 + test_rand_below(&rng, 70);
            if (n > cycles - done)
                n = cycles - done;
            block.first = first + done;
            block.cycles = n;
            pc_hpm_run(wide, &block);
            done += n ? n : 1;
        }
        same_state(wide, narrow, seed, turn);
        pc_hpm_destroy(wide);
        pc_hpm_destroy(narrow);
    }
}

/* A plane of a long block, or none. */
static const uint64_t *long_plane(struct test_rng *rng, const uint64_t *noise, size_t spare)
{
    return test_rand_below(rng, 12) ? noise + test_rand_below(rng, (unsigned)spare) : NULL;
}

static void random_long(struct test_rng *rng, struct pc_hpm_block *b, const uint64_t *noise,
                        size_t spare)
{
    memset(b, 0, sizeof *b);
    b->debug = long_plane(rng, noise, spare);
    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        b->line[i] = long_plane(rng, noise, spare);
    for (unsigned i = 0; i < 3 * 32; i++)
        b->way_valid[i / 32][i % 32] = long_plane(rng, noise, spare);
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++) {
        struct pc_hpm_port_planes *port = &b->port[p];
        port->ack = long_plane(rng, noise, spare);
        port->op_add = long_plane(rng, noise, spare);
        port->op_jalr = long_plane(rng, noise, spare);
        port->rs1_known = long_plane(rng, noise, spare);
        for (unsigned k = 0; k < 5; k++) {
            port->rd[k] = long_plane(rng, noise, spare);
            port->rs1[k] = long_plane(rng, noise, spare);
            if (k < 4)
                port->fu[k] = long_plane(rng, noise, spare);
        }
    }
}

/* A run that is long enough for the kernels is its short pieces, which go word by word. */
static void hold(const struct pc_kernel *kernel, struct test_rng *rng, const uint64_t *noise,
                 size_t spare)
{
    enum { PIECE = 1500 };
    const struct pc_hpm_config config = random_config(rng);
    const uint32_t quirks = (uint32_t)test_rand(rng) & 0xfff;
    struct pc_hpm *whole = hpm_of(&config, "spec", quirks, ~quirks);
    struct pc_hpm *pieces = hpm_of(&config, "spec", quirks, ~quirks);
    const uint64_t cycles = 33 * 64 + test_rand_below(rng, 3) * 50000 + test_rand_below(rng, 20000);
    struct pc_hpm_block block;
    struct pc_hpm_state s;
    struct pc_error err;

    random_long(rng, &block, noise, spare);
    random_state(rng, whole);
    pc_hpm_get_state(whole, &s);
    test_ok(pc_hpm_set_state(pieces, &s, &err), &err);
    block.first = test_rand_below(rng, 300);
    block.cycles = cycles;
    pc_hpm_run_with(whole, &block, kernel);
    for (uint64_t done = 0; done < cycles; done += block.cycles, block.first += block.cycles) {
        block.cycles = cycles - done < PIECE ? cycles - done : PIECE;
        pc_hpm_run_with(pieces, &block, &pc_kernel_portable);
    }
    same_state(whole, pieces, 77, (unsigned)cycles);
    pc_hpm_destroy(whole);
    pc_hpm_destroy(pieces);
}

/* Verifies that a long run is the same with every kernel. */
static void long_run_is_its_pieces(void **state)
{
    enum { LONG = 1920, SPARE = 500 };
    static uint64_t noise[LONG + SPARE];
    struct test_rng rng = test_rng_start(77, NULL);

    (void)state;
    for (size_t i = 0; i < LONG + SPARE; i++)
        noise[i] = test_rand(&rng);
    for (size_t k = 0; pc_kernel_at(k); k++) {
        if (!pc_kernel_at(k)->usable()) {
            test_say_skip(pc_kernel_at(k)->name, "this CPU does not have its instructions");
            continue;
        }
        for (unsigned turn = 0; turn < 150; turn++)
            hold(pc_kernel_at(k), &rng, noise, SPARE);
    }
}

/* Verifies that count tells for every event what a counter with its selector gains by run. */
static void count_is_what_counters_gain(void **state)
{
    struct test_rng rng = test_rng_start(7, NULL);
    static struct planes planes;
    static const char *const profile[] = { "spec", "rtl" };

    (void)state;
    for (unsigned turn = 0; turn < 40; turn++) {
        struct pc_hpm *h = hpm_new(RV64, profile[turn & 1], 0, 0);
        struct pc_hpm_totals totals = { .cycles = 1000, .event = { [5] = 1000 } };
        struct pc_hpm_block block;

        memset(&planes, 0, sizeof planes);
        for (unsigned t = 0; t < CLOCKS; t++) {
            struct pc_hpm_in in;
            random_in(&rng, &in);
            fill(&planes, t, &in);
        }
        point(&block, &planes);
        block.first = test_rand_below(&rng, 64);
        block.cycles = 200;
        pc_hpm_count(h, &block, &totals);
        for (unsigned e = 0; e < PC_HPM_EVENTS; e++) {
            pc_hpm_reset(h);
            select_event(h, 3, e);
            pc_hpm_run(h, &block);
            assert_int_equal(peek(h, 3), totals.event[e] - (e == 5 ? 1000 : 0));
        }
        assert_int_equal(peek(h, 0), totals.cycles - 1000);
        assert_int_equal(peek(h, 2), totals.instret);
        pc_hpm_destroy(h);
    }
}

/* Verifies that absent planes are 0: nothing but clocks. */
static void no_planes_at_all(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_block block = { .first = 3, .cycles = 100000 };

    (void)state;
    for (unsigned c = 3; c <= 8; c++)
        select_event(h, c, 2 + c);
    pc_hpm_run(h, &block);
    assert_int_equal(peek(h, 0), 100000);
    for (unsigned c = 2; c <= 8; c++)
        assert_int_equal(peek(h, c), 0);
    block.cycles = 0;
    pc_hpm_run(h, &block);
    assert_int_equal(peek(h, 0), 100000);
    pc_hpm_destroy(h);
}

/* Verifies that advance is so many equal steps, whatever the inputs. */
static void advance_is_equal_steps(void **state)
{
    struct test_rng rng = test_rng_start(99, NULL);

    (void)state;
    for (unsigned turn = 0; turn < 300; turn++) {
        const struct pc_hpm_config config = random_config(&rng);
        struct pc_hpm *a = hpm_of(&config, "rtl", 0, 0), *b = hpm_of(&config, "rtl", 0, 0);
        const unsigned n = test_rand_below(&rng, 50);
        struct pc_hpm_state s;
        struct pc_hpm_in in;
        struct pc_hpm_out out;
        struct pc_error err;

        random_state(&rng, a);
        pc_hpm_get_state(a, &s);
        test_ok(pc_hpm_set_state(b, &s, &err), &err);
        random_in(&rng, &in);
        pc_hpm_advance(a, &in, n);
        for (unsigned i = 0; i < n; i++)
            pc_hpm_step(b, &in, &out);
        same_state(a, b, 99, turn);
        pc_hpm_destroy(a);
        pc_hpm_destroy(b);
    }
}

/* Verifies that step at the module's boundary and step agree where both see the same. */
static void module_step_is_step(void **state)
{
    struct test_rng rng = test_rng_start(31, NULL);

    (void)state;
    for (unsigned turn = 0; turn < 200; turn++) {
        struct pc_hpm *core = hpm_new(RV64, "rtl", 0, 0), *module = hpm_new(RV64, "rtl", 0, 0);
        random_state(&rng, core);
        struct pc_hpm_state s, t;
        struct pc_error err;
        pc_hpm_get_state(core, &s);
        test_ok(pc_hpm_set_state(module, &s, &err), &err);
        for (unsigned i = 0; i < 50; i++) {
            struct pc_hpm_in in;
            struct pc_hpm_out a, b;
            struct pc_hpm_strobe strobe = { .address = (uint16_t)(0xb03 + test_rand_below(&rng, 6)),
                                            .write = test_rand_below(&rng, 3) == 0,
                                            .inhibit = s.inhibit,
                                            .wdata = test_rand(&rng) };
            random_in(&rng, &in);
            in.csr = (struct pc_hpm_access){ strobe.write ? PC_HPM_CSR_WRITE : PC_HPM_CSR_READ,
                                             strobe.address, strobe.wdata };
            pc_hpm_step(core, &in, &a);
            pc_hpm_step_module(module, &in, &strobe, &b);
            assert_true(a.rdata == b.rdata);
            assert_int_equal(a.changed & 0x1f8, b.changed);
            assert_int_equal(a.events, b.events);
        }
        pc_hpm_get_state(core, &s);
        pc_hpm_get_state(module, &t);
        for (unsigned c = 3; c <= 8; c++)
            assert_true(s.counter[c] == t.counter[c]);
        pc_hpm_destroy(core);
        pc_hpm_destroy(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_is_step),         cmocka_unit_test(count_is_what_counters_gain),
        cmocka_unit_test(no_planes_at_all),    cmocka_unit_test(advance_is_equal_steps),
        cmocka_unit_test(module_step_is_step), cmocka_unit_test(long_run_is_its_pieces),
    };
    return cmocka_run_group_tests_name("hpm run", tests, NULL, NULL);
}
