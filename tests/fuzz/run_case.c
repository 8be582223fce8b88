/* SPDX-License-Identifier: MIT */
/* See run_case.h. */
#include "run_case.h"

#include <string.h>

#define PROGRAM_MAX 48

void run_case_program(const struct unit_case *c, struct pc_unit *unit, struct fuzz_bytes *in)
{
    unsigned count = fuzz_u8(in) % PROGRAM_MAX;

    for (unsigned i = 0; i < count; i++) {
        const struct unit_register *reg = unit_case_register(c, in);
        pc_unit_write(unit, reg->address, fuzz_u32(in));
    }
}

/* Words of a plane from one of the input's: repeated, thinned out, or a constant. */
static void fill_plane(uint64_t plane[RUN_WORDS], struct fuzz_bytes *in)
{
    unsigned kind = fuzz_u8(in);
    uint64_t seed = fuzz_u64(in);

    for (unsigned w = 0; w < RUN_WORDS; w++) {
        uint64_t word = seed;
        if (kind & 1) { /* noise */
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            word = seed ^ seed >> 29;
        }
        for (unsigned i = 0; i < (kind >> 1) % 4; i++)
            word &= word * 0x9e3779b97f4a7c15u;
        plane[w] = kind & 0x80 ? ~word : word;
    }
}

static void fill_writes(struct run_case *r, const struct unit_case *c, struct fuzz_bytes *in)
{
    uint64_t cycle = 0;

    r->run.writes = fuzz_u8(in) % (RUN_WRITES + 1);
    for (size_t i = 0; i < r->run.writes; i++) {
        cycle += fuzz_u32(in) % (RUN_CYCLES / 2);
        r->write[i] =
            (struct pc_run_write){ cycle, unit_case_register(c, in)->address, fuzz_u32(in) };
    }
}

void run_case_fill(struct run_case *r, const struct unit_case *c, struct fuzz_bytes *in,
                   bool clocks, bool writes)
{
    memset(r, 0, sizeof *r);
    for (unsigned p = 0; p < RUN_PLANES; p++)
        fill_plane(r->pool[p], in);
    for (unsigned p = 0; p < RUN_CLOCKS; p++)
        fill_plane(r->clock[p], in);
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        r->level[w] = fuzz_u64(in);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        unsigned kind = fuzz_u8(in);
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
            unsigned p = (s * 7 + kind) % RUN_PLANES;
            if ((s + x) % 5 == 0)
                continue;
            r->plane[x][s] = r->pool[p];
            r->seen[x][p][s / 64] |= UINT64_C(1) << s % 64;
        }
        r->domain[x].plane = kind & 0x80 ? NULL : r->plane[x];
        r->domain[x].level = kind & 0x40 ? r->level : NULL;
        r->domain[x].still = kind % 4 == 3;
        if (clocks && kind & 0x20)
            r->domain[x].edge = r->clock[kind / 4 % RUN_CLOCKS];
    }
    r->run.cycles = fuzz_u32(in) % RUN_CYCLES;
    r->run.domain = r->domain;
    r->run.write = r->write;
    if (writes)
        fill_writes(r, c, in);
}

static bool has_edge(const struct pc_run_domain *d, uint64_t instant)
{
    return !d->still && (!d->edge || (d->edge[instant / 64] >> (instant % 64) & 1));
}

/* The raw signals of the domain's own cycle t; the planes are few, and one for many signals. */
static void signals_at(const struct run_case *r, unsigned x, uint64_t t, uint64_t raw[PC_SIG_WORDS])
{
    const struct pc_run_domain *d = &r->domain[x];

    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        raw[w] = d->level ? d->level[w] : 0;
    for (unsigned p = 0; d->plane && p < RUN_PLANES; p++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            if (r->pool[p][t / 64] >> (t % 64) & 1)
                raw[w] |= r->seen[x][p][w];
            else
                raw[w] &= ~r->seen[x][p][w];
}

void run_case_step(const struct run_case *r, unsigned domains, struct pc_unit *unit, uint64_t from,
                   uint64_t to)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS], cycle[PC_MAX_DOMAINS] = { 0 };
    const struct pc_run *run = &r->run;
    size_t next = 0;

    memset(raw, 0, sizeof raw);
    for (uint64_t i = 0; i < to; i++) {
        uint32_t edges = 0;
        for (; i >= from && next < run->writes && run->write[next].cycle <= i; next++)
            pc_unit_write(unit, run->write[next].address, run->write[next].value);
        for (unsigned x = 0; x < domains; x++) {
            if (!has_edge(&r->domain[x], i))
                continue;
            uint64_t t = cycle[x]++;
            edges |= 1u << x;
            if (i >= from)
                signals_at(r, x, t, raw[x]);
        }
        if (i >= from)
            pc_unit_step(unit, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
    for (; next < run->writes; next++)
        pc_unit_write(unit, run->write[next].address, run->write[next].value);
}
