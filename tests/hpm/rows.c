/* SPDX-License-Identifier: MIT */
/*
 * The rows of the events against the step: each expression, over the wires of random clocks, is
 * what a counter of that event adds in the step.  And steps against themselves: advance is many
 * equal ones, and the module's is the core's.
 */
#include "hpm_test.h"

#include <stdio.h>
#include <string.h>

#include "model/hpm/hpm.h"

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
            fail_msg("seed %llu turn %u: counter %u (event %u): %llx and %llx",
                     (unsigned long long)seed, turn, c, x.selector[c],
                     (unsigned long long)x.counter[c], (unsigned long long)y.counter[c]);
    assert_memory_equal(&x, &y, sizeof x);
}

/* ---- rows ---- */

enum { CLOCKS = 64, BITS = 32, WIRES = 64 };

/* The wires of 64 clocks by their names, bit t of a plane being clock t. */
struct wires {
    struct {
        char name[40];
        unsigned bits;
        uint64_t plane[BITS];
    } wire[WIRES];
    size_t count;
};

static void put(struct wires *w, unsigned t, unsigned bits, uint64_t value, const char *format, ...)
{
    char name[40];
    va_list args;
    size_t i = 0;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    while (i < w->count && strcmp(w->wire[i].name, name) != 0)
        i++;
    assert_true(i < WIRES);
    if (i == w->count) {
        memset(&w->wire[i], 0, sizeof w->wire[i]);
        strcpy(w->wire[w->count++].name, name);
        w->wire[i].bits = bits;
    }
    for (unsigned b = 0; b < bits; b++)
        w->wire[i].plane[b] |= (value >> b & 1) << t;
}

static void put_clock(struct wires *w, unsigned t, const struct pc_hpm_in *in)
{
    static const char *const line[PC_HPM_LINES] = {
        [PC_HPM_ICACHE_MISS] = "l1_icache_miss_i",
        [PC_HPM_DCACHE_MISS] = "l1_dcache_miss_i",
        [PC_HPM_ITLB_MISS] = "itlb_miss_i",
        [PC_HPM_DTLB_MISS] = "dtlb_miss_i",
        [PC_HPM_EXCEPTION] = "ex_i.valid",
        [PC_HPM_ERET] = "eret_i",
        [PC_HPM_RESOLVED] = "resolved_branch_i.valid",
        [PC_HPM_MISPREDICT] = "resolved_branch_i.is_mispredict",
        [PC_HPM_BRANCH_EXCEPTION] = "branch_exceptions_i.valid",
        [PC_HPM_SCOREBOARD_FULL] = "sb_full_i",
        [PC_HPM_FETCH_EMPTY] = "if_empty_i",
        [PC_HPM_ICACHE_REQUEST] = "l1_icache_access_i.req",
        [PC_HPM_DCACHE_REQUEST_0] = "l1_dcache_access_i[0].data_req",
        [PC_HPM_DCACHE_REQUEST_1] = "l1_dcache_access_i[1].data_req",
        [PC_HPM_DCACHE_REQUEST_2] = "l1_dcache_access_i[2].data_req",
        [PC_HPM_TLB_FLUSH] = "i_tlb_flush_i",
        [PC_HPM_ISSUE_STALL] = "stall_issue_i",
    };
    static const unsigned op[] = {
        [PC_HPM_OP_ADD] = 0, [PC_HPM_OP_JALR] = 19, [PC_HPM_OP_OTHER] = 33
    };

    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        put(w, t, 1, in->lines >> i & 1, "%s", line[i]);
    for (unsigned i = 0; i < 3; i++)
        put(w, t, 32, in->way_valid[i], "miss_vld_bits_i[%u]", i);
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++) {
        put(w, t, 1, in->port[p].ack, "commit_ack_i[%u]", p);
        put(w, t, 4, in->port[p].fu, "commit_instr_i[%u].fu", p);
        put(w, t, 8, op[in->port[p].op], "commit_instr_i[%u].op", p);
        put(w, t, 5, in->port[p].rd, "commit_instr_i[%u].rd", p);
        put(w, t, 5, in->port[p].rs1, "commit_instr_i[%u].rs1", p);
    }
}

/* Bit b of wire i has number BITS * i + b. */
static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct wires *w = ctx;

    (void)err;
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->wire[i].name, name) != 0)
            continue;
        *count = w->wire[i].bits;
        *is_signed = false;
        for (uint32_t b = 0; b < *count && b < capacity; b++)
            wires[b] = (uint32_t)(BITS * i) + b;
        return PC_OK;
    }
    fail_msg("no wire %s", name);
    return PC_ENOENT;
}

