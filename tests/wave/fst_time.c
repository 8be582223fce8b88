/* SPDX-License-Identifier: MIT */
/* FST files: initial values, timestamps across windows and blocks, time running backwards. */
#include <stdio.h>
#include <string.h>

#include "fst_blocks.h"
#include "fst_small.h"
#include "fst_support.h"

static const struct small_dress usual = { .changes = 8, .packing = 'Z', .hierarchy = 4 };

/* A block that begins before its first time: all of the frame is known before that. */
static void an_early_frame_gives_the_initial_values(void **state)
{
    static const uint64_t times[] = { 5, 10, 20, 30 };
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.time = times;
    small_with(&file, &first);
    fst_expect_text(&file,
                    "initial 0=x 1=xxxx 2= 4= 5=xxxxxxxxxx 6=10\n#5 0=0 1=1010 2=\n"
                    "#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n#30 0=x 2= 4=\n",
                    "early frame");
    small_first_free(&first);
    mk_free(&file);
}

static void a_frame_may_be_packed_or_cover_fewer_streams(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, frame = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.frame_streams = 2; /* those declared when it was taken */
    first.changes.frame = "x1111";
    first.changes.frame_size = 5;
    small_with(&file, &first);
    fst_expect_text(&file,
                    "#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n#30 0=x 2= 4=\n",
                    "short frame");
    file.used = 0;
    mk_pack(&frame, 'Z', (const uint8_t *)"xxxxx00000000xxxxxxxxxxx01", 26);
    first.changes.frame_streams = SMALL_STREAMS;
    first.changes.frame = (const char *)frame.data;
    first.changes.frame_size = frame.used;
    first.changes.claim_frame = 26;
    small_with(&file, &first);
    fst_expect_text(&file,
                    "initial 6=01\n#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 "
                    "1=01zx\n#30 0=x 2= 4=\n",
                    "packed frame");
    small_first_free(&first);
    mk_free(&file);
    mk_free(&frame);
}

static void a_time_that_is_written_twice_is_one_stamp(void **state)
{
    static const uint64_t times[] = { 0, 10, 10, 30 };
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.time = times;
    small_with(&file, &first);
    fst_expect_text(
        &file,
        "initial 6=10\n#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011 0=0 1=01zx\n#30 0=x 2= 4=\n",
        "time twice");
    small_first_free(&first);
    mk_free(&file);
}

/* The second block begins when the first ends, but its first time is later, or it has none. */
static void a_stamp_held_for_the_next_block_is_handed_out(void **state)
{
    static const uint64_t later[] = { 35, 50 };
    struct small_first first, second;
    struct mk file = { 0 }, entries = { 0 };

    (void)state;
    small_entries(&entries);
    for (int times = 0; times <= 2; times += 2) {
        small_first(&first, &usual);
        small_first(&second, &usual);
        for (int i = 0; i < SMALL_STREAMS; i++)
            second.stream[i].role = MK_NONE;
        second.changes.begin = 30;
        second.changes.end = 50;
        second.changes.time = later;
        second.changes.times = (size_t)times;
        second.changes.streams = 3; /* the others are declared later */
        second.changes.frame_size = 0;
        second.changes.frame_streams = 0;
        mk_header(&file, -9);
        mk_changes(&file, &first.changes);
        mk_changes(&file, &second.changes);
        mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
        mk_hierarchy(&file, 4, &entries);
        fst_expect_text(
            &file,
            times ? "initial 6=10\n#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n"
                    "#30 0=x 2= 4=\n#35\n#50\n"
                  : "initial 6=10\n#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n"
                    "#30 0=x 2= 4=\n",
            "held stamp");
        file.used = 0;
        small_first_free(&first);
        small_first_free(&second);
    }
    mk_free(&file);
    mk_free(&entries);
}

