/* SPDX-License-Identifier: MIT */
/*
 * The input is a configuration of CVA6's counters and what a guest does to them: CSR
 * accesses, instructions, wires, snapshots.  What must hold: a read changes no more than the
 * clock that it takes, a value lies within the writable bits of its register, and a core
 * loaded from a snapshot goes on as the one that was saved.
 */
#include "fuzz.h"

#include <string.h>

#define MAX_OPS 400
#define CORES   2

struct pair {
    struct pc_hpm *core[CORES];
    const struct pc_hpm_config *config;
};

static void same_state(const struct pair *p)
{
    uint8_t a[PC_HPM_STATE_SIZE], b[PC_HPM_STATE_SIZE];

    pc_hpm_save(p->core[0], a);
    pc_hpm_save(p->core[1], b);
    FUZZ_CHECK(memcmp(a, b, sizeof a) == 0);
}

static struct pc_hpm_mode mode_of(uint8_t byte)
{
    return (struct pc_hpm_mode){ .privilege = byte & 3,
                                 .virtualised = byte >> 2 & 1,
                                 .debug = byte >> 3 & 1 };
}

static struct pc_hpm_access access_of(struct fuzz_bytes *in)
{
    struct pc_hpm_access access = { .op = (enum pc_hpm_csr_op)(fuzz_u8(in) % 5) };
    uint8_t at = fuzz_u8(in);

    /* mostly where counters are: 0x3xx, 0xbxx, 0xcxx */
    access.address = (uint16_t)(fuzz_u8(in) | (at & 0xf) << 8);
    access.operand = fuzz_u64(in);
    return access;
}

static void access_csr(const struct pair *p, struct fuzz_bytes *in)
{
    struct pc_hpm_mode mode = mode_of(fuzz_u8(in));
    struct pc_hpm_access access = access_of(in);
    uint64_t value[CORES] = { 0 };
    enum pc_hpm_cause cause[CORES];
    struct pc_error err = { 0 };
    struct pc_hpm_reg reg;

    for (unsigned i = 0; i < CORES; i++)
        cause[i] = pc_hpm_csr(p->core[i], mode, &access, &value[i]);
    FUZZ_CHECK(cause[0] == cause[1] && value[0] == value[1]);
    FUZZ_CHECK(cause[0] == PC_HPM_NO_TRAP || cause[0] == PC_HPM_ILLEGAL ||
               cause[0] == PC_HPM_VIRTUAL);
    FUZZ_CHECK(cause[0] == PC_HPM_NO_TRAP || value[0] == 0);
    enum pc_status status = pc_hpm_reg_at(p->config, access.address, &reg, &err);
    fuzz_check_error(status, &err);
    if (p->config->xlen == 32)
        FUZZ_CHECK(value[0] >> 32 == 0);
    if (status == PC_OK && reg.kind == PC_HPM_REG_SELECTOR)
        FUZZ_CHECK((value[0] & ~reg.writable) == 0);
}

static void step(const struct pair *p, struct fuzz_bytes *in)
{
    struct pc_hpm_in wires = { .mode = mode_of(fuzz_u8(in)), .lines = fuzz_u32(in) };
    struct pc_hpm_out out[CORES];
    uint8_t byte = fuzz_u8(in);

    wires.lines &= (UINT32_C(1) << PC_HPM_LINES) - 1;
    if (byte & 1)
        wires.csr = access_of(in);
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++)
        (void)pc_hpm_classify(p->config, fuzz_u32(in), &wires.port[i]);
    for (unsigned i = 0; i < 3; i++)
        wires.way_valid[i] = fuzz_u32(in);
    for (unsigned i = 0; i < CORES; i++) {
        FUZZ_CHECK(pc_hpm_why(p->core[i], &wires, NULL, byte % (PC_HPM_COUNTER + 9)) != NULL);
        pc_hpm_step(p->core[i], &wires, &out[i]);
    }
    FUZZ_CHECK(out[0].rdata == out[1].rdata && out[0].cause == out[1].cause);
    FUZZ_CHECK(out[0].changed == out[1].changed && out[0].events == out[1].events);
}

