/* SPDX-License-Identifier: MIT */
/* State of CVA6's counters: snapshots, set and get, creation and its refusals, memory. */
#include "heap.h"
#include "hpm_test.h"

#include <string.h>

/* Verifies that a snapshot continues as the original, in every preset and from any state. */
static void snapshot_continues(void **state)
{
    struct test_rng rng = test_rng_start(3, NULL);

    (void)state;
    for (size_t i = 0; pc_hpm_config_at(i); i++) {
        struct pc_hpm *a = hpm_of(pc_hpm_config_at(i), "rtl", 0, 0);
        struct pc_hpm *b = hpm_of(pc_hpm_config_at(i), "rtl", 0, 0);
        uint8_t bytes[PC_HPM_STATE_SIZE], again[PC_HPM_STATE_SIZE];
        struct pc_error err;

        for (unsigned n = 0; n < 2000; n++) {
            struct pc_hpm_in in;
            struct pc_hpm_out x, y;
            random_in(&rng, &in);
            in.csr = (struct pc_hpm_access){ (enum pc_hpm_csr_op)test_rand_below(&rng, 5),
                                             (uint16_t)(0xb00 + test_rand_below(&rng, 9)),
                                             test_rand(&rng) };
            if (n % 3 == 0)
                in.csr.address = (uint16_t)(0x320 + test_rand_below(&rng, 9));
            if (n == 1000) {
                pc_hpm_save(a, bytes);
                test_ok(pc_hpm_load(b, bytes, sizeof bytes, &err), &err);
            }
            pc_hpm_step(a, &in, &x);
            if (n >= 1000) {
                pc_hpm_step(b, &in, &y);
                assert_true(x.rdata == y.rdata && x.changed == y.changed && x.cause == y.cause);
            }
        }
        pc_hpm_save(a, bytes);
        pc_hpm_save(b, again);
        assert_memory_equal(bytes, again, sizeof bytes);
        pc_hpm_destroy(a);
        pc_hpm_destroy(b);
    }
}

/* Verifies the bytes themselves: they are the same on every machine. */
static void snapshot_bytes(void **state)
{
    struct pc_hpm *h = hpm_new(RV64H, "spec", 0, 0);
    uint8_t b[PC_HPM_STATE_SIZE];

    (void)state;
    csrw(h, INHIBIT, 0x1fd);
    poke(h, 0, UINT64_C(0x0102030405060708));
    poke(h, 8, 0xee);
    csrw(h, 0x323, 21);
    csrw(h, 0x328, 9);
    csrw(h, MCEN, 0x11223344);
    csrw(h, SCEN, 5);
    csrw(h, HCEN, 0x80000000);
    pc_hpm_save(h, b);
    assert_memory_equal(b, "PCHPM1\0", 8);
    assert_int_equal(b[8], 64);
    assert_int_equal(b[9], 2);
    assert_int_equal(b[10], 0x7f);
    assert_int_equal(b[12], PC_HPM_Q_WRITE_FREEZES_ALL);
    assert_int_equal(b[16], 8);
    assert_int_equal(b[23], 1);
    assert_int_equal(b[72], 0xee);
    assert_int_equal(b[80], 21);
    assert_int_equal(b[85], 9);
    assert_int_equal(b[86] | b[87] << 8, 0x1fd);
    assert_int_equal(b[88], 0x44);
    assert_int_equal(b[91], 0x11);
    assert_int_equal(b[92], 5);
    assert_int_equal(b[99], 0x80);
    pc_hpm_destroy(h);
}

/* Verifies that foreign or impossible bytes are refused and nothing changes. */
static void snapshots_refused(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0), *other = hpm_new(RV32, "spec", 0, 0);
    struct pc_hpm *rtl = hpm_new(RV64, "rtl", 0, 0);
    uint8_t good[PC_HPM_STATE_SIZE], bad[PC_HPM_STATE_SIZE];
    struct pc_error err;

    (void)state;
    pc_hpm_advance(h, NULL, 5);
    pc_hpm_save(h, good);
    assert_int_equal(pc_hpm_load(other, good, sizeof good, &err), PC_EINPUT);
    assert_int_equal(pc_hpm_load(rtl, good, sizeof good, &err), PC_EINPUT);
    assert_int_equal(pc_hpm_load(h, good, sizeof good - 1, &err), PC_EINPUT);
    assert_int_equal(err.code, 1008);
    static const struct {
        unsigned at;
        uint8_t value;
        unsigned code;
    } rows[] = {
        { 0, 'X', 1008 }, { 8, 32, 1008 }, { 10, 0, 1008 }, { 80, 32, 1007 },
        { 86, 2, 1007 },  { 87, 2, 1007 }, { 96, 1, 1007 }, /* no hcounteren here */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memcpy(bad, good, sizeof bad);
        bad[rows[i].at] = rows[i].value;
        assert_int_equal(pc_hpm_load(h, bad, sizeof bad, &err), PC_EINPUT);
        if (err.code != rows[i].code)
            fail_msg("byte %u: PC-E%u", rows[i].at, err.code);
        assert_int_equal(peek(h, 0), 5);
    }
    pc_hpm_destroy(h);
    pc_hpm_destroy(other);
    pc_hpm_destroy(rtl);
}

