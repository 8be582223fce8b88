/* SPDX-License-Identifier: MIT */
/* See fst_blocks.h. */
#include "fst_blocks.h"

#include <string.h>

#include "told.h"
#include "wave/fst/direct.h"

enum { STREAMS = 4, BITS = 90, VARS = 4096 };

struct plan {
    unsigned streams, threads;
    bool tolerate;
    struct pc_wave_clock clock[STREAMS];
    struct pc_wave_bit bit[STREAMS][BITS];
    size_t bits[STREAMS];
};

struct seen {
    enum pc_status status;
    struct pc_error err;
    uint64_t hash[STREAMS], cycles[STREAMS], blocks[STREAMS];
    struct pc_wave_totals stamps;
};

static uint32_t roll(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % below);
}

/* A variable with bits; those that look like a clock more often than others. */
static bool pick_var(const struct pc_wave *wave, uint64_t *seed, bool clock, size_t *var,
                     struct pc_wave_var *out)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    for (unsigned tries = 0; info.vars > 0 && tries < 200; tries++) {
        *var = roll(seed, (uint32_t)info.vars);
        if (pc_wave_get_var(wave, *var, out) != PC_OK || out->kind != PC_VAR_BITS ||
            out->width == 0)
            continue;
        if (!clock || tries > 100 || strstr(out->name, "clk") || strstr(out->name, "clock") ||
            (out->width == 1 && roll(seed, 20) == 0))
            return true;
    }
    return false;
}

static bool make_plan(const struct pc_wave *wave, uint64_t seed, struct plan *p)
{
    struct pc_wave_var v;
    size_t var;

    memset(p, 0, sizeof *p);
    p->threads = 1 + roll(&seed, 4);
    p->tolerate = roll(&seed, 4) == 0;
    p->streams = 1 + roll(&seed, STREAMS - 1);
    for (unsigned s = 0; s < p->streams; s++) {
        struct pc_wave_clock *c = &p->clock[s];
        if (!pick_var(wave, &seed, true, &var, &v))
            return false;
        c->edge = roll(&seed, 5) == 0 ? PC_EDGE_EVERY : roll(&seed, 2) ? PC_EDGE_POS : PC_EDGE_NEG;
        c->clock = (struct pc_wave_bit){ var, roll(&seed, v.width) };
        c->post_edge = roll(&seed, 3) == 0;
        c->times = true;
        c->has_iff = roll(&seed, 3) == 0;
        c->iff_low = roll(&seed, 2) == 0;
        if (c->has_iff && pick_var(wave, &seed, false, &var, &v))
            c->iff = (struct pc_wave_bit){ var, roll(&seed, v.width) };
        size_t want = roll(&seed, 4) ? roll(&seed, BITS) : 0;
        while (p->bits[s] < want && pick_var(wave, &seed, false, &var, &v)) {
            uint32_t first = roll(&seed, v.width), run = 1 + roll(&seed, 40);
            for (uint32_t b = first; b < v.width && b < first + run && p->bits[s] < want; b++)
                p->bit[s][p->bits[s]++] = (struct pc_wave_bit){ var, b };
        }
        if (want > 2 && roll(&seed, 2))
            p->bit[s][1] = p->bit[s][0];
    }
    return true;
}

