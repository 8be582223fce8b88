/* SPDX-License-Identifier: MIT */
/*
 * What the conformance tests cannot see from outside: counters near their end (set in the
 * state), snapshots, memory, options, the device, and an allocator that fails.
 */
#include "heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/unit/state.h"

static struct pc_unit *make(const char *chip)
{
    struct pc_error err;
    struct pc_unit_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_unit *u = NULL;

    test_ok(pc_unit_create(&desc, &u, &err), &err);
    return u;
}

static void step(struct pc_unit *u, unsigned cycles)
{
    static const uint64_t none[PC_MAX_DOMAINS][PC_SIG_WORDS];

    for (unsigned i = 0; i < cycles; i++)
        pc_unit_step(u, 0xff, none);
}

/* PC.CTR: all five counters of quad mode stop at ffffffff, and the unit says that it lost counts.
 */
static void quad_counters_saturate(void **state)
{
    struct pc_unit *u = make("GT215");
    struct pc_counters *c = &u->state.domain[2].shadow;

    (void)state;
    for (uint32_t op = 0xa420; op <= 0xa4e0; op += 0x40)
        pc_unit_write(u, op + 8, 0xffff);
    pc_unit_write(u, 0xa7c8, 1);
    *c = (struct pc_counters){ 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe };
    step(u, 1);
    assert_true(c->cycles == 0xffffffff && c->event == 0xffffffff && c->pre == 0xffffffff);
    assert_int_equal(pc_unit_diagnostics(u, 2) & PC_DIAG_SATURATED, 0);
    step(u, 3);
    assert_true(c->cycles == 0xffffffff && c->start == 0xffffffff && c->stop == 0xffffffff);
    assert_true(pc_unit_diagnostics(u, 2) & PC_DIAG_SATURATED);
    pc_unit_destroy(u);
}

/* PC.CTR: 40 bits of CYCLES, EVENT and START on NV10:NV30, read in two halves. */
static void single_counters_have_40_bits(void **state)
{
    struct pc_unit *u = make("NV20");
    struct pc_domain *d = &u->state.domain[1];

    (void)state;
    pc_unit_write(u, 0xa50c, 0xffff);
    pc_unit_write(u, 0xa514, 0xffff);
    pc_unit_write(u, 0xa504, 0xffff);
    step(u, 3);
    assert_int_equal(d->single_state, PC_COUNTING);
    d->visible.cycles = UINT64_C(0xffffffff);
    d->visible.event = UINT64_C(0xffffffffff);
    step(u, 1);
    assert_int_equal(pc_unit_read(u, 0xa700), 0);
    assert_int_equal(pc_unit_read(u, 0xa704), 1);
    assert_int_equal(pc_unit_read(u, 0xa70c), 1);
    assert_int_equal(pc_unit_read(u, 0xa710), 0);
    assert_int_equal(pc_unit_read(u, 0xa714), 0x80);
    /* D-47: the threshold compares 40 bits; ALL keeps the count over periods */
    pc_unit_destroy(u);
}

/* PC.REC: 48-bit cycles wrap; a saturated event counter and a saturated STOP counter stay. */
static void record_counters_end(void **state)
{
    struct pc_unit *u = make("G84");
    struct pc_record *r = &u->state.domain[1].record;

    (void)state;
    pc_unit_write(u, 0xa7c4, 2);
    pc_unit_write(u, 0xa4e4, 0xffff); /* STOP_OP = 1 */
    step(u, 1);
    r->cycles = (UINT64_C(1) << 48) - 1;
    r->stop = 0xfff;
    r->event[3] = 0xffff;
    r->pending = true; /* nothing leaves, nothing is cleared */
    u->state.domain[1].src[0] = 0;
    step(u, 1);
    assert_true(r->cycles == 0);
    assert_int_equal(r->stop, 0xfff);
    assert_int_equal(r->event[3], 0xffff);
    pc_unit_destroy(u);
}

/* A snapshot continues exactly; a damaged or foreign one is refused and changes nothing. */
static void snapshots(void **state)
{
    struct pc_unit *a = make("G92"), *b = make("G92"), *other = make("G94");
    size_t size = pc_unit_state_size(a);
    uint8_t *bytes = malloc(size), *again = malloc(size), *before = malloc(size);
    size_t refused = 0;
    struct pc_error err;

    (void)state;
    assert_non_null(bytes);
    assert_non_null(again);
    assert_non_null(before);
    pc_unit_write(a, 0xa424, 0xffff);
    pc_unit_write(a, 0xa7c4, 1);
    step(a, 17);
    pc_unit_save(a, bytes);
    assert_int_equal(pc_unit_load(b, bytes, size, &err), PC_OK);
    step(a, 5);
    step(b, 5);
    pc_unit_save(a, bytes);
    pc_unit_save(b, again);
    assert_memory_equal(bytes, again, size);

    assert_int_equal(pc_unit_load(other, bytes, size, &err), PC_EINPUT);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(pc_unit_load(b, bytes, cut, &err), PC_EINPUT);
    for (unsigned i = 0; i < 4; i++) {
        bytes[8 + i] ^= 0x40;
        assert_int_equal(pc_unit_load(b, bytes, size, &err), PC_EINPUT);
        assert_non_null(strstr(err.text, "version"));
        bytes[8 + i] ^= 0x40;
    }
    for (size_t i = 0; i < size; i++) { /* any byte may be wrong: refused or harmless */
        uint8_t kept = bytes[i];
        bytes[i] = 0xee;
        pc_unit_save(b, before);
        enum pc_status status = pc_unit_load(b, bytes, size, &err);
        pc_unit_save(b, again);
        assert_memory_equal(again, status == PC_OK ? bytes : before, size);
        assert_true(i >= 24 || status == PC_EINPUT); /* the head */
        if (status == PC_OK)
            step(b, 1);
        refused += status != PC_OK;
        bytes[i] = kept;
    }
    assert_in_range(refused, 100, size - 1);
    free(before);
    free(bytes);
    free(again);
    pc_unit_destroy(a);
    pc_unit_destroy(b);
    pc_unit_destroy(other);
}