/* Without times there is no stamp that the frame could belong to. */
static void a_frame_without_times_is_left_out(void **state)
{
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    for (int i = 0; i < SMALL_STREAMS; i++)
        first.stream[i].role = MK_NONE;
    first.changes.times = 0;
    small_with(&file, &first);
    fst_expect_text(&file, "", "no times");
    small_first_free(&first);
    mk_free(&file);
}

/* More changes than a window holds: it narrows and widens again, nothing is lost. */
static void a_dense_block_reads_in_windows(void **state)
{
    enum { STREAMS = 200, TIMES = 8000 };
    static uint64_t time[TIMES];
    static uint32_t length[STREAMS];
    static struct mk_stream stream[STREAMS];
    struct mk file = { 0 }, entries = { 0 }, chain = { 0 };
    struct fst_scan s;

    (void)state;
    for (unsigned i = 0; i < TIMES; i++) {
        time[i] = 3 * i;
        mk_number(&chain, (i > 0 ? 4u : 0) | (i & 1) << 1);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        stream[i] = (struct mk_stream){ i ? MK_ALIAS : MK_CHAIN, &chain, 0 };
        length[i] = 1;
        mk_var(&entries, 16, "x", 1, 0);
    }
    mk_header(&file, -9);
    mk_changes(&file, &(struct mk_changes){ .type = 8,
                                            .end = 3 * TIMES,
                                            .packing = '4',
                                            .stream = stream,
                                            .streams = STREAMS,
                                            .time = time,
                                            .times = TIMES,
                                            .pack_times = true });
    mk_geometry(&file, true, length, STREAMS);
    mk_hierarchy(&file, 6, &entries);
    fst_memory = (struct test_heap){ 0 };
    fst_scan_bytes(&file, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_true(fst_memory.peak < (size_t)8 << 20); /* 20 bytes a change would be 20 MB */
    printf("most memory: %zu KiB\n", fst_memory.peak / 1024);
    assert_int_equal(s.stamps, TIMES);
    assert_int_equal(s.records, (uint64_t)TIMES * STREAMS);
    for (unsigned i = 0; i < STREAMS; i++) {
        assert_int_equal(s.rises[i], TIMES / 2);
        assert_int_equal(s.falls[i], TIMES / 2 - 1);
    }
    fst_scan_free(&s);
    mk_free(&file);
    mk_free(&entries);
    mk_free(&chain);
}

static void time_may_go_back_if_that_is_tolerated(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, got = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &usual);
    mk_header(&file, -9);
    small_second(&file, &usual);       /* 30 to 50 */
    mk_changes(&file, &first.changes); /* 0 to 30 */
    mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
    struct mk entries = { 0 };
    small_entries(&entries);
    mk_hierarchy(&file, 4, &entries);
    assert_int_equal(fst_error_of(&file, NULL), 716);
    activity_agrees(fst_temp(&file, ""), 2, false);
    activity_agrees(fst_temp(&file, ""), 2, true);
    fst_scan(fst_temp(&file, ""), NULL, NULL, true, &got, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    mk_u8(&got, 0);
    assert_string_equal((const char *)got.data,
                        "#30 0=1 4=\n#40 5=1010xxxxxz\n"
                        "#50 0=z 4= 0=0 1=1010 2= 0=1 3= 4= 5=1100000011 0=0 1=01zx 0=x 2= 4=\n");
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&entries);
    mk_free(&file);
    mk_free(&got);
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
        cmocka_unit_test(an_early_frame_gives_the_initial_values),
        cmocka_unit_test(a_frame_may_be_packed_or_cover_fewer_streams),
        cmocka_unit_test(a_time_that_is_written_twice_is_one_stamp),
        cmocka_unit_test(a_stamp_held_for_the_next_block_is_handed_out),
        cmocka_unit_test(a_frame_without_times_is_left_out),
        cmocka_unit_test(a_dense_block_reads_in_windows),
        cmocka_unit_test(time_may_go_back_if_that_is_tolerated),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
