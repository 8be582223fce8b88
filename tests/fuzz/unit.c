/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip, a unit of it, and a sequence of accesses, edges and pulses.  What must
 * hold: a read has no effect; a write changes in its register the writable bits alone, to
 * what was written (D-17a, D-18); and a unit loaded from a snapshot goes on as the one that
 * was saved, whatever comes.
 */
#include "unit_ops.h"

#include <string.h>

#define MAX_OPS 200
#define UNITS   2

/* The unit, and one that takes over its state now and then. */
struct pair {
    struct unit_case *c;
    struct pc_unit *unit[UNITS];
    uint64_t seed[UNITS];
};

static void same_state(const struct pair *p)
{
    unit_must_equal(p->unit[0], p->unit[1]);
}

static uint32_t read_both(const struct pair *p, uint32_t address)
{
    uint8_t before[UNIT_STATE_MAX], after[UNIT_STATE_MAX];
    uint32_t value[UNITS] = { 0 };
    size_t size;

    for (unsigned i = 0; i < UNITS; i++) {
        unit_saved(p->unit[i], before, &size);
        value[i] = pc_unit_read(p->unit[i], address);
        unit_saved(p->unit[i], after, &size);
        FUZZ_CHECK(unit_same(before, after, size));
    }
    FUZZ_CHECK(value[0] == value[1]);
    return value[0];
}

static void write_known(const struct pair *p, struct fuzz_bytes *in)
{
    const struct unit_register *reg = unit_case_register(p->c, in);
    uint32_t value = fuzz_u32(in), before = read_both(p, reg->address);

    for (unsigned i = 0; i < UNITS; i++)
        pc_unit_write(p->unit[i], reg->address, value);
    uint32_t after = read_both(p, reg->address), mask = reg->rw_mask;
    if (reg->hidden || !reg->writable)
        mask = 0;
    if (reg->readable)
        FUZZ_CHECK(after == ((before & ~mask) | (value & mask)));
    else
        FUZZ_CHECK(after == 0);
}

/* The second unit goes its own way before it takes the state of the first. */
static void snapshot(struct pair *p)
{
    uint8_t state[UNIT_STATE_MAX];
    size_t size;
    struct pc_error err = { 0 };

    for (unsigned n = 0; n < 4; n++)
        unit_step(p->unit[1], 0xff >> n, &p->seed[1]);
    unit_saved(p->unit[0], state, &size);
    enum pc_status status = pc_unit_load(p->unit[1], state, size, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK);
    p->seed[1] = p->seed[0];
    same_state(p);
}

static void steps(struct pair *p, struct fuzz_bytes *in)
{
    uint32_t edges = fuzz_u8(in);
    unsigned count = 1 + fuzz_u8(in) % 8;

    for (unsigned i = 0; i < UNITS; i++)
        for (unsigned n = 0; n < count; n++)
            unit_step(p->unit[i], edges, &p->seed[i]);
    if (count > 6)
        same_state(p);
}

static void one_op(struct pair *p, struct fuzz_bytes *in)
{
    uint32_t a, b;

    switch (fuzz_u8(in) % 8) {
    case 0:
    case 1:
        write_known(p, in);
        break;
    case 2:
    case 3:
        steps(p, in);
        break;
    case 4:
        (void)read_both(p, unit_case_register(p->c, in)->address);
        break;
    case 5: /* anywhere */
        a = fuzz_u32(in);
        b = fuzz_u32(in);
        for (unsigned i = 0; i < UNITS; i++)
            pc_unit_write(p->unit[i], a, b);
        (void)read_both(p, a);
        break;
    case 6:
        a = fuzz_u8(in);
        b = fuzz_u8(in);
        for (unsigned i = 0; i < UNITS; i++) {
            if (a & 0x80)
                pc_unit_record_done(p->unit[i], a & 0xf, b & 1);
            else
                pc_unit_pulse(p->unit[i], a & 1 ? PC_PULSE_PM_TRIGGER : PC_PULSE_WRCACHE_FLUSH, b);
        }
        break;
    default:
        snapshot(p);
        break;
    }
}

/* Each two-valued option by a bit; ranges take their lowest value. */
static void set_options(struct pc_unit *unit, uint32_t bits)
{
    const struct pc_option_info *o;
    struct pc_error err = { 0 };

    for (size_t i = 0; (o = pc_option_at(i)) != NULL; i++) {
        char value[32];
        size_t skip = bits >> (i % 32) & 1 ? strcspn(o->values, "|") : 0;
        const char *from = o->values + skip + (o->values[skip] == '|');
        size_t n = strcspn(from, "|.");
        if (n >= sizeof value)
            continue;
        memcpy(value, from, n);
        value[n] = '\0';
        fuzz_check_error(pc_unit_option(unit, o->name, value, &err), &err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes in = { data, size };
    struct unit_case c;
    struct pair p = { .c = &c };

    if (!unit_case_choose(&c, &in))
        return 0;
    uint32_t options = fuzz_u32(&in);
    uint32_t seed = fuzz_u32(&in);
    for (unsigned i = 0; i < UNITS; i++) {
        p.seed[i] = seed;
        p.unit[i] = unit_case_create(&c);
        set_options(p.unit[i], options);
    }
    for (unsigned n = 0; n < MAX_OPS && in.left > 0; n++)
        one_op(&p, &in);
    same_state(&p);
    for (unsigned x = 0; x < c.domains; x++)
        FUZZ_CHECK(pc_unit_cycle(p.unit[0], x) == pc_unit_cycle(p.unit[1], x) &&
                   pc_unit_diagnostics(p.unit[0], x) == pc_unit_diagnostics(p.unit[1], x));
    for (unsigned i = 0; i < UNITS; i++)
        pc_unit_destroy(p.unit[i]);
    fuzz_all_returned(&c.heap);
    return 0;
}