/* Compares single clocks with many at once. */
static void advance(const struct pair *p, struct fuzz_bytes *in)
{
    struct pc_hpm_in wires = { .mode = mode_of(fuzz_u8(in)), .lines = fuzz_u32(in) };
    unsigned cycles = fuzz_u8(in) % 64;
    struct pc_hpm_out out;

    wires.lines &= (UINT32_C(1) << PC_HPM_LINES) - 1;
    pc_hpm_advance(p->core[0], &wires, cycles);
    for (unsigned i = 0; i < cycles; i++)
        pc_hpm_step(p->core[1], &wires, &out);
    same_state(p);
}

static void retire(const struct pair *p, struct fuzz_bytes *in)
{
    struct pc_hpm_mode mode = mode_of(fuzz_u8(in));
    unsigned count = fuzz_u8(in) % 4;
    uint32_t insn[4], lines = fuzz_u32(in) & ((UINT32_C(1) << PC_HPM_LINES) - 1);
    struct pc_error err = { 0 };

    for (unsigned i = 0; i < 4; i++)
        insn[i] = fuzz_u32(in);
    for (unsigned i = 0; i < CORES; i++)
        fuzz_check_error(pc_hpm_retire(p->core[i], mode, insn, count, lines, &err), &err);
}

/* A snapshot with one byte changed is refused, or is a state like another. */
static void snapshot(const struct pair *p, struct fuzz_bytes *in)
{
    uint8_t state[PC_HPM_STATE_SIZE], before[PC_HPM_STATE_SIZE], after[PC_HPM_STATE_SIZE];
    struct pc_error err = { 0 };

    pc_hpm_save(p->core[0], state);
    memcpy(before, state, sizeof before);
    state[fuzz_u8(in) % sizeof state] = fuzz_u8(in);
    size_t size = fuzz_u8(in) % 16 ? sizeof state : fuzz_u8(in) % sizeof state;
    enum pc_status status = pc_hpm_load(p->core[1], state, size, &err);
    fuzz_check_error(status, &err);
    pc_hpm_save(p->core[1], after);
    FUZZ_CHECK(memcmp(after, status ? before : state, sizeof after) == 0);
    if (status == PC_OK)
        FUZZ_CHECK(pc_hpm_load(p->core[0], state, size, &err) == PC_OK);
    same_state(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const op[])(const struct pair *, struct fuzz_bytes *) = { access_csr, access_csr,
                                                                            step,       advance,
                                                                            retire,     snapshot };
    struct fuzz_bytes in = { data, size };
    struct fuzz_heap heap = { .limit = (size_t)1 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_error err = { 0 };
    size_t configs = 0;
    struct pair p;

    while (pc_hpm_config_at(configs))
        configs++;
    struct pc_hpm_config config = *pc_hpm_config_at(fuzz_u8(&in) % configs);
    config.dcache_ways = (uint8_t)(config.dcache_ways ^ fuzz_u8(&in));
    uint8_t profile = fuzz_u8(&in);
    struct pc_hpm_desc desc = { .config = &config,
                                .profile = pc_hpm_profile_at(profile & 1),
                                .quirks_on = fuzz_u32(&in) & 0xfff,
                                .alloc = &alloc };
    enum pc_status status = pc_hpm_create(&desc, &p.core[0], &err);
    fuzz_check_error(status, &err);
    if (status)
        return 0;
    FUZZ_CHECK(pc_hpm_create(&desc, &p.core[1], &err) == PC_OK);
    p.config = pc_hpm_get_config(p.core[0]);
    for (unsigned n = 0; n < MAX_OPS && in.left > 0; n++)
        op[fuzz_u8(&in) % (sizeof op / sizeof op[0])](&p, &in);
    same_state(&p);
    for (unsigned i = 0; i < CORES; i++)
        pc_hpm_destroy(p.core[i]);
    fuzz_all_returned(&heap);
    return 0;
}