static void add(uint64_t *hash, uint64_t x)
{
    *hash = (*hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void look_at(const struct plan *p, const struct pc_wave_block *b, struct seen *seen)
{
    uint64_t *hash = &seen->hash[b->stream], unknown = 0;

    assert_true(b->cycles > 0 && b->cycles <= 64 * PC_BLOCK_WORDS);
    assert_int_equal(b->first_cycle, seen->cycles[b->stream]);
    seen->cycles[b->stream] += b->cycles;
    seen->blocks[b->stream]++;
    add(hash, b->cycles);
    add(hash, b->first_time);
    add(hash, b->last_time);
    for (uint32_t i = 0; i < b->cycles && p->clock[b->stream].times; i++)
        add(hash, b->time[i]);
    for (size_t i = 0; i < p->bits[b->stream]; i++)
        for (size_t w = 0; w < PC_BLOCK_WORDS; w++) {
            add(hash, b->value[i][w]);
            add(hash, b->unknown[i][w]);
            unknown |= b->unknown[i][w];
        }
    assert_true(b->any_unknown || unknown == 0);
}

/* loops: of the direct path; NULL: the one by timestamps. */
static void read_blocks(const char *path, const struct plan *p, const struct fst_loops *loops,
                        struct seen *seen)
{
    const bool direct = loops != NULL;

    const struct pc_wave_clock other = { .edge = PC_EDGE_PERIOD, .period = UINT64_MAX / 2 };
    struct pc_wave_desc desc = { .path = path,
                                 .threads = direct ? p->threads : 1,
                                 .tolerate_time_backwards = p->tolerate };
    struct pc_wave *wave = NULL;
    struct pc_wave_block block;
    unsigned stream;

    memset(seen, 0, sizeof *seen);
    seen->status = pc_wave_open(&desc, &wave, &seen->err);
    test_ok(seen->status, &seen->err);
    for (unsigned s = 0; s < p->streams; s++)
        test_ok(pc_wave_bind(wave, &p->clock[s], p->bit[s], p->bits[s], &stream, &seen->err),
                &seen->err);
    if (direct)
        ((struct fst *)wave->reader)->loops = loops;
    else
        test_ok(pc_wave_bind(wave, &other, NULL, 0, &stream, &seen->err), &seen->err);
    while (seen->status == PC_OK) {
        seen->status = pc_wave_next(wave, &block, &seen->err);
        if (seen->status == PC_OK && block.stream < p->streams)
            look_at(p, &block, seen);
    }
    pc_wave_stamps(wave, &seen->stamps);
    if (seen->status != PC_END) {
        struct pc_error again;
        assert_int_equal(pc_wave_next(wave, &block, &again), seen->status);
        assert_int_equal(again.code, seen->err.code);
    }
    pc_wave_close(wave);
}

static bool compare(const char *path, uint64_t seed, const struct plan *plan,
                    const struct seen *stamps, const struct fst_loops *loops)
{
    struct seen direct;

    read_blocks(path, plan, loops, &direct);
    if (direct.status != stamps->status && stamps->err.code != 718)
        fail_msg("%s, seed %llu, %s: %s, %s", path, (unsigned long long)seed, loops->name,
                 direct.status == PC_END ? "ends" : direct.err.text,
                 stamps->status == PC_END ? "ends" : stamps->err.text);
    if (direct.status != PC_END)
        return false;
    if (memcmp(&direct.stamps, &stamps->stamps, sizeof direct.stamps) != 0)
        fail_msg("%s, seed %llu, %s: %llu timestamps, %llu by themselves; or other distances", path,
                 (unsigned long long)seed, loops->name,
                 (unsigned long long)direct.stamps.time_stamps,
                 (unsigned long long)stamps->stamps.time_stamps);
    for (unsigned s = 0; s < plan->streams; s++)
        if (direct.cycles[s] != stamps->cycles[s] || direct.hash[s] != stamps->hash[s] ||
            direct.blocks[s] != stamps->blocks[s])
            fail_msg("%s, seed %llu, %s, stream %u: %llu cycles, %llu by timestamps; or other "
                     "planes",
                     path, (unsigned long long)seed, loops->name, s,
                     (unsigned long long)direct.cycles[s], (unsigned long long)stamps->cycles[s]);
    return true;
}

/* ---- activity ---- */

static bool by_chains; /* the last scan was not left to the path by timestamps */

static void note_scan(struct wv_reader *r, const struct wv_scan *s)
{
    const bool before = s->totals->has_time;

    fst_activity(r, s);
    by_chains |= !before && s->totals->has_time;
}

/* By chains it is as by timestamps; or both ways give the same error. */
void activity_agrees(const char *path, unsigned threads, bool tolerate)
{
    const struct pc_wave_desc desc = { .path = path,
                                       .threads = threads,
                                       .tolerate_time_backwards = tolerate };
    struct told stamps, chains;

    told_scan(&desc, 0, NULL, &stamps);
    by_chains = false;
    told_scan(&desc, 0, note_scan, &chains);
    if (stamps.err.code != 718) { /* more at a time than that path holds */
        told_must_equal(&stamps, &chains, path);
        if (!by_chains && stamps.status == PC_OK && stamps.totals.has_time && !tolerate)
            fail_msg("%s: was not scanned by chains", path);
        assert_false(by_chains && stamps.status != PC_OK);
    }
    told_free(&stamps);
    told_free(&chains);
}

bool blocks_agree(const char *path, uint64_t seed)
{
    struct pc_wave_desc desc = { .path = path };
    struct pc_wave *wave = NULL;
    struct seen stamps;
    struct pc_error err;
    struct plan plan;
    bool ended = true;

    if (pc_wave_open(&desc, &wave, &err) != PC_OK)
        return false;
    bool can = make_plan(wave, seed, &plan);
    pc_wave_close(wave);
    if (!can)
        return false;
    activity_agrees(path, plan.threads, plan.tolerate);
    read_blocks(path, &plan, NULL, &stamps);
    for (size_t i = 0; fst_loops_at(i); i++)
        if (fst_loops_at(i)->usable())
            ended &= compare(path, seed, &plan, &stamps, fst_loops_at(i));
    return ended;
}

void blocks_skipped(void)
{
    for (size_t i = 0; fst_loops_at(i); i++)
        if (!fst_loops_at(i)->usable())
            test_say_skip(fst_loops_at(i)->name, "this CPU has no such instructions");
}
