/* SPDX-License-Identifier: MIT */
/* See fst_direct.h. */
#include "fst_direct.h"

#include <string.h>

enum { BITS = 160 };

struct chosen {
    struct pc_wave_bit bit[BITS], scalar[2];
    size_t bits, scalars;
};

static void choose(const struct pc_wave *wave, struct chosen *c)
{
    struct pc_wave_var v;

    *c = (struct chosen){ .bits = 0 };
    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        if (v.kind != PC_VAR_BITS || v.width == 0)
            continue;
        if (c->scalars < 2 && v.width == 1)
            c->scalar[c->scalars++] = (struct pc_wave_bit){ i, 0 };
        for (uint32_t b = 0; b < v.width && c->bits < BITS; b += b < 4 ? 1 : 1 + v.width / 8)
            c->bit[c->bits++] = (struct pc_wave_bit){ i, b };
    }
    if (c->scalars == 0 && c->bits > 0)
        c->scalar[c->scalars++] = c->bit[0];
    if (c->scalars == 1)
        c->scalar[c->scalars++] = c->scalar[0];
}

static enum pc_status bind(struct pc_wave *wave, const struct chosen *c, unsigned streams,
                           struct pc_error *err)
{
    const struct pc_wave_clock clock[FST_DIRECT_STREAMS] = {
        { .edge = PC_EDGE_POS, .clock = c->scalar[0] },
        { .edge = PC_EDGE_NEG,
          .clock = c->scalar[0],
          .has_iff = true,
          .iff = c->scalar[1],
          .post_edge = true },
    };
    enum pc_status status = PC_OK;
    unsigned stream;

    for (unsigned s = 0; s < streams && status == PC_OK; s++)
        status = pc_wave_bind(wave, &clock[s], c->bit, c->bits, &stream, err);
    return status;
}

static void add(uint64_t *hash, uint64_t x)
{
    *hash = (*hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void look_at(const struct pc_wave_block *b, size_t bits, struct fst_direct_seen *seen)
{
    uint64_t unknown = 0;

    assert_in_range(b->cycles, 1, 64 * PC_BLOCK_WORDS);
    assert_int_equal(b->first_cycle, seen->cycles[b->stream]);
    seen->cycles[b->stream] += b->cycles;
    add(&seen->hash, b->stream + 64 * b->first_time);
    add(&seen->hash, b->last_time);
    for (size_t i = 0; i < bits; i++) {
        const uint64_t level = b->still && b->still[i] == PC_STILL_1 ? UINT64_MAX : 0;
        for (uint32_t w = 0; b->still && b->still[i] != PC_STILL_UNKNOWN && w < b->cycles / 64; w++)
            assert_int_equal(b->value[i][w], level);
        for (size_t w = 0; w < (b->cycles + (size_t)63) / 64; w++) {
            add(&seen->hash, b->value[i][w]);
            add(&seen->hash, b->unknown[i][w]);
            unknown |= b->unknown[i][w];
        }
    }
    assert_int_equal(b->any_unknown, unknown != 0);
}

static void read_streams(const char *path, unsigned threads, unsigned streams,
                         const struct pc_alloc *alloc, struct fst_direct_seen *out)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads, .alloc = alloc };
    struct pc_wave *wave = NULL;
    struct pc_wave_block block;
    struct chosen chosen;

    memset(out, 0, sizeof *out);
    out->status = pc_wave_open(&desc, &wave, &out->err);
    if (out->status)
        return;
    choose(wave, &chosen);
    if (chosen.bits > 0)
        out->status = bind(wave, &chosen, streams, &out->err);
    else
        out->status = PC_END;
    while (out->status == PC_OK) {
        out->status = pc_wave_next(wave, &block, &out->err);
        if (out->status == PC_OK)
            look_at(&block, chosen.bits, out);
    }
    pc_wave_close(wave);
}

void fst_read_direct(const char *path, unsigned threads, const struct pc_alloc *alloc,
                     struct fst_direct_seen *out)
{
    read_streams(path, threads, FST_DIRECT_STREAMS, alloc, out);
}

void fst_read_both(const char *path, const struct pc_alloc *alloc, struct fst_direct_seen *out)
{
    struct fst_direct_seen three;

    for (unsigned streams = 1; streams <= FST_DIRECT_STREAMS; streams++) {
        read_streams(path, 1, streams, alloc, out);
        read_streams(path, 3, streams, alloc, &three);
        if (out->status != PC_END && three.status != PC_END) {
            assert_int_equal(three.err.code, out->err.code);
            assert_int_equal(three.err.byte, out->err.byte);
            assert_string_equal(three.err.text, out->err.text);
        }
        assert_int_equal(three.status, out->status);
        assert_int_equal(three.hash, out->hash);
        assert_memory_equal(three.cycles, out->cycles, sizeof out->cycles);
    }
}
