/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip, registers, signals, cuts, and damage.  What must hold: chunks that were
 * summarised apart, sent as bytes and combined in the order that the input says, do what one
 * run does, or say that they do not hold and leave the unit alone; bytes that were damaged are
 * refused or harmless.
 */
#include "run_case.h"

#include <string.h>

enum { CHUNKS = 5, BYTES_MAX = 1 << 16 };

struct chunks {
    struct pc_summary *summary[CHUNKS];
    uint64_t cut[CHUNKS + 1]; /* chunk i has the cycles from cut[i] to cut[i + 1] */
    unsigned count;
};

static void choose_cuts(struct chunks *k, uint64_t cycles, struct fuzz_bytes *in)
{
    uint64_t at = 0;

    memset(k, 0, sizeof *k);
    for (unsigned i = 1; i < CHUNKS && cycles - at >= 4 * PC_SUMMARY_CYCLES; i++) {
        at += PC_SUMMARY_CYCLES + fuzz_u32(in) % (cycles - at - 2 * PC_SUMMARY_CYCLES);
        k->cut[++k->count] = at;
    }
    k->cut[++k->count] = cycles;
}

/* Through bytes, as another process would get it. */
static struct pc_summary *sent(const struct pc_unit *unit, struct pc_summary *s)
{
    struct pc_summary *out = NULL;
    struct pc_error err = { 0 };
    size_t size;
    const void *bytes = pc_summary_bytes(s, &size);
    enum pc_status status = pc_summary_load(unit, bytes, size, &out, &err);

    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK && pc_summary_cycles(out) == pc_summary_cycles(s));
    pc_summary_destroy(s);
    return out;
}

static struct pc_summary *summary_of(const struct run_case *r, const struct pc_unit *start,
                                     struct pc_engine *engine, uint64_t at, uint64_t end)
{
    static const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t from = at == 0 ? 0 : (at - PC_SUMMARY_LEAD) / 64 * 64;
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    struct pc_summary *s = NULL;
    struct pc_error err = { 0 };

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        domain[x] = r->domain[x];
        for (unsigned i = 0; i < PC_MAX_SIGNALS; i++)
            plane[x][i] = r->plane[x][i] ? r->plane[x][i] + from / 64 : NULL;
        domain[x].plane = domain[x].plane ? plane[x] : NULL;
    }
    const struct pc_summary_chunk chunk = { domain, end - from, at - from, at };
    enum pc_status status = pc_summary_create(start, engine, &chunk, &s, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK);
    return sent(start, s);
}

/* Two neighbours become one, as often as the input says. */
static void combine(struct chunks *k, struct fuzz_bytes *in)
{
    for (unsigned n = fuzz_u8(in) % CHUNKS; n > 0 && k->count > 1; n--) {
        unsigned i = fuzz_u8(in) % (k->count - 1);
        struct pc_summary *both = NULL;
        struct pc_error err = { 0 };
        enum pc_status status =
            pc_summary_create_combined(k->summary[i], k->summary[i + 1], &both, &err);
        FUZZ_CHECK(status == PC_OK);
        pc_summary_destroy(k->summary[i]);
        pc_summary_destroy(k->summary[i + 1]);
        k->summary[i] = both;
        k->count--;
        memmove(k->summary + i + 1, k->summary + i + 2, (k->count - i - 1) * sizeof *k->summary);
        memmove(k->cut + i + 1, k->cut + i + 2, (k->count - i) * sizeof *k->cut);
    }
}

/* Bytes of a summary with some of them changed, or cut off. */
static void damage(struct unit_case *c, const struct pc_summary *s, struct fuzz_bytes *in)
{
    static uint8_t bytes[BYTES_MAX];
    struct pc_unit *unit = unit_case_create(c);
    struct pc_summary *out = NULL;
    struct pc_error err = { 0 };
    size_t size;
    const void *whole = pc_summary_bytes(s, &size);

    if (size <= BYTES_MAX) {
        memcpy(bytes, whole, size);
        for (unsigned n = fuzz_u8(in) % 8; n > 0; n--) {
            size_t at = fuzz_u32(in) % size;
            bytes[at] = fuzz_u8(in);
        }
        if (fuzz_u8(in) % 4 == 0)
            size = fuzz_u32(in) % (size + 1);
        enum pc_status status = pc_summary_load(unit, bytes, size, &out, &err);
        fuzz_check_error(status, &err);
        FUZZ_CHECK(status == PC_OK || status == PC_EINPUT);
        FUZZ_CHECK((status == PC_OK) == (out != NULL));
        if (out && pc_summary_apply(out, unit)) {
            uint8_t state[UNIT_STATE_MAX];
            unit_saved(unit, state, &size); /* touches what was applied */
        }
        pc_summary_destroy(out);
    }
    pc_unit_destroy(unit);
}

static void one_case(struct unit_case *c, const struct run_case *r, struct pc_unit *start,
                     struct pc_engine *engine, struct fuzz_bytes *in)
{
    struct pc_unit *whole = unit_case_create(c), *parts = unit_case_create(c);
    uint8_t state[UNIT_STATE_MAX];
    struct pc_error err = { 0 };
    struct chunks k;
    size_t size;

    unit_saved(start, state, &size);
    FUZZ_CHECK(pc_unit_load(whole, state, size, &err) == PC_OK);
    FUZZ_CHECK(pc_unit_load(parts, state, size, &err) == PC_OK);
    pc_unit_run(whole, engine, &r->run);
    choose_cuts(&k, r->run.cycles, in);
    for (unsigned i = 0; i < k.count; i++)
        k.summary[i] = summary_of(r, start, engine, k.cut[i], k.cut[i + 1]);
    combine(&k, in);
    damage(c, k.summary[0], in);
    for (unsigned i = 0; i < k.count; i++) {
        FUZZ_CHECK(pc_summary_cycles(k.summary[i]) == k.cut[i + 1] - k.cut[i]);
        uint8_t before[UNIT_STATE_MAX], after[UNIT_STATE_MAX];
        unit_saved(parts, before, &size);
        if (!pc_summary_apply(k.summary[i], parts)) {
            unit_saved(parts, after, &size);
            FUZZ_CHECK(unit_same(before, after, size));
            run_case_step(r, c->domains, parts, k.cut[i], k.cut[i + 1]);
        }
        pc_summary_destroy(k.summary[i]);
    }
    unit_must_equal(whole, parts);
    pc_unit_destroy(whole);
    pc_unit_destroy(parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run_case r;
    struct fuzz_bytes in = { data, size };
    struct pc_engine *engine = NULL;
    struct pc_error err = { 0 };
    struct unit_case c;

    if (size < 16 || !unit_case_choose(&c, &in))
        return 0;
    struct pc_unit *start = unit_case_create(&c);
    struct pc_engine_desc desc = { .alloc = &c.alloc };
    FUZZ_CHECK(pc_engine_create(&desc, &engine, &err) == PC_OK);
    run_case_program(&c, start, &in);
    run_case_fill(&r, &c, &in, false, false);
    run_case_step(&r, c.domains, start, 0, 2); /* nothing that was written is pending */
    if (r.run.cycles >= 2 * PC_SUMMARY_CYCLES)
        one_case(&c, &r, start, engine, &in);
    pc_engine_destroy(engine);
    pc_unit_destroy(start);
    fuzz_all_returned(&c.heap);
    return 0;
}
