/* SPDX-License-Identifier: MIT */
/*
 * Archives made to break the reader of sigrok sessions: cut, damaged, with sizes and counts that
 * are not true, members that are missing, double or absurd; and memory that runs out.
 */
#include "texts.h"
#include "zip_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char metadata[] = "[global]\nsigrok version=0.6.0\n\n[device 1]\ncapturefile=logic-1\n"
                               "total probes=2\nsamplerate=1 MHz\nprobe1=a\nprobe2=b\nunitsize=1\n";
static const char samples[] = "\0\1\2\3\0\1\2\3\0\1\2\3\0\1\2\3\0\1\2\3\0\1\2\3";
#define SAMPLES (sizeof samples - 1)

/* Version and metadata; the pieces come after them. */
static struct zip_made begin(void)
{
    struct zip_made z = { 0 };

    zip_text(&z, "version", "2");
    zip_text(&z, "metadata", metadata);
    return z;
}

static void add_piece(struct zip_made *z, const char *name)
{
    zip_add(z, name, samples, SAMPLES, ZIP_DEFLATED);
}

/* Reads the archive and gives it back; the code of the error, 0 for none. */
static unsigned code_of(struct zip_made *z)
{
    struct pc_error err = { 0 };
    enum pc_status status = text_read_all(z->bytes, z->size, NULL, &err);

    assert_int_equal(err.status, status);
    assert_true(status == PC_OK || err.text[0] != '\0');
    zip_free(z);
    return err.code;
}

static void cut_anywhere(void **state)
{
    struct zip_made z = begin();

    (void)state;
    add_piece(&z, "logic-1-1");
    zip_end(&z, 0);
    for (size_t n = 4; n < z.size; n++) {
        struct pc_error err = { 0 };
        assert_int_equal(text_read_all(z.bytes, n, NULL, &err), PC_EINPUT);
        assert_int_equal(err.code, 719);
    }
    assert_int_equal(code_of(&z), 0);
}

static void damaged_anywhere(void **state)
{
    struct test_rng rng = test_rng_start(726, NULL);
    struct zip_made z = begin();
    unsigned refused = 0;

    (void)state;
    add_piece(&z, "logic-1-1");
    add_piece(&z, "logic-1-2");
    zip_end(&z, 0);
    uint8_t *bytes = malloc(z.size);
    assert_non_null(bytes);
    for (size_t n = 0; n < 8 * z.size; n++) {
        struct pc_error err = { 0 };
        memcpy(bytes, z.bytes, z.size);
        bytes[n / 8] ^= (uint8_t)(1u << n % 8);
        if (n % 3 == 0)
            bytes[test_rand_below(&rng, (uint32_t)z.size)] = (uint8_t)test_rand(&rng);
        enum pc_status status = text_read_all(bytes, z.size, NULL, &err);
        assert_true(status != PC_ENOMEM);
        refused += status != PC_OK;
    }
    assert_true(refused > 4 * z.size);
    free(bytes);
    zip_free(&z);
}

/* An archive of something else says what is in it. */
static void is_no_session(struct zip_made *z, const char *text)
{
    struct pc_error err = { 0 };

    zip_end(z, 0);
    assert_int_equal(text_read_all(z->bytes, z->size, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 720);
    assert_string_equal(err.text, text);
    zip_free(z);
}

static void members(void **state)
{
    struct zip_made z = { 0 };

    (void)state;
    is_no_session(&z, "a zip archive, and there is nothing in it");
    zip_text(&z, "word/document.xml", "<xml/>");
    is_no_session(&z, "a zip archive, but no session of sigrok: no version is in it, but "
                      "word/document.xml");
    zip_text(&z, "dump.vcd", "$end");
    zip_text(&z, "other.vcd", "$end");
    zip_text(&z, "readme", "?");
    is_no_session(&z, "a zip archive, but no session of sigrok: no version is in it, but dump.vcd "
                      "and 2 more");
    zip_text(&z, "version", "2");
    is_no_session(&z, "a zip archive, but no session of sigrok: no metadata is in it, but version");
    z = begin();
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
    z = begin();
    add_piece(&z, "logic-1-2");
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
    z = begin();
    add_piece(&z, "logic-1-1");
    add_piece(&z, "logic-1-3");
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
    z = begin();
    add_piece(&z, "logic-1-1");
    add_piece(&z, "logic-1");
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
    z = begin();
    add_piece(&z, "logic-1-1");
    add_piece(&z, "logic-1-1");
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
    z = begin();
    add_piece(&z, "logic-1-1");
    zip_text(&z, "metadata", metadata);
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 725);
}

static void absurd_names(void **state)
{
    static const char *const refused[] = { "logic-1-",
                                           "logic-1-0",
                                           "logic-1-01",
                                           "logic-1-x",
                                           "logic-1-1x",
                                           "logic-1--1",
                                           "logic-1-99999999999999999999" };
    static const char *const ignored[] = {
        "../../../etc/passwd", "/dev/zero",        "",     "logic-10-1",
        "logic-1.bak",         "\x1b[31m\xff\xfe", "logic"
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct zip_made z = begin();
        add_piece(&z, "logic-1-1");
        add_piece(&z, refused[i]);
        zip_end(&z, 0);
        assert_int_equal(code_of(&z), 725);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        struct zip_made z = begin();
        add_piece(&z, "logic-1-1");
        add_piece(&z, ignored[i]);
        zip_end(&z, 0);
        assert_int_equal(code_of(&z), 0);
    }
}

