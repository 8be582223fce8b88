/* SPDX-License-Identifier: MIT */
/*
 * The input is a snapshot that cannot be trusted: the bytes themselves, or changes to a real
 * one of a unit that has worked a while.  What must hold: a refused one changes nothing, an
 * accepted one is harmless, and what the unit then saves it accepts again.
 */
#include "unit_ops.h"

#include <string.h>

#define MAX_CHANGES 200

/* Counting in some mode, with memory bound; registers by turns get what the bytes say. */
static void work(const struct unit_case *c, struct pc_unit *unit, struct fuzz_bytes *in)
{
    uint64_t seed = fuzz_u8(in);

    for (size_t i = 0; i < c->regs; i++)
        pc_unit_write(unit, c->reg[i].address, (uint32_t)(seed * 0x01010101u) ^ (uint32_t)i);
    for (unsigned n = 0; n < 8; n++)
        unit_step(unit, 0xff, &seed);
}

/* "offset value" three bytes at a time, the offset a little beyond the end included. */
static size_t change(uint8_t *state, size_t size, struct fuzz_bytes *in)
{
    size_t given = size;

    for (unsigned n = 0; n < MAX_CHANGES && in->left >= 3; n++) {
        size_t at = fuzz_u8(in);
        at |= (size_t)fuzz_u8(in) << 8;
        uint8_t value = fuzz_u8(in);
        if (at < size)
            state[at] = value;
        else if (at == 0xffff)
            given = value % 2 ? size - value % size : 0;
    }
    return given;
}

static void use(const struct unit_case *c, struct pc_unit *unit)
{
    static uint8_t state[UNIT_STATE_MAX];
    uint64_t seed = 1;
    struct pc_error err = { 0 };
    size_t size;

    for (unsigned n = 0; n < 40; n++) {
        unit_step(unit, n % 8 ? 0xff : n, &seed);
        for (size_t i = n; i < c->regs; i += 40) {
            (void)pc_unit_read(unit, c->reg[i].address);
            pc_unit_write(unit, c->reg[i].address, (uint32_t)seed);
        }
        if (n % 16 == 0) {
            pc_unit_pulse(unit, PC_PULSE_PM_TRIGGER, n);
            pc_unit_record_done(unit, n / 16, n & 1);
        }
    }
    unit_saved(unit, state, &size);
    enum pc_status status = pc_unit_load(unit, state, size, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t state[UNIT_STATE_MAX], before[UNIT_STATE_MAX], after[UNIT_STATE_MAX];
    struct fuzz_bytes in = { data, size };
    struct pc_error err = { 0 };
    struct unit_case c;
    size_t saved;

    if (!unit_case_choose(&c, &in))
        return 0;
    struct pc_unit *unit = unit_case_create(&c);
    bool raw = fuzz_u8(&in) & 1;
    work(&c, unit, &in);
    unit_saved(unit, before, &saved);
    memcpy(state, before, saved);
    size_t given = raw ? in.left : change(state, saved, &in);
    enum pc_status status = pc_unit_load(unit, raw ? in.at : state, given, &err);
    fuzz_check_error(status, &err);
    if (status) {
        unit_saved(unit, after, &saved);
        FUZZ_CHECK(unit_same(before, after, saved));
    }
    use(&c, unit);
    pc_unit_destroy(unit);
    fuzz_all_returned(&c.heap);
    return 0;
}
