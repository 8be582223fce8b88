/* SPDX-License-Identifier: MIT */
/*
 * FST files that ask for too much, and damaged ones: cut at every byte, bytes changed at
 * random, memory refused at every call.  Always an error that tells the place, or success;
 * for the sanitizers above all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_direct.h"
#include "fst_small.h"

#define MIB ((size_t)1 << 20)

static const struct small_dress zlib = { .changes = 8, .packing = 'Z', .hierarchy = 4 };

/* 8 MiB of zeros in some KiB: max_ratio has the say, before anything is allocated. */
static void data_that_unpacks_to_too_much(void **state)
{
    enum { SIZE = 8 << 20 };
    struct pc_wave_limits tight = { .max_ratio = 100 };
    struct small_first first;
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &zlib);
    for (int i = 0; i < SIZE; i++)
        mk_u8(&first.chain[SMALL_E], 0); /* at the last index, again and again */
    small_with(&file, &first);
    assert_true(file.used < SIZE / 500);
    fst_memory = (struct test_heap){ 0 };
    fst_scan(fst_temp(&file, ""), NULL, &tight, false, NULL, &s);
    assert_int_equal(s.status, PC_ELIMIT);
    assert_int_equal(s.err.code, 707);
    assert_true(fst_memory.peak < MIB);
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&file);
}

/* All changes of one stamp are held at once: there is a limit to that too. */
static void a_stamp_with_too_many_changes(void **state)
{
    struct pc_wave_limits few = { .max_vars = 1000 };
    struct small_first first;
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &zlib);
    for (int i = 0; i < 400000; i++)
        mk_u8(&first.chain[SMALL_E], 2);
    small_with(&file, &first);
    fst_memory = (struct test_heap){ 0 };
    fst_scan(fst_temp(&file, ""), NULL, NULL, false, NULL, &s);
    assert_int_equal(s.status, PC_END);
    assert_int_equal(s.records, 13 + 400000);
    fst_scan_free(&s);
    fst_scan(fst_temp(&file, ""), NULL, &few, false, NULL, &s);
    assert_int_equal(s.err.code, 718);
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&file);
}

static void cut_everywhere(const struct mk *file)
{
    for (size_t size = 1; size < file->used; size++) {
        struct mk cut = *file;
        cut.used = size;
        if (fst_located_error_of(&cut) == 0)
            fail_msg("cut at byte %zu of %zu, and it reads", size, file->used);
        assert_true(fst_memory.peak < 4 * MIB);
    }
}

static void a_file_cut_at_every_byte(void **state)
{
    struct mk file = { 0 }, wrapped = { 0 };

    (void)state;
    small_file(&file, &(struct small_dress){ 8, '4', 7, true, true });
    cut_everywhere(&file);
    mk_wrap(&wrapped, &file);
    cut_everywhere(&wrapped);
    mk_free(&file);
    mk_free(&wrapped);
}

/* Changes a few bytes at a time; the file is as it was afterwards. */
static void flip(struct mk *file, struct test_rng *rng, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        size_t at[4];
        uint8_t was[4];
        unsigned n = 1 + test_rand_below(rng, 4);
        for (unsigned k = 0; k < n; k++) {
            at[k] = test_rand_below(rng, (uint32_t)file->used);
            was[k] = file->data[at[k]];
            file->data[at[k]] ^= (uint8_t)(1u << test_rand_below(rng, 8));
            if (test_rand_below(rng, 4) == 0)
                file->data[at[k]] = test_rand_below(rng, 2) ? 0xff : 0;
        }
        fst_located_error_of(file);
        while (n-- > 0)
            file->data[at[n]] = was[n];
    }
}

static void bytes_changed_at_random(void **state)
{
    static const unsigned changes[] = { 1, 5, 8 }, hierarchy[] = { 4, 6, 7 };
    static const char packing[] = { 0, '4', 'Z', 'F' };
    uint64_t seed;
    struct test_rng rng = test_rng_start(7, &seed);

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < 12; i++) {
        struct small_dress d = { changes[i % 3], packing[i % 4], hierarchy[i % 3], i & 1, i & 2 };
        struct mk file = { 0 };
        small_file(&file, &d);
        flip(&file, &rng, 500);
        mk_free(&file);
    }
}

