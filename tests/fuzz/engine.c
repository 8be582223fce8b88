/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip, registers of a unit, signals, clocks and writes.  What must hold: a run by
 * the wide engine, with whatever kernel, leaves the same state and sends the same packets as
 * one step after the other; and so does the same run in two pieces.
 */
#include "run_case.h"

#include <string.h>

/* Every packet that a unit sent, as one number. */
struct sink {
    uint64_t packets, digest;
};

static enum pc_mem_result on_packet(void *ctx, unsigned domain, uint64_t address,
                                    const uint8_t *data, size_t size)
{
    struct sink *s = ctx;
    uint64_t kind = (address >> 4) * 0x9e3779b97f4a7c15u >> 60;

    FUZZ_CHECK(size == 16 || size == 32);
    s->packets++;
    s->digest = (s->digest ^ domain) * 0x2545f4914f6cdd1du;
    s->digest = (s->digest ^ address) * 0x2545f4914f6cdd1du;
    for (size_t i = 0; i < size; i++)
        s->digest = (s->digest ^ data[i]) * 0x2545f4914f6cdd1du;
    return kind == 0 ? PC_MEM_FAULT : kind == 1 ? PC_MEM_PENDING : PC_MEM_OK;
}

static struct pc_unit *make_unit(struct unit_case *c, struct sink *sink, unsigned options)
{
    struct pc_error err = { 0 };

    *sink = (struct sink){ 0 };
    c->desc.mem_write = on_packet;
    c->desc.mem_ctx = sink;
    struct pc_unit *unit = unit_case_create(c);
    if (options & 1) { /* chips without it say so */
        enum pc_status status = pc_unit_option(unit, "gf100-halted-flag", "follows", &err);
        fuzz_check_error(status, &err);
    }
    return unit;
}

static struct pc_engine *engine_of(const struct unit_case *c, unsigned kernel)
{
    static const char *const names[] = { "portable", "avx2", NULL };
    struct pc_engine_desc desc = { .alloc = &c->alloc, .kernel = names[kernel % 3] };
    struct pc_engine *engine = NULL;
    struct pc_error err = { 0 };
    enum pc_status status = pc_engine_create(&desc, &engine, &err);

    fuzz_check_error(status, &err);
    if (status == PC_EARG) { /* this CPU has none of it */
        desc.kernel = NULL;
        status = pc_engine_create(&desc, &engine, &err);
    }
    FUZZ_CHECK(status == PC_OK && engine != NULL);
    return engine;
}

/* A word boundary cuts planes without shifting them; clocks make it one of no domain. */
static void run_in_two(struct run_case *r, struct pc_unit *unit, struct pc_engine *engine)
{
    static const uint64_t *later[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    struct pc_run run = r->run;
    uint64_t whole = run.cycles, at = whole / 128 * 64;
    struct pc_run_domain domain[PC_MAX_DOMAINS];

    run.cycles = at;
    pc_unit_run(unit, engine, &run);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        domain[x] = r->domain[x];
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
            later[x][s] = r->plane[x][s] ? r->plane[x][s] + at / 64 : NULL;
        domain[x].plane = r->domain[x].plane ? later[x] : NULL;
    }
    run.domain = domain;
    run.cycles = whole - at;
    pc_unit_run(unit, engine, &run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run_case r;
    struct fuzz_bytes in = { data, size }, again;
    struct unit_case c;
    struct sink wide_sink, step_sink, two_sink;

    if (size < 16 || !unit_case_choose(&c, &in))
        return 0;
    unsigned how = fuzz_u8(&in);
    struct pc_unit *wide = make_unit(&c, &wide_sink, how);
    struct pc_unit *step = make_unit(&c, &step_sink, how);
    struct pc_unit *two = make_unit(&c, &two_sink, how);
    struct pc_engine *engine = engine_of(&c, how >> 1);
    again = in;
    run_case_program(&c, wide, &in);
    in = again;
    run_case_program(&c, two, &in);
    in = again;
    run_case_program(&c, step, &in);
    bool pieces = how & 0x10;
    run_case_fill(&r, &c, &in, !pieces, !pieces);

    pc_unit_run(wide, engine, &r.run);
    run_case_step(&r, c.domains, step, 0, r.run.cycles);
    unit_must_equal(wide, step);
    FUZZ_CHECK(wide_sink.packets == step_sink.packets && wide_sink.digest == step_sink.digest);
    if (pieces) {
        run_in_two(&r, two, engine);
        unit_must_equal(two, step);
        FUZZ_CHECK(two_sink.packets == step_sink.packets && two_sink.digest == step_sink.digest);
    }
    pc_engine_destroy(engine);
    pc_unit_destroy(wide);
    pc_unit_destroy(step);
    pc_unit_destroy(two);
    fuzz_all_returned(&c.heap);
    return 0;
}
