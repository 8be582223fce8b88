/* SPDX-License-Identifier: MIT */
/*
 * The live step: one cycle of a domain with 256 signals, register accesses, and both mixed, in
 * nanoseconds; against pc_unit_step(), which makes what is verified, and against a clock of our
 * Verilog in Verilator where there is one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"
#ifdef PEER_VERSION
#include "peer.h"
#endif

enum { RING = 4096, CYCLES = 16 * RING, ACCESSES = 1 << 16, CARD_ACCESSES = 1 << 14 };
#define STANDSTILL (UINT64_C(1) << 40)

/* Those of STOP_SRC: only one cycle in 64 has any. */
static const uint64_t STOP_SIGNALS[PC_SIG_WORDS] = { UINT64_C(0x0), UINT64_C(0x8000000000000000),
                                                     UINT64_C(0x2000000040000000),
                                                     UINT64_C(0x10000000) };

struct job {
    const char *name;
    uint32_t ctrl;
    bool rare;                     /* STOP */
    bool alone;                    /* nobody takes packets */
    bool periodic;                 /* EVENT and STOP are PERIODIC, each 1024 cycles */
    unsigned period;               /* cycles between two accesses; 0: none */
    uint32_t write;                /* address; 0: only reads */
    uint64_t (*raw)[PC_SIG_WORDS]; /* of one domain */
    uint32_t packets;
    struct pc_unit *unit;
    void *initial; /* its state */
};

static enum pc_mem_result take(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    struct job *job = ctx;

    (void)domain;
    (void)address;
    (void)size;
    job->packets += data[8];
    return PC_MEM_OK;
}

/* 16 of 256 signals, generic tables, EVENT and STOP with delays. */
static struct pc_unit *make_unit(struct job *job)
{
    static const uint32_t write[][2] = {
        { 0xa7a4, 1 },          { 0xa7a0, 0x80000001 }, { 0xa720, 0xffffffff },
        { 0xa760, 0x1000 },     { 0xa400, 0x68492a0b }, { 0xa440, 0xe4c5a687 },
        { 0xa480, 0x60412203 }, { 0xa4c0, 0xdcbd9e7f }, { 0xa420, 0x6a95 },
        { 0xa460, 0x1ee7 },     { 0xa4a0, 0x3d24b },    { 0xa4e0, 0x8000 },
        { 0xa740, 0xffff },     { 0xa700, 3 },
    };
    struct pc_unit_desc desc = { .chip = pc_chip_find("GT215"),
                                 .mem_write = job->alone ? NULL : take,
                                 .mem_ctx = job };
    struct pc_unit *unit = bench_unit(&desc);

    pc_unit_write(unit, 0xa7c0, job->ctrl);
    for (size_t i = 0; i < sizeof write / sizeof write[0]; i++)
        pc_unit_write(unit, write[i][0], write[i][1]);
    if (job->periodic) {
        pc_unit_write(unit, 0xa480, 0x604122ed);
        pc_unit_write(unit, 0xa4a0, 0xaaaa);
        pc_unit_write(unit, 0xa4c0, 0xed);
        pc_unit_write(unit, 0xa4e0, 0xaaaa);
    }
    return unit;
}

static void prepare(struct job *job)
{
    job->unit = make_unit(job);
    job->initial = bench_memory(pc_unit_state_size(job->unit));
    pc_unit_save(job->unit, job->initial);
}

static void done(struct job *job)
{
    pc_unit_destroy(job->unit);
    free(job->initial);
}

static struct pc_unit *restart(struct job *job)
{
    if (pc_unit_load(job->unit, job->initial, pc_unit_state_size(job->unit), NULL) != PC_OK)
        exit(2);
    return job->unit;
}

static struct pc_live *make_live(struct pc_unit *unit)
{
    struct pc_live *live;

    if (pc_live_open(unit, &live, NULL) != PC_OK)
        exit(2);
    return live;
}

static uint64_t cycles_live(void *ctx)
{
    struct job *job = ctx;
    struct pc_unit *unit = restart(job);
    struct pc_live *live = make_live(unit);
    uint64_t h = 0;

    for (unsigned t = 0; t < CYCLES; t++) {
        pc_live_step(live, 1, (const uint64_t(*)[PC_SIG_WORDS]) & job->raw[t % RING]);
        if (job->period && t % job->period == 0) {
            if (job->write)
                pc_live_write(live, job->write, t);
            h = h * 31 + pc_live_read(live, 0xa680);
        }
    }
    pc_live_close(live);
    return bench_digest(unit, h);
}

static uint64_t cycles_step(void *ctx)
{
    struct job *job = ctx;
    struct pc_unit *unit = restart(job);
    uint64_t h = 0;

    for (unsigned t = 0; t < CYCLES; t++) {
        pc_unit_step(unit, 1, (const uint64_t(*)[PC_SIG_WORDS]) & job->raw[t % RING]);
        if (job->period && t % job->period == 0) {
            if (job->write)
                pc_unit_write(unit, job->write, t);
            h = h * 31 + pc_unit_read(unit, 0xa680);
        }
    }
    return bench_digest(unit, h);
}

