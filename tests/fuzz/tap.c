/* SPDX-License-Identifier: MIT */
/* The input is the stream of a tap, without its first bytes: changes as any waveform, or rows. */
#include "fuzz.h"

#include <string.h>

enum { MOST = 1 << 14, BLOCKS = 64, VARS = 8 };

static bool has_rows(struct pc_wave *wave)
{
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_error err = { 0 };
    unsigned stream;

    return pc_wave_bind(wave, &every, NULL, 0, &stream, &err) == PC_EUNSUP && err.code == 792;
}

/* Binds the lowest bits of each variable to each that may be a clock: what a row has. */
static unsigned bind_all(struct pc_wave *wave)
{
    struct pc_wave_var v;
    struct pc_error err = { 0 };
    unsigned streams = 0, stream;

    for (size_t i = 0; i < 2 * VARS && pc_wave_get_var(wave, i / 2, &v) == PC_OK; i++) {
        struct pc_wave_bit bit[2 * VARS];
        size_t bits = 0;
        struct pc_wave_clock clock = { .edge = i % 2 ? PC_EDGE_NEG : PC_EDGE_POS,
                                       .clock = { i / 2, 0 },
                                       .times = true };
        for (size_t b = 0; b < VARS && v.kind == PC_VAR_BITS && v.width == 1; b++) {
            bit[bits] = (struct pc_wave_bit){ b, 0 };
            const enum pc_status status = pc_wave_bind(wave, &clock, &bit[bits], 1, &stream, &err);
            fuzz_check_error(status, &err);
            FUZZ_CHECK(status != PC_OK || stream == streams);
            streams += status == PC_OK;
            bits += status == PC_OK;
        }
        clock.has_iff = bits > 0;
        clock.iff = bits > 0 ? bit[0] : clock.clock;
        if (bits > 0 && pc_wave_bind(wave, &clock, bit, bits, &stream, &err) == PC_OK)
            FUZZ_CHECK(stream == streams++);
    }
    return streams;
}

static void read_rows(struct pc_wave *wave)
{
    const unsigned streams = bind_all(wave);
    struct pc_error err = { 0 };
    struct pc_wave_block b;

    for (unsigned n = 0; n < BLOCKS && streams > 0; n++) {
        const enum pc_status status = pc_wave_next(wave, &b, &err);
        fuzz_check_error(status, &err);
        if (status)
            break;
        FUZZ_CHECK(b.stream < streams && b.cycles > 0 && b.cycles <= 64 * PC_BLOCK_WORDS);
        FUZZ_CHECK(b.first_time <= b.last_time && b.time[0] == b.first_time);
        for (uint32_t w = 0; w < (b.cycles + 63) / 64; w++)
            FUZZ_CHECK((b.value[0][w] & b.unknown[0][w]) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t stream[MOST + PC_TAP_HEAD];
    struct fuzz_heap heap = { 0, 1 << 28 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_error err = { 0 };
    struct pc_wave *wave = NULL;

    if (size > MOST)
        return 0;
    memcpy(stream, PC_TAP_MAGIC, PC_TAP_HEAD);
    memcpy(stream + PC_TAP_HEAD, data, size);
    size += PC_TAP_HEAD;
    const struct pc_wave_desc desc = { .path = fuzz_file(stream, size), .alloc = &alloc };
    const enum pc_status status = pc_wave_open(&desc, &wave, &err);
    fuzz_check_error(status, &err);
    const bool rows = status == PC_OK && has_rows(wave);
    fuzz_taken += rows;
    if (rows)
        read_rows(wave);
    pc_wave_close(wave);
    fuzz_all_returned(&heap);
    if (!rows)
        fuzz_wave_file(stream, size);
    return 0;
}
