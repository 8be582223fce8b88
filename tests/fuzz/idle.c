/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip and operations on its PDAEMON idle counters, and the numbers of a
 * governor with polls of its own.  What must hold: a read has no effect, many clocks at once
 * equal one after the other, a governor keeps its level in range, and a refused poll changes
 * nothing.
 */
#include "fuzz.h"

#include <string.h>

#define MAX_OPS 400

/* One unit gets its clocks at once, the other in two parts. */
struct pair {
    struct pc_idle *once, *parts;
    uint32_t base[2]; /* by enum pc_idle_space */
};

static uint32_t place(const struct pair *p, struct fuzz_bytes *in, enum pc_idle_space *space)
{
    uint8_t at = fuzz_u8(in);

    *space = at & 1 ? PC_IDLE_IO : PC_IDLE_HOST;
    /* registers of I[] are 64 times as far apart */
    return p->base[*space] + (uint32_t)(at >> 1) * (*space == PC_IDLE_IO ? 0x100u : 4u);
}

static void read_both(const struct pair *p, enum pc_idle_space space, uint32_t address)
{
    uint32_t a = 1, b = 1, again = 1;
    bool found = pc_idle_read(p->once, space, address, &a);

    FUZZ_CHECK(found == pc_idle_read(p->parts, space, address, &b) && a == b);
    FUZZ_CHECK(found == pc_idle_read(p->once, space, address, &again) && a == again);
    FUZZ_CHECK(found || a == 0);
}

static void one_op(const struct pair *p, struct fuzz_bytes *in)
{
    enum pc_idle_space space;
    uint32_t address, value;
    uint64_t cycles, part;

    switch (fuzz_u8(in) % 4) {
    case 0:
        address = place(p, in, &space);
        value = fuzz_u32(in);
        FUZZ_CHECK(pc_idle_write(p->once, space, address, value) ==
                   pc_idle_write(p->parts, space, address, value));
        read_both(p, space, address);
        break;
    case 1:
        address = fuzz_u32(in);
        (void)pc_idle_write(p->once, PC_IDLE_HOST, address, address);
        (void)pc_idle_write(p->parts, PC_IDLE_HOST, address, address);
        read_both(p, PC_IDLE_HOST, address);
        break;
    case 2:
        address = place(p, in, &space);
        read_both(p, space, address);
        break;
    default:
        value = fuzz_u32(in);
        cycles = fuzz_u64(in) >> fuzz_u8(in) % 64;
        part = cycles / 3;
        pc_idle_run(p->once, value, cycles);
        pc_idle_run(p->parts, value, part);
        pc_idle_run(p->parts, value, cycles - part);
        FUZZ_CHECK(pc_idle_overflowed(p->once) == pc_idle_overflowed(p->parts));
        break;
    }
}

static void govern(struct fuzz_bytes *in)
{
    struct pc_governor g = { .name = "own",
                             .target = fuzz_u32(in),
                             .ceiling = fuzz_u32(in),
                             .smooth = fuzz_u32(in),
                             .levels = fuzz_u8(in) };
    struct pc_governor_state state = { .average = fuzz_u32(in), .level = fuzz_u8(in) };
    struct pc_error err = { 0 };

    for (unsigned n = 0; n < 8; n++) {
        struct pc_governor_state before = state;
        uint32_t busy = fuzz_u32(in), total = fuzz_u32(in), load = 77;
        enum pc_status status = pc_governor_step(&g, busy, total, &state, &load, &err);
        fuzz_check_error(status, &err);
        if (status)
            FUZZ_CHECK(state.average == before.average && state.level == before.level &&
                       load == 77);
        else
            FUZZ_CHECK(state.level < g.levels && g.levels <= PC_GOVERNOR_LEVELS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes in = { data, size };
    struct fuzz_heap heap = { .limit = (size_t)1 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_idle_desc desc = { .chip = fuzz_chip(fuzz_u8(&in)), .alloc = &alloc };
    struct pair p = { .base = { 0x10a500, fuzz_u8(&in) & 1 ? 0x500 : 0x14000 } };
    struct pc_error err = { 0 };

    govern(&in);
    enum pc_status status = pc_idle_create(&desc, &p.once, &err);
    fuzz_check_error(status, &err);
    if (status)
        return 0;
    FUZZ_CHECK(pc_idle_create(&desc, &p.parts, &err) == PC_OK);
    for (unsigned n = 0; n < MAX_OPS && in.left > 0; n++)
        one_op(&p, &in);
    pc_idle_destroy(p.once);
    pc_idle_destroy(p.parts);
    fuzz_all_returned(&heap);
    return 0;
}