/* The clocks in which the text holds: % is the port, WAYS and FULL are masks. */
static uint64_t evaluate(struct wires *w, const char *text, unsigned port, uint32_t ways,
                         uint32_t full)
{
    const uint64_t *plane[WIRES * BITS];
    struct pc_expr *expr = NULL;
    struct pc_error err;
    char out[600];
    size_t n = 0;
    uint64_t result;

    for (; *text; text++)
        if (*text == '%')
            n += (size_t)snprintf(out + n, sizeof out - n, "%u", port);
        else if (strncmp(text, "WAYS", 4) == 0 || strncmp(text, "FULL", 4) == 0) {
            n += (size_t)snprintf(out + n, sizeof out - n, "32'h%x", *text == 'W' ? ways : full);
            text += 3;
        } else
            out[n++] = *text;
    out[n] = '\0';
    for (size_t i = 0; i < WIRES * BITS; i++)
        plane[i] = w->wire[i / BITS].plane + i % BITS;
    test_ok(pc_expr_parse(NULL, out, &expr, &err), &err);
    test_ok(pc_expr_resolve(expr, look_up, w, &err), &err);
    pc_expr_eval(expr, plane, NULL, 1, CLOCKS, &result, NULL);
    pc_expr_free(expr);
    return result;
}

/* What the row adds: of each port, or of port 0 alone. */
static void evaluate_row(struct wires *w, const struct pc_hpm_event *e, const struct pc_hpm *h,
                         uint64_t add[2])
{
    const struct pc_hpm_config *c = pc_hpm_get_config(h);
    const uint32_t quirks = pc_hpm_get_quirks(h);
    const uint32_t ways = c->dcache_ways == 32 ? UINT32_MAX : (UINT32_C(1) << c->dcache_ways) - 1;
    const bool retires = e->unit == PC_HPM_RETIREMENTS;

    add[1] = 0;
    for (unsigned p = 0; p < (retires ? c->commit_ports : 1u); p++) {
        add[p] = evaluate(w, e->expression, p, ways, quirks & PC_HPM_Q_EVICT_FF ? 0xff : ways);
        if (e->strict[0] && !(quirks & PC_HPM_Q_RET_ANY_RS1))
            add[p] &= evaluate(w, e->strict, p, 0, 0);
        if (retires)
            add[p] &= evaluate(w, "commit_ack_i[%]", p, 0, 0);
    }
    if (quirks & PC_HPM_Q_OR_PORTS) {
        add[0] |= add[1];
        add[1] = 0;
    }
}

/* Verifies that each row is what its counter adds in each clock, with any quirks, ways and ports.
 */
static void rows_are_the_step(void **state)
{
    struct test_rng rng = test_rng_start(2024, NULL);
    static struct wires wires;
    uint64_t moved[PC_HPM_EVENTS] = { 0 };

    (void)state;
    for (unsigned turn = 0; turn < 60; turn++) {
        struct pc_hpm_config config = random_config(&rng);
        const uint32_t quirks = (uint32_t)test_rand(&rng) & 0xfff;
        struct pc_hpm_in in[CLOCKS];
        config.perf_counter_en = true;
        struct pc_hpm *h = hpm_of(&config, "spec", quirks, ~quirks);
        memset(&wires, 0, sizeof wires);
        for (unsigned t = 0; t < CLOCKS; t++) {
            random_in(&rng, &in[t]);
            in[t].mode.debug = false;
            in[t].port[0].rs1_known = in[t].port[1].rs1_known = true;
            put_clock(&wires, t, &in[t]);
        }
        for (unsigned e = 1; e < PC_HPM_EVENTS; e++) {
            uint64_t add[2];
            evaluate_row(&wires, pc_hpm_event_at(e), h, add);
            pc_hpm_reset(h);
            select_event(h, 3, e);
            for (unsigned t = 0; t < CLOCKS; t++) {
                const uint64_t before = peek(h, 3);
                clock_of(h, &in[t]);
                const unsigned added = (unsigned)(peek(h, 3) - before);
                moved[e] += added;
                if (added != (add[0] >> t & 1) + (add[1] >> t & 1))
                    fail_msg("turn %u: event %u adds %u in clock %u, its row %u", turn, e, added, t,
                             (unsigned)((add[0] >> t & 1) + (add[1] >> t & 1)));
            }
        }
        pc_hpm_destroy(h);
    }
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        assert_true(moved[e] > 0);
}

/* ---- steps ---- */

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
        cmocka_unit_test(rows_are_the_step),
        cmocka_unit_test(advance_is_equal_steps),
        cmocka_unit_test(module_step_is_step),
    };
    return cmocka_run_group_tests_name("hpm rows", tests, NULL, NULL);
}