static uint64_t access_live(void *ctx)
{
    struct job *job = ctx;
    struct pc_unit *unit = restart(job);
    struct pc_live *live = make_live(unit);
    uint64_t h = 0;

    for (uint32_t i = 0; i < ACCESSES; i++) {
        pc_live_write(live, 0xa480 + 4 * (i & 1), i);
        h += pc_live_read(live, 0xa600 + 0x80 * (i & 1));
    }
    pc_live_close(live);
    return bench_digest(unit, h);
}

static uint64_t access_unit(void *ctx)
{
    struct job *job = ctx;
    struct pc_unit *unit = restart(job);
    uint64_t h = 0;

    for (uint32_t i = 0; i < ACCESSES; i++) {
        pc_unit_write(unit, 0xa480 + 4 * (i & 1), i);
        h += pc_unit_read(unit, 0xa600 + 0x80 * (i & 1));
    }
    return bench_digest(unit, h);
}

#ifdef PEER_VERSION
struct clocks {
    struct peer *peer;
    uint32_t (*sample)[8];
};

static uint64_t verilator(void *ctx)
{
    struct clocks *clocks = ctx;
    uint32_t c[4];

    peer_run_full(clocks->peer, (const uint32_t(*)[8])clocks->sample, RING, c);
    return c[0] + 3u * (uint64_t)c[1] + 5u * (uint64_t)c[2] + 7u * (uint64_t)c[3];
}

static void against_verilog(struct job *job)
{
    static const uint16_t table[4] = { 0x6a95, 0x1ee7, 0xd24b, 0x8000 };
    uint8_t select[16];
    struct clocks clocks = { .sample = bench_memory(RING * sizeof *clocks.sample) };

    for (unsigned k = 0; k < 16; k++)
        select[k] = (uint8_t)(31 * k + 11);
    for (unsigned t = 0; t < RING; t++)
        for (unsigned i = 0; i < 8; i++)
            clocks.sample[t][i] = (uint32_t)(job->raw[t][i / 2] >> 32 * (i % 2));
    clocks.peer = peer_open_full(select, table);
    struct bench_case c[] = {
        { "Verilator", verilator, &clocks, verilator(&clocks), RING, 20, { 0 } },
        { "live", cycles_live, job, cycles_step(job), CYCLES, 4, { 0 } },
    };
    bench_rounds(c, 2);
    bench_fact("peer", PEER_VERSION);
    bench_row("a clock of our Verilog of it, in Verilator", 1e9 / bench_rate(&c[0]), "ns", 0,
              false);
    peer_close(clocks.peer);
    free(clocks.sample);
}
#endif

static void measure(struct job *job, double goal)
{
    struct bench_case c[] = {
        { "step", cycles_step, job, cycles_step(job), CYCLES, 1, { 0 } },
        { "live", cycles_live, job, cycles_step(job), CYCLES, 4, { 0 } },
    };
    char what[96];

    bench_rounds(c, 2);
    void (*row)(const char *, double, const char *, double, bool) =
        goal > 0 ? bench_row : bench_more;
    row(job->name, 1e9 / bench_rate(&c[1]), "ns", goal, true);
    snprintf(what, sizeof what, "%s, times as fast as pc_unit_step", job->name);
    bench_more(what, bench_ratio(&c[1], &c[0]), "x", 0, false);
}

static void measure_access(struct job *job)
{
    struct bench_case c[] = {
        { "unit", access_unit, job, access_unit(job), ACCESSES, 4, { 0 } },
        { "live", access_live, job, access_unit(job), ACCESSES, 20, { 0 } },
    };

    bench_rounds(c, 2);
    bench_row("one register write and one read", 1e9 / bench_rate(&c[1]), "ns", 4, true);
    bench_more("the same, pc_unit_write and pc_unit_read", 1e9 / bench_rate(&c[0]), "ns", 0, false);
}

/* So many cycles in which nothing changes, at once, and in 16 pieces. */
static uint64_t advance(struct job *job, unsigned pieces)
{
    struct pc_unit *unit = restart(job);

    for (unsigned i = 0; i < pieces; i++)
        pc_unit_advance(unit, STANDSTILL / pieces, 1, (const uint64_t(*)[PC_SIG_WORDS])job->raw);
    return bench_digest(unit, 0);
}

static uint64_t advance_once(void *ctx)
{
    return advance(ctx, 1);
}

static void measure_advance(struct job *job)
{
    struct bench_case c[] = {
        { "advance", advance_once, job, advance(job, 16), 1, 20, { 0 } },
    };
    char what[96];

    bench_rounds(c, 1);
    snprintf(what, sizeof what, "pc_unit_advance, 2^40 cycles, %s", job->name);
    bench_more(what, 1e6 / bench_rate(&c[0]), "us", 0, false);
}

/* ---- the card of `pcounter card`: an access takes 1 us of clocks of 500 MHz ---- */