/* Verifies that a set of GF100+ takes the state of another GPC, and none of the hub's. */
static void snapshots_of_sets(void **state)
{
    static const struct {
        enum pc_set set;
        unsigned index;
        bool fits;
    } to[] = { { PC_SET_GPC, 0, true },
               { PC_SET_GPC, 1, true },
               { PC_SET_HUB, 0, false },
               { PC_SET_PART, 0, false } };
    struct pc_unit_desc desc = { .chip = pc_chip_find("GK104"), .set = PC_SET_GPC };
    struct pc_unit *from = NULL, *unit = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_unit_create(&desc, &from, &err), PC_OK);
    size_t size = pc_unit_state_size(from);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    pc_unit_save(from, bytes);
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        desc.set = to[i].set;
        desc.index = to[i].index;
        assert_int_equal(pc_unit_create(&desc, &unit, &err), PC_OK);
        assert_int_equal(pc_unit_load(unit, bytes, size, &err), to[i].fits ? PC_OK : PC_EINPUT);
        if (!to[i].fits)
            assert_int_equal(err.code, 406);
        pc_unit_destroy(unit);
    }
    free(bytes);
    pc_unit_destroy(from);
}

/* A member of the last domain's state: `value` is taken or refused. */
static void check_member(const char *chip, size_t offset, size_t size, uint64_t value, bool fine)
{
    struct pc_unit *a = make(chip), *b = make(chip);
    unsigned char *domain = (unsigned char *)&a->state.domain[a->chip->domains - 1];
    void *bytes = malloc(pc_unit_state_size(a));
    struct pc_error err = { .code = 0 };

    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) /* least significant byte first, on any machine */
        domain[offset + (*(const uint8_t *)&(uint16_t){ 1 } ? i : size - 1 - i)] =
            (unsigned char)(value >> (8 * i));
    pc_unit_save(a, bytes);
    enum pc_status status = pc_unit_load(b, bytes, pc_unit_state_size(a), &err);
    if ((status == PC_OK) != fine || (!fine && err.code != 406))
        fail_msg("%s, byte %zu of a domain: %" PRIu64 " is %s", chip, offset, value,
                 status ? err.text : "taken");
    free(bytes);
    pc_unit_destroy(a);
    pc_unit_destroy(b);
}

/* Verifies the last value of each member that has one, and that the next is refused. */
static void snapshots_within_their_ranges(void **state)
{
#define MEMBER(m, last)                                                                            \
    {                                                                                              \
        offsetof(struct pc_domain, m), sizeof(((struct pc_domain *)0)->m), (last)                  \
    }
    static const struct {
        size_t offset, size;
        uint64_t last; /* 0: of the chip's wide counters */
    } members[] = {
        MEMBER(visible.cycles, 0),
        MEMBER(visible.event, 0),
        MEMBER(shadow.start, 0),
        MEMBER(shadow.cycles, 0),
        MEMBER(threshold, 0),
        MEMBER(control.mode, PC_MODE_NONE),
        MEMBER(control.ctr_mode, PC_CTR_NONE),
        MEMBER(control.periodic, 7),
        MEMBER(single_state, PC_COUNTING),
        MEMBER(quad_state, PC_OVERFLOW),
        MEMBER(quad_state, 1), /* 2 is no state */
        MEMBER(pending.acks, 2),
        MEMBER(record.cycles, (UINT64_C(1) << 48) - 1),
        MEMBER(record.stop, 0xfff),
        MEMBER(record.position, UINT32_MAX - 15), /* of a packet: what takes it counts on that */
        MEMBER(record_start, UINT32_MAX - 15),
        MEMBER(record_limit, UINT32_MAX - 15),
        MEMBER(flag_next, 1),
    };

    (void)state;
    for (unsigned c = 0; c < 2; c++)
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            const char *chip = c ? "NV20" : "G92";
            uint64_t wide = c ? (UINT64_C(1) << 40) - 1 : UINT32_MAX;
            uint64_t last = members[i].last ? members[i].last : wide;
            check_member(chip, members[i].offset, members[i].size, last, true);
            if (members[i].size > 4 || last < UINT32_MAX)
                check_member(chip, members[i].offset, members[i].size, last + 1, false);
        }