static void versions(void **state)
{
    static const char *const bad[] = { "3", "0", "", "22", "2x", "two", "99999999999999999999" };
    static const char *const good[] = { "1", "2\n", "2\r\n", "1 " };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0] + sizeof good / sizeof good[0]; i++) {
        bool is_bad = i < sizeof bad / sizeof bad[0];
        struct zip_made z = { 0 };
        zip_text(&z, "version", is_bad ? bad[i] : good[i - sizeof bad / sizeof bad[0]]);
        zip_text(&z, "metadata", metadata);
        add_piece(&z, "logic-1");
        zip_end(&z, 0);
        assert_int_equal(code_of(&z), is_bad ? 721 : 0);
    }
}

/* Sizes in the list of members that the members do not have; local headers hold the truth. */
static void wrong_sizes(void **state)
{
    static const uint32_t claims[] = { 0, 1, SAMPLES - 1, SAMPLES + 1, 0x7fffffff, 0xfffffff0 };

    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        struct test_heap heap = { 0 };
        struct pc_alloc alloc = { test_heap_resize, &heap };
        struct pc_wave_desc desc = { .alloc = &alloc };
        struct pc_error err = { 0 };
        struct zip_made z = begin();
        add_piece(&z, "logic-1-1");
        z.member[2].size = claims[i];
        zip_end(&z, 0);
        assert_int_equal(text_read_all(z.bytes, z.size, &desc, &err), PC_EINPUT);
        assert_int_equal(err.code, 726);
        assert_non_null(strstr(err.text, claims[i] < SAMPLES ? "has more bytes than the archive"
                                                             : "has fewer bytes than the archive"));
        assert_true(heap.peak < 1 << 20);
        zip_free(&z);
    }
    struct zip_made z = begin(); /* metadata of 4 GB */
    add_piece(&z, "logic-1-1");
    z.member[1].size = 0xfffffff0;
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 723);
    z = begin(); /* a member after the end */
    add_piece(&z, "logic-1-1");
    z.member[2].offset = 0x7fffffff;
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 719);
}

static void wrong_contents(void **state)
{
    struct zip_made z = begin();

    (void)state;
    add_piece(&z, "logic-1-1");
    z.member[2].crc ^= 1;
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 719);
    z = begin();
    add_piece(&z, "logic-1-1");
    z.member[2].method = 12; /* bzip2 */
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 727);
    z = begin();
    add_piece(&z, "logic-1-1");
    z.member[2].flags = 1; /* encrypted */
    zip_end(&z, 0);
    assert_int_equal(code_of(&z), 727);
}

/* Samples of two bytes, and an odd number of them. */
static void odd_pieces(void **state)
{
    static const char wide[] = "[device 1]\ncapturefile=logic-1\nunitsize=2\ntotal probes=9\n";

    (void)state;
    for (int last = 0; last < 2; last++) {
        struct zip_made z = { 0 };
        zip_text(&z, "version", "2");
        zip_text(&z, "metadata", wide);
        zip_add(&z, "logic-1-1", samples, last ? 8 : 7, ZIP_STORED);
        zip_add(&z, "logic-1-2", samples, last ? 7 : 8, ZIP_STORED);
        zip_end(&z, 0);
        assert_int_equal(code_of(&z), last ? 0 : 726);
    }
}

/* Counts of members that are not there. */
static void huge_counts(void **state)
{
    static const uint16_t declared[] = { 2, 4, 1000, 0xfffe };
    /* a zip64 directory of 2^56 members */
    static const uint8_t huge[] = {
        'P',  'K',  6,    6,    44,   0,    0,    0,    0,    0,    0,    0, 45, 0, 45, 0, 0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, 0,  0, 1,  0, 0,
        0,    0,    0,    0,    0,    1,    46,   0,    0,    0,    0,    0, 0,  0, 0,  0, 0,
        0,    0,    0,    0,    0,    'P',  'K',  6,    7,    0,    0,    0, 0,  0, 0,  0, 0,
        0,    0,    0,    0,    1,    0,    0,    0,    'P',  'K',  5,    6, 0,  0, 0,  0, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0,
    };
    uint8_t bytes[4096];
    struct pc_error err = { 0 };
    struct zip_made z;

    (void)state;
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++) {
        z = begin();
        add_piece(&z, "logic-1-1");
        zip_end(&z, declared[i]);
        assert_true(code_of(&z) >= 719);
    }
    z = begin();
    add_piece(&z, "logic-1-1");
    assert_true(z.size + sizeof huge < sizeof bytes);
    memcpy(bytes, z.bytes, z.size);
    memcpy(bytes + z.size, huge, sizeof huge);
    for (unsigned k = 0; k < 4; k++) /* where the zip64 end is */
        bytes[z.size + 64 + k] = (uint8_t)(z.size >> 8 * k);
    assert_int_equal(text_read_all(bytes, z.size + sizeof huge, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 719);
    zip_free(&z);
}

/* Every allocation of ours fails once, and from then on. */
static void memory_runs_out(void **state)
{
    struct zip_made z = begin();

    (void)state;
    add_piece(&z, "logic-1-1");
    zip_end(&z, 0);
    struct text_bytes bytes = { z.bytes, z.size };
    test_refuse_each(text_read_with, &bytes, 12);
    zip_free(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),   cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(members),        cmocka_unit_test(absurd_names),
        cmocka_unit_test(versions),       cmocka_unit_test(wrong_sizes),
        cmocka_unit_test(wrong_contents), cmocka_unit_test(odd_pieces),
        cmocka_unit_test(huge_counts),    cmocka_unit_test(memory_runs_out),
    };

    return cmocka_run_group_tests_name("wave/sigrok_hostile", tests, NULL, NULL);
}
