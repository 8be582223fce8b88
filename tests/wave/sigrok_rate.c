/* SPDX-License-Identifier: MIT */
/* Sessions of sigrok: rates that hold a NUL, and how much of a session has been read. */
#include "texts.h"
#include "zip_make.h"

#include "wave/reader.h"

/* A rate with a NUL in it is none: no prefix of 10^15 (or whatever the end of a text is). */
static void rate_with_a_nul(void **state)
{
    uint64_t rate = 7;

    (void)state;
    assert_true(wv_parse_rate("1 Hz", 4, &rate));
    assert_int_equal(rate, 1);
    assert_false(wv_parse_rate("1 \0Hz", 5, &rate));
    assert_false(wv_parse_rate("1\0", 2, &rate));
    assert_false(wv_parse_rate("\0", 1, &rate));
    assert_int_equal(rate, 1);
}

struct seen {
    uint64_t last, total;
    bool wrong;
};

static void see_progress(void *ctx, uint64_t done, uint64_t total)
{
    struct seen *s = ctx;

    s->wrong |= done < s->last || done > total || (s->total && total != s->total);
    s->last = done;
    s->total = total;
}

/* What is read of a session grows, up to all that is packed in it. */
static void progress(void **state)
{
    static uint8_t samples[1 << 20];
    struct test_rng rng = test_rng_start(21, &(uint64_t){ 0 });
    struct zip_made z = { 0 };
    struct seen seen = { 0 };
    const struct pc_wave_desc desc = { .progress = see_progress, .progress_ctx = &seen };
    struct pc_wave_totals totals;
    struct pc_error err = { 0 };
    uint64_t done, total;

    (void)state;
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (uint8_t)test_rand(&rng);
    zip_text(&z, "version", "2\n");
    zip_text(&z, "metadata",
             "[device 1]\ncapturefile=logic-1\nunitsize=1\ntotal probes=8\nsamplerate=1 MHz\n");
    zip_add(&z, "logic-1-1", samples, sizeof samples, ZIP_DEFLATED);
    zip_end(&z, 0);
    struct pc_wave *wave = text_try(z.bytes, z.size, &desc, &err);
    test_ok(err.status, &err);
    pc_wave_progress(wave, &done, &total);
    assert_int_equal(done, 0);
    assert_in_range(total, sizeof samples - sizeof samples / 64, z.size);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_false(seen.wrong);
    assert_true(seen.total == 0 || seen.total == total);
    pc_wave_progress(wave, &done, &total);
    assert_int_equal(done, total);
    pc_wave_close(wave);
    zip_free(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_with_a_nul),
        cmocka_unit_test(progress),
    };

    return cmocka_run_group_tests_name("wave/sigrok_rate", tests, NULL, NULL);
}