/* Hierarchies are always packed: damage that gets past that has to be made before. */
static void entries_changed_at_random(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);
    struct mk entries = { 0 };

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    small_entries(&entries);
    for (int i = 0; i < 3000; i++) {
        struct mk file = { 0 };
        uint32_t at = test_rand_below(&rng, (uint32_t)entries.used);
        uint8_t was = entries.data[at];
        entries.data[at] = (uint8_t)test_rand(&rng);
        mk_header(&file, -9);
        if (i & 1)
            mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
        mk_hierarchy(&file, 6, &entries);
        fst_located_error_of(&file);
        entries.data[at] = was;
        mk_free(&file);
    }
    mk_free(&entries);
}

/* Does the same with files of real simulators. */
static void bytes_of_real_files_changed(void **state)
{
    static const char *const name[] = {
        "gtkwave/basic.fst",
        "gtkwave/timezero.fst",
        "gtkwave/evcd.fst",
        "gtkwave/ghdl_basic.fst",
        "wellen/verilator/many_sv_datatypes.fst",
        "wellen/nvc/shortstring.fst",
        "wellen/nvc/manytypes2.fst",
        "wellen/icarus/pull_67_event_example.fst",
        "wellen/sigrok/libsigrok.vcd.fst",
        "wellen/ghdl/alu.vcd.fst",
        "wellen/my-hdl/Simple_Memory.vcd.fst",
    };
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        char relative[128], path[4096];
        static uint8_t bytes[1 << 16];
        snprintf(relative, sizeof relative, "waves/corpus/%s", name[i]);
        if (!test_shared(relative, path, sizeof path))
            skip();
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        struct mk file = { 0 };
        mk_bytes(&file, bytes, fread(bytes, 1, sizeof bytes, f));
        fclose(f);
        flip(&file, &rng, 200);
        mk_free(&file);
    }
}

/* Every allocation fails once: PC_ENOMEM and nothing left behind. */
static void no_memory_at_any_call(void **state)
{
    struct mk file = { 0 };
    size_t call = 0;
    struct fst_scan s;

    (void)state;
    small_file(&file, &(struct small_dress){ 8, 'Z', 7, true, true });
    do {
        fst_memory = (struct test_heap){ .fail_at = ++call };
        fst_scan_bytes(&file, NULL, &s);
        enum pc_status status = s.status;
        fst_scan_free(&s);
        assert_int_equal(fst_memory.live, 0);
        if (fst_memory.calls < call) {
            assert_int_equal(status, PC_END);
            break;
        }
        if (status != PC_ENOMEM)
            fail_msg("call %zu fails: %s", call, pc_status_name(status));
    } while (call < 10000);
    assert_true(call > 20 && call < 10000);
    mk_free(&file);
}

/* Does the same in blocks, with a second thread: only the first one allocates. */
static enum pc_status read_blocks(void *path, const struct pc_alloc *alloc, struct pc_error *err)
{
    struct fst_direct_seen seen;

    fst_read_direct(path, 2, alloc, &seen);
    *err = seen.err;
    return seen.status;
}

static void no_memory_at_any_call_in_blocks(void **state)
{
    struct mk file = { 0 };
    char path[64];

    (void)state;
    small_file(&file, &(struct small_dress){ 8, '4', 7, true, true });
    snprintf(path, sizeof path, "%s", fst_temp(&file, ""));
    test_refuse_each(read_blocks, path, 20);
    mk_free(&file);
}

static int teardown(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_with_too_many_changes),
        cmocka_unit_test(data_that_unpacks_to_too_much),
        cmocka_unit_test(a_file_cut_at_every_byte),
        cmocka_unit_test(bytes_changed_at_random),
        cmocka_unit_test(entries_changed_at_random),
        cmocka_unit_test(bytes_of_real_files_changed),
        cmocka_unit_test(no_memory_at_any_call),
        cmocka_unit_test(no_memory_at_any_call_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