/* Verifies that no state can be set that the registers could not have. */
static void impossible_states(void **state)
{
    struct pc_hpm *full = hpm_new(RV64, "spec", 0, 0), *none = hpm_new(M32, "spec", 0, 0);
    struct pc_hpm_state s;
    struct pc_error err;

    (void)state;
#define REFUSED(h, member, value)                                                                  \
    do {                                                                                           \
        memset(&s, 0, sizeof s);                                                                   \
        s.member = value;                                                                          \
        assert_int_equal(pc_hpm_set_state(h, &s, &err), PC_EINPUT);                                \
        assert_int_equal(err.code, 1007);                                                          \
    } while (0)
    REFUSED(full, counter[1], 1);
    REFUSED(full, selector[0], 1);
    REFUSED(full, selector[2], 1);
    REFUSED(full, selector[3], 32);
    REFUSED(full, inhibit, 2);
    REFUSED(full, inhibit, 0x200);
    REFUSED(full, hcounteren, 1);
    REFUSED(none, counter[3], 1);
    REFUSED(none, selector[3], 1);
    REFUSED(none, inhibit, 1);
    REFUSED(none, mcounteren, 1);
    REFUSED(none, scounteren, 1);
#undef REFUSED
    memset(&s, 0, sizeof s);
    s.counter[2] = UINT64_MAX;
    test_ok(pc_hpm_set_state(none, &s, &err), &err);
    assert_true(peek(none, 2) == UINT64_MAX);
    pc_hpm_destroy(full);
    pc_hpm_destroy(none);
}

/* Verifies that contradictory configurations are refused with what is wrong. */
static void impossible_configurations(void **state)
{
    const struct pc_hpm_config good = *pc_hpm_config_find(RV64H);
    struct pc_hpm_config c;
    struct pc_hpm_desc desc = { .config = &c };
    struct pc_hpm *h = NULL;
    struct pc_error err;

    (void)state;
#define REFUSED(change)                                                                            \
    do {                                                                                           \
        c = good;                                                                                  \
        change;                                                                                    \
        assert_int_equal(pc_hpm_create(&desc, &h, &err), PC_EINPUT);                               \
        assert_int_equal(err.code, 1001);                                                          \
        assert_null(h);                                                                            \
    } while (0)
    REFUSED(c.xlen = 0);
    REFUSED(c.xlen = 128);
    REFUSED(c.commit_ports = 0);
    REFUSED(c.commit_ports = 3);
    REFUSED(c.dcache_ways = 0);
    REFUSED(c.dcache_ways = 33);
    REFUSED(c.rvu = false);
    REFUSED(c.rvs = false);
    REFUSED((c.rvu = false, c.rvs = false));
#undef REFUSED
    c = good;
    c.name = NULL; /* a name is not needed */
    test_ok(pc_hpm_create(&desc, &h, &err), &err);
    assert_int_equal(pc_hpm_get_quirks(h), pc_hpm_profile_at(0)->quirks); /* default: rtl */
    assert_null(pc_hpm_get_config(h)->name);
    pc_hpm_destroy(h);
    desc.config = NULL;
    assert_int_equal(pc_hpm_create(&desc, &h, &err), PC_EINPUT);
}

static enum pc_status create(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    struct pc_hpm_desc desc = { .config = pc_hpm_config_find(RV64), .alloc = alloc };
    struct pc_hpm *h = NULL;
    enum pc_status status = pc_hpm_create(&desc, &h, err);

    (void)ctx;
    assert_true((status == PC_OK) == (h != NULL));
    pc_hpm_destroy(h);
    return status;
}

/* Verifies that a quirk that there is not cannot be switched on, and that all can be off. */
static void unknown_quirks(void **state)
{
    struct pc_hpm_desc desc = { .config = pc_hpm_config_find(RV64H), .quirks_on = 1u << 31 };
    struct pc_hpm_profile own = { "own", 0, "" };
    struct pc_hpm *h = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_hpm_create(&desc, &h, &err), PC_ENOENT);
    assert_int_equal(err.code, 1002);
    desc.quirks_on = 0;
    desc.profile = &own;
    own.quirks = UINT32_MAX;
    assert_int_equal(pc_hpm_create(&desc, &h, &err), PC_ENOENT);
    assert_null(h);
    desc.profile = pc_hpm_profile_at(1);
    desc.quirks_off = UINT32_MAX;
    test_ok(pc_hpm_create(&desc, &h, &err), &err);
    assert_int_equal(pc_hpm_get_quirks(h), 0);
    pc_hpm_destroy(h);
}

/* Verifies that each allocation may fail, says so, and leaks nothing. */
static void memory_runs_out(void **state)
{
    (void)state;
    test_refuse_each(create, NULL, 1);
    pc_hpm_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshot_continues),
        cmocka_unit_test(snapshot_bytes),
        cmocka_unit_test(snapshots_refused),
        cmocka_unit_test(impossible_states),
        cmocka_unit_test(impossible_configurations),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(unknown_quirks),
    };
    return cmocka_run_group_tests_name("hpm state", tests, NULL, NULL);
}