#undef MEMBER
}

static void options_are_checked(void **state)
{
    struct pc_unit *u = make("G84");
    struct pc_error err;

    (void)state;
    for (size_t i = 0; pc_option_at(i); i++) {
        const struct pc_option_info *o = pc_option_at(i);
        assert_true(o->name[0] && o->about[0] && o->decision[0] == 'D');
        enum pc_status s = pc_unit_option(u, o->name, o->initial, &err);
        assert_true(s == PC_OK || err.code == 405); /* 405: belongs to the device */
        assert_int_equal(pc_unit_option(u, o->name, "perhaps", &err), PC_EARG);
    }
    assert_int_equal(pc_unit_option(u, "record-latency", "4294967296", &err), PC_EARG);
    assert_int_equal(pc_unit_option(u, "record-latncy", "1", &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "record-latency"));
    pc_unit_destroy(u);
}

/* A unit that the chip does not have is refused: it would answer nowhere. */
static void units_beyond_the_chip(void **state)
{
    struct pc_unit_desc desc = { .chip = pc_chip_find("GK104"), .set = PC_SET_GPC, .index = 4 };
    struct pc_unit *u = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_unit_create(&desc, &u, &err), PC_ENOENT);
    assert_null(u);
    desc.index = 3;
    test_ok(pc_unit_create(&desc, &u, &err), &err);
    pc_unit_destroy(u);
    desc = (struct pc_unit_desc){ .chip = pc_chip_find("G92"), .index = 1 };
    u = NULL;
    assert_int_equal(pc_unit_create(&desc, &u, &err), PC_ENOENT);
    assert_null(u);
}

/* ---- an allocator that fails on the n-th call ---- */

static enum pc_status play(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    static const uint8_t levels[5] = { 1, 0, 1, 1, 0 };
    struct pc_gpu_desc desc = { .chip = pc_chip_find("GT215"),
                                .alloc = alloc,
                                .memory_limit = 65536 };
    struct pc_gpu *gpu = NULL;
    struct pc_error other;
    enum pc_status status = pc_gpu_create(&desc, &gpu, err);

    (void)ctx;
    if (status)
        return status;
    for (uint8_t signal = 1; signal <= 2 && status == PC_OK; signal++)
        status = pc_gpu_play(gpu, signal, 3, levels, sizeof levels, err);
    assert_int_equal(pc_gpu_run(gpu, 1, 3, &other), PC_OK); /* it goes on without what failed */
    pc_gpu_destroy(gpu);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_refuse_each(play, NULL, 3);
}

/* The device: clocks with a ratio, levels, plays, bus signals only while they are selected. */
static void device_time(void **state)
{
    struct pc_gpu_desc desc = { .chip = pc_chip_find("G80") };
    struct pc_gpu *gpu = NULL;
    struct pc_error err;
    static const uint8_t levels[4] = { 1, 0, 1, 0 };

    (void)state;
    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    test_ok(pc_gpu_clock(gpu, 1, 3, 2, &err), &err);
    test_ok(pc_gpu_play(gpu, 1, 5, levels, 4, &err), &err);
    assert_int_equal(pc_gpu_set(gpu, 1, 0xff, true, &err), PC_EARG);   /* own FLAG */
    assert_int_equal(pc_gpu_set(gpu, 0, 0x40, true, &err), PC_ENOENT); /* 40 signals */
    test_ok(pc_gpu_run(gpu, 0, 9, &err), &err); /* instants 0..8; domain 1 at 2, 5, 8 */
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), 9);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 1), 3);
    assert_int_equal(pc_gpu_read32(gpu, 0xa820) >> 5 & 1, 1); /* third level */
    uint64_t before = pc_unit_cycle(pc_gpu_unit(gpu), 0);
    pc_gpu_read32(gpu, 0xa600);
    pc_gpu_read32(gpu, 0xa600);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), before); /* nobody listens to the bus */
    pc_gpu_write32(gpu, 0xa400, 0x1d);
    before = pc_unit_cycle(pc_gpu_unit(gpu), 0);
    pc_gpu_read32(gpu, 0xa600);
    pc_gpu_read32(gpu, 0xa600);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), before + 1); /* one pulse a cycle */
    assert_int_equal(pc_gpu_read32(gpu, 0) >> 20, 0x50);
    assert_false(pc_gpu_undecoded(gpu, NULL));
    uint32_t where = 0;
    pc_gpu_write32(gpu, 0x123450, 1);
    assert_true(pc_gpu_undecoded(gpu, &where));
    assert_int_equal(where, 0x123450);
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quad_counters_saturate),
        cmocka_unit_test(single_counters_have_40_bits),
        cmocka_unit_test(record_counters_end),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(snapshots_of_sets),
        cmocka_unit_test(snapshots_within_their_ranges),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(device_time),
        cmocka_unit_test(units_beyond_the_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
