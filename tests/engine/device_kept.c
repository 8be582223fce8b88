/* SPDX-License-Identifier: MIT */
/*
 * Snapshots that an earlier build has saved (device_kept.inc), byte for byte: what a device saves
 * after the same accesses now is the same, on any machine, and one that loads them goes on where
 * that build's did.  Who changes the format gives it another version (src/model/gpu/save.c, of
 * units src/model/unit/save.c); this test prints what device_kept.inc has to have then.  A state of
 * another version is refused.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 16 };

/* Bytes of a snapshot; what no row has is 0. */
struct row {
    size_t at;
    const char *hex;
};

#include "device_kept.inc"

struct kept {
    const char *chip;
    size_t size;
    const struct row *row;
    size_t rows;
    void (*life)(struct pc_gpu *gpu);
};

/* Record mode, signals that play, idle counters, bits of PMC and of PGRAPH, an access on the bus.
 */
static void life_of_gt215(struct pc_gpu *gpu)
{
    static const uint8_t levels[] = { 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1 };
    static const uint32_t writes[][2] = {
        { 0x10a504, 0x1f },     { 0x10a50c, 2 },      { 0x400084, 0x20 }, { 0xa7a4, 1 },
        { 0xa7a0, 0x80000001 }, { 0xa7c4, 2 },        { 0xa4c4, 3 },      { 0xa4e4, 0xaaaa },
        { 0xa724, UINT32_MAX }, { 0xa764, 0x12340 },  { 0xa7a8, 0 },      { 0xa404, 0x03020100 },
        { 0xa7c8, 1 },          { 0xa408, 0x070605 },
    };
    struct pc_error err;

    test_ok(pc_gpu_set_idle(gpu, 5, &err), &err);
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        pc_gpu_write32(gpu, writes[i][0], writes[i][1]);
    test_ok(pc_gpu_play(gpu, 1, 3, levels, sizeof levels, &err), &err);
    test_ok(pc_gpu_play(gpu, 2, 5, levels, sizeof levels, &err), &err);
    test_ok(pc_gpu_set(gpu, 1, 2, true, &err), &err);
    test_ok(pc_gpu_run(gpu, 1, 7, &err), &err);
    test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 9, &err), &err);
    (void)pc_gpu_read32(gpu, 0x123456);
    pc_gpu_pulse(gpu, PC_PULSE_PM_TRIGGER);
}

/* The ring of MAIN. */
static void life_of_gk20a(struct pc_gpu *gpu)
{
    for (uint32_t i = 0; i < 0x50; i++)
        pc_gpu_write32(gpu, 0x1b4000 + 4 * i, 0x101 + 0x20 * i);
}

static const struct kept kept[] = {
    { "GT215", GT215_SIZE, gt215, sizeof gt215 / sizeof gt215[0], life_of_gt215 },
    { "GK20A", GK20A_SIZE, gk20a, sizeof gk20a / sizeof gk20a[0], life_of_gk20a },
};

/* ---- the rows ---- */

static uint8_t *bytes_of(const struct kept *k)
{
    uint8_t *bytes = calloc(1, k->size);

    assert_non_null(bytes);
    for (size_t r = 0; r < k->rows; r++)
        for (size_t i = 0; k->row[r].hex[2 * i]; i++) {
            unsigned byte;
            assert_int_equal(sscanf(k->row[r].hex + 2 * i, "%2x", &byte), 1);
            assert_true(k->row[r].at + i < k->size);
            bytes[k->row[r].at + i] = (uint8_t)byte;
        }
    return bytes;
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void print_rows(const uint8_t *bytes, size_t size)
{
    fprintf(stderr, "size %zu\n", size);
    for (size_t at = 0; at < size; at += ROW) {
        const size_t n = size - at < ROW ? size - at : ROW;
        if (all_zero(bytes + at, n))
            continue;
        fprintf(stderr, "    { %zu, \"", at);
        for (size_t i = 0; i < n; i++)
            fprintf(stderr, "%02x", (unsigned)bytes[at + i]);
        fprintf(stderr, "\" },\n");
    }
}

/* ---- snapshots ---- */

static struct pc_gpu *make(const char *chip)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip), .memory_limit = 1 << 20 };
    struct pc_gpu *gpu;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    return gpu;
}

/* What it saves is that. */
static void assert_saves(const struct pc_gpu *gpu, const uint8_t *bytes, size_t size)
{
    const size_t now = pc_gpu_state_size(gpu);
    uint8_t *saved = malloc(now);

    assert_non_null(saved);
    pc_gpu_save(gpu, saved);
    if (now != size || memcmp(saved, bytes, size) != 0) {
        print_rows(saved, now);
        fail_msg("%s saves other bytes than it did", pc_gpu_chip(gpu)->name);
    }
    free(saved);
}

static void goes_on(struct pc_gpu *gpu)
{
    struct pc_error err;

    test_ok(pc_gpu_run(gpu, 1, 50, &err), &err);
    for (uint32_t i = 0; i < 0x400; i += 4)
        (void)pc_gpu_read32(gpu, 0xa400 + i);
}

static void loads_what_was_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        struct pc_gpu *lived = make(kept[i].chip), *loaded = make(kept[i].chip);
        uint8_t *bytes = bytes_of(&kept[i]);
        struct pc_error err;

        kept[i].life(lived);
        assert_saves(lived, bytes, kept[i].size);
        test_ok(pc_gpu_load(loaded, bytes, kept[i].size, &err), &err);
        assert_saves(loaded, bytes, kept[i].size);
        free(bytes);

        goes_on(lived);
        goes_on(loaded);
        const size_t size = pc_gpu_state_size(lived);
        bytes = malloc(size);
        assert_non_null(bytes);
        pc_gpu_save(lived, bytes);
        assert_saves(loaded, bytes, size);
        free(bytes);
        pc_gpu_destroy(lived);
        pc_gpu_destroy(loaded);
    }
}

/* Verifies that a device refuses a state of another version, and stays as it is. */
static void refuses_other_versions(void **state)
{
    (void)state;
    for (uint8_t version = 0; version < 4; version++) {
        struct pc_gpu *gpu = make(kept[0].chip);
        uint8_t *bytes = bytes_of(&kept[0]);
        struct pc_error err;
        char expected[32];

        if (version == bytes[8])
            bytes[9] = 1; /* 256 more */
        else
            bytes[8] = version;
        snprintf(expected, sizeof expected, "has version %u,", bytes[8] + 256u * bytes[9]);
        const size_t size = pc_gpu_state_size(gpu);
        uint8_t *before = malloc(size);
        assert_non_null(before);
        pc_gpu_save(gpu, before);
        assert_int_equal(pc_gpu_load(gpu, bytes, kept[0].size, &err), PC_EINPUT);
        assert_non_null(strstr(err.text, expected));
        assert_saves(gpu, before, size);
        free(before);
        free(bytes);
        pc_gpu_destroy(gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_what_was_kept),
        cmocka_unit_test(refuses_other_versions),
    };

    return cmocka_run_group_tests_name("device_kept", tests, NULL, NULL);
}