struct card {
    const char *chip;
    bool all;          /* domains count; else one */
    uint32_t first_hz; /* of the first domain; the others have 500 MHz */
};

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(2);
}

/* Event counts of quad mode in a few domains or all that there are of one kind */
static void count_in(struct pc_gpu *gpu, const struct pc_chip *chip, bool all)
{
    const bool gf100 = chip->layout == PC_LAYOUT_GF100;

    for (uint32_t x = 0; x < (all ? 8u : 1u); x++)
        pc_gpu_write32(gpu, gf100 ? 0x1b009c + 0x200 * x : 0xa7c0 + 4 * x, gf100 ? 2 : 1);
}

static uint64_t accesses(void *ctx)
{
    const struct card *card = ctx;
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(card->chip), .ptimer = true };
    struct pc_gpu *gpu;
    struct pc_error err;
    uint64_t h = 0;

    must(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_latency(gpu, 0, 0);
    must(pc_gpu_clock_hz(gpu, PC_DOM_EVERY, 500000000, &err), &err);
    must(pc_gpu_clock_hz(gpu, 0, card->first_hz, &err), &err);
    count_in(gpu, desc.chip, card->all);
    for (unsigned i = 0; i < CARD_ACCESSES; i++) {
        h = h * 31 + pc_gpu_read32(gpu, desc.chip->layout == PC_LAYOUT_GF100 ? 0x1b0080 : 0xa600);
        must(pc_gpu_elapse(gpu, 1000, &err), &err);
    }
    pc_gpu_destroy(gpu);
    return h;
}

static void measure_card(const char *chip, double goal)
{
    static const struct {
        bool all;
        uint32_t first_hz;
        const char *what;
    } rows[] = { { false, 500000000, "one domain counts" },
                 { true, 500000000, "all domains count" },
                 { false, 27000000, "one of 27 MHz" } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct card card = { chip, rows[i].all, rows[i].first_hz };
        struct bench_case c = { "card", accesses, &card, accesses(&card), CARD_ACCESSES, 4, { 0 } };
        void (*row)(const char *, double, const char *, double, bool) =
            i < 2 ? bench_row : bench_more;
        char what[96];
        bench_rounds(&c, 1);
        snprintf(what, sizeof what, "%s, an access of 1 us at 500 MHz, %s", chip, rows[i].what);
        row(what, 1e6 / bench_rate(&c), "us", i < 2 ? goal : 0, i < 2);
    }
}

int main(void)
{
    struct job row[] = {
        { .name = "quad, one cycle of 256 signals", .ctrl = 1 },
        { .name = "single, one cycle of 256 signals", .ctrl = 0 },
        { .name = "record, one cycle of 256 signals, STOP 2^-10", .ctrl = 2, .rare = true },
        { .name = "record, one cycle of 256 signals, STOP 1/16", .ctrl = 2 },
        { .name = "quad, a read after each cycle", .ctrl = 1, .period = 1 },
        { .name = "quad, EVENT_OP written each 100 cycles",
          .ctrl = 1,
          .period = 100,
          .write = 0xa4a0 },
        { .name = "quad, EVENT_OP written each cycle", .ctrl = 1, .period = 1, .write = 0xa4a0 },
    };
    struct job still[] = {
        { .name = "quad", .alone = true, .ctrl = 1 },
        { .name = "single", .alone = true, .ctrl = 0 },
        { .name = "record", .alone = true, .ctrl = 2 },
        { .name = "quad and PERIODIC", .alone = true, .ctrl = 1 | 1u << 21, .periodic = true },
        { .name = "record and PERIODIC", .alone = true, .ctrl = 2 | 1u << 21, .periodic = true },
    };
    uint64_t(*raw)[PC_SIG_WORDS] = bench_memory(RING * sizeof *raw);
    uint64_t(*rare)[PC_SIG_WORDS] = bench_memory(RING * sizeof *rare);
    uint64_t seed = 1;

    for (unsigned t = 0; t < RING; t++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++) {
            raw[t][w] = bench_random(&seed);
            rare[t][w] = raw[t][w] & ((t ^ t >> 6) % 64 == 0 ? UINT64_MAX : ~STOP_SIGNALS[w]);
        }
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        row[i].raw = row[i].rare ? rare : raw;
        prepare(&row[i]);
    }
    bench_begin("live", "The model in an emulator, cycle by cycle (pc_live)");
    bench_machine();
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        measure(&row[i], i < 3 ? 8 : 0);
    measure_access(&row[0]);
    measure_card("G80", 12);
    measure_card("GT215", 12);
    measure_card("GF100", 30);
    measure_card("GK104", 30);
    for (size_t i = 0; i < sizeof still / sizeof still[0]; i++) {
        still[i].raw = raw;
        prepare(&still[i]);
        measure_advance(&still[i]);
        done(&still[i]);
    }
#ifdef PEER_VERSION
    against_verilog(&row[0]);
#endif
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        done(&row[i]);
    free(rare);
    free(raw);
    return bench_end();
}
