/* SPDX-License-Identifier: MIT */
/*
 * Random record and stream modes: counters near 0xf000 and their ends, buffers near their limits,
 * a busy or wedged slot, a memory that faults or lets wait.
 */
#include "equal_record.h"

static enum pc_mem_result take(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    struct equal_sink *sink = ctx;
    uint64_t h = sink->digest ^ address ^ (uint64_t)domain << 48;

    for (size_t i = 0; i < size; i++)
        h = (h ^ data[i]) * UINT64_C(1099511628211);
    sink->digest = h;
    sink->packets++;
    bool bad = sink->packets == sink->bad;
    if (sink->bad && sink->packets > sink->bad)
        bad = h % 100 < sink->again;
    return bad ? sink->answer : PC_MEM_OK;
}

static void random_record(struct test_rng *rng, struct pc_record *r)
{
    for (unsigned i = 0; i < 12; i++)
        r->event[i] = (uint16_t)(test_rand_below(rng, 3) ? test_rand_below(rng, 100)
                                                         : 0xffff - test_rand_below(rng, 6000));
    r->cycles = (UINT64_C(1) << 48) - test_rand_below(rng, 20000);
    r->stop = (uint16_t)(test_rand_below(rng, 3) ? 0 : test_rand_below(rng, 4096));
    r->position = (uint32_t)test_rand(rng);
    r->valid = test_rand_below(rng, 4) != 0;
    r->wedged = test_rand_below(rng, 16) == 0;
    r->pending = test_rand_below(rng, 16) == 0;
    r->busy = test_rand_below(rng, 3) ? 0 : test_rand_below(rng, 30000);
    r->dirty = test_rand_below(rng, 2);
}

/* Nearly always low: then packets are rare and their counters large. */
static void rare_stop(struct test_rng *rng, struct pc_domain *d)
{
    static const uint32_t op[4] = { 0, 0x8000, 0x8000, 0x8888 };

    if (test_rand_below(rng, 2))
        d->op[PC_IN_STOP] = op[test_rand_below(rng, 4)];
}

static void random_options(struct test_rng *rng, struct pc_options *o)
{
    o->record_latency = test_rand_below(rng, 2) ? 0 : test_rand_below(rng, 3000);
    o->record_invalid_holds = test_rand_below(rng, 2);
    o->no_bogus_packet = test_rand_below(rng, 2);
    o->record_fault =
        (uint8_t)(test_rand_below(rng, 6) ? 1 + test_rand_below(rng, 2) : PC_FAULT_HANG);
}

static void random_sink(struct test_rng *rng, struct equal_sink *sink)
{
    if (test_rand_below(rng, 3) == 0)
        sink->bad = 1 + test_rand_below(rng, 40);
    sink->answer = test_rand_below(rng, 2) ? PC_MEM_FAULT : PC_MEM_PENDING;
    sink->again = test_rand_below(rng, 3) * test_rand_below(rng, 101) / 2;
}

void equal_record(struct test_rng *rng, struct pc_unit *wide, struct pc_unit *step,
                  struct equal_sink *wide_sink, struct equal_sink *step_sink)
{
    bool stream = wide->chip->features & PC_F_GF100;

    if (!(wide->chip->features & (PC_F_RECORD | PC_F_GF100)) || test_rand_below(rng, 2))
        return;
    unsigned first = test_rand_below(rng, wide->chip->domains);
    bool several = test_rand_below(rng, 2) == 0;
    for (unsigned x = 0; x < wide->chip->domains; x++) {
        struct pc_domain *d = &wide->state.domain[x];
        d->record.busy = test_rand_below(rng, 3) ? 0 : test_rand_below(rng, 3000); /* D-66 */
        if (x != first && !(several && test_rand_below(rng, 3) == 0))
            continue;
        d->control.mode = stream ? PC_MODE_STREAM : PC_MODE_RECORD;
        d->control.record_short = test_rand_below(rng, 2);
        d->record_limit = (uint32_t)test_rand(rng);
        random_record(rng, &d->record);
        rare_stop(rng, d);
        if (test_rand_below(rng, 2))
            d->record_limit = d->record.position + test_rand_below(rng, 2000);
    }
    wide->state.bound = test_rand_below(rng, 8) != 0;
    if (test_rand_below(rng, 16) == 0)
        wide->state.gctrl = (uint32_t)test_rand(rng);
    random_options(rng, &wide->options);
    random_sink(rng, wide_sink);
    *step_sink = *wide_sink;
    step->state = wide->state;
    step->options = wide->options;
    if (test_rand_below(rng, 8) == 0)
        return;
    wide->mem_write = step->mem_write = take;
    wide->mem_ctx = wide_sink;
    step->mem_ctx = step_sink;
}

void equal_sinks_take(struct pc_unit *wide, struct pc_unit *step, struct equal_sink *wide_sink,
                      struct equal_sink *step_sink)
{
    *wide_sink = *step_sink = (struct equal_sink){ 0 };
    wide->mem_write = step->mem_write = take;
    wide->mem_ctx = wide_sink;
    step->mem_ctx = step_sink;
}

bool equal_sinks(const struct equal_sink *a, const struct equal_sink *b)
{
    return a->packets == b->packets && a->digest == b->digest;
}
