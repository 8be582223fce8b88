/* SPDX-License-Identifier: MIT */
/*
 * Input made to break a reader, and an allocator that fails: whatever comes, the answer is
 * a result or an error with its place, memory stays bounded, and all of it is given back.
 */
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Something of everything. */
static const char sample[] =
    "$date today $end $version a writer $end $comment #0 1! $end $timescale 10 ns $end\n"
    "$scope module top $end $var wire 1 ! clk $end $var reg 8 # count [7:0] $end\r\n"
    "$attrbegin misc 02 X 1 $end $scope module u $end $var wire 1 ! c $end "
    "$var real 64 r volts $end $upscope $end $var string 0 s text $end $var event 1 e go $end\n"
    "$var wire 12 long-id wide [0:11] $end $var wire 1 (k odd[3] $end $upscope $end "
    "$enddefinitions $end\n#0\n$dumpvars\n0!\nbx #\nr0.5 r\nsabc s\nb101z long-id\n$end\n"
    "#5\n1!\nb1 #\n1e\n#10 0! #10 1! $comment 1! $end b10101010 #\n#15\n0!\n1(k\nx(k\n#20 1! -!\n";

/* Binds every bit there is to every timestamp, and reads. */
static enum pc_status sample_all(struct pc_wave *wave, struct pc_error *err)
{
    struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_wave_bit bits[256];
    struct pc_wave_block b;
    struct pc_wave_var v;
    unsigned stream;
    size_t n = 0;

    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++)
        for (uint32_t k = 0; v.kind == PC_VAR_BITS && k < v.width && n < 256; k++)
            bits[n++] = (struct pc_wave_bit){ i, k };
    enum pc_status status = pc_wave_bind(wave, &every, bits, n, &stream, err);
    while (status == PC_OK)
        status = pc_wave_next(wave, &b, err);
    return status == PC_END ? PC_OK : status;
}

/* Reads the bytes in both ways; true if that went well. */
static bool survive(const void *bytes, size_t size, const struct pc_wave_desc *desc)
{
    struct pc_error err = { 0 };
    enum pc_status status = text_read_all(bytes, size, desc, &err);

    if (status) {
        assert_int_equal(err.status, status);
        assert_non_null(pc_explain(err.code));
        assert_true(err.text[0] != '\0');
    }
    struct pc_wave *wave = text_try(bytes, size, desc, &err);
    if (wave) {
        status = sample_all(wave, &err);
        pc_wave_close(wave);
    }
    return status == PC_OK;
}

static void cut_anywhere(void **state)
{
    size_t good = 0;

    (void)state;
    assert_true(survive(sample, strlen(sample), NULL));
    for (size_t n = 0; n < strlen(sample); n++)
        good += survive(sample, n, NULL);
    /* after the first $var most cuts leave a readable rest */
    assert_true(good > strlen(sample) / 4 && good < strlen(sample));
}

static void damaged_anywhere(void **state)
{
    char bytes[sizeof sample];
    uint64_t seed;
    struct test_rng rng = test_rng_start(2024, &seed);

    (void)state;
    for (int n = 0; n < 4000; n++) {
        memcpy(bytes, sample, sizeof sample);
        for (uint32_t k = 1 + test_rand_below(&rng, 4); k > 0; k--) {
            size_t at = test_rand_below(&rng, sizeof sample - 1);
            switch (test_rand_below(&rng, 3)) {
            case 0:
                bytes[at] = (char)test_rand(&rng);
                break;
            case 1:
                bytes[at] = sample[test_rand_below(&rng, sizeof sample - 1)];
                break;
            default:
                memmove(bytes + at, sample, test_rand_below(&rng, (uint32_t)(sizeof sample - at)));
            }
        }
        survive(bytes, sizeof sample - 1, NULL);
    }
}

static void nul_bytes(void **state)
{
    static const char text[] = "$timescale 1ns\0$end $var wire 1 ! a\0$end $enddefinitions $end"
                               "\0#0 1!\0\0#1 0!\0";
    static const char zeros[4096] = { 0 };
    struct pc_error err = { 0 };

    (void)state;
    test_ok(text_read_all(text, sizeof text, NULL, &err), &err);
    assert_int_equal(text_read_all(zeros, sizeof zeros, NULL, &err), PC_EINPUT);
}

/* `count` times `part`, between head and tail. */
static char *repeat(const char *head, const char *part, size_t count, const char *tail)
{
    size_t h = strlen(head), p = strlen(part), t = strlen(tail);
    char *text = malloc(h + p * count + t + 1);

    assert_non_null(text);
    memcpy(text, head, h);
    for (size_t i = 0; i < count; i++)
        memcpy(text + h + i * p, part, p);
    memcpy(text + h + p * count, tail, t + 1);
    return text;
}

static void deep_scopes(void **state)
{
    char *text = repeat("", "$scope module m $end\n", 4096, "$var wire 1 ! a $end");
    struct pc_error err = { 0 };

    (void)state;
    test_ok(text_read_all(text, strlen(text), NULL, &err), &err);
    free(text);
    text = repeat("", "$scope module m $end\n", 4097, "$var wire 1 ! a $end");
    text_refused(text, 513, 4097);
    free(text);
    /* long paths: each scope within the limit, all of them beyond it */
    char *name = repeat("$scope module ", "n", 60000, " $end\n");
    text = repeat("", name, 2, "");
    text_refused(text, 511, 2);
    free(text);
    free(name);
}

/* Words across the window's end, longer than it, and as long as a variable allows. */
static void long_words(void **state)
{
    struct pc_error err = { 0 };
    char *digits = repeat("$timescale 1ns $end $var wire 1000000 ! w $end $var wire 1 # a $end "
                          "$enddefinitions $end\n#0 b",
                          "01", 500000, " !\n#1 1#\n");
    (void)state;
    test_ok(text_read_all(digits, strlen(digits), NULL, &err), &err);
    free(digits);
    digits = repeat("$timescale 1ns $end $var wire 8 ! w $end $enddefinitions $end\n#0\nb", "01",
                    500000, " !\n#1 b1 !\n");
    text_refused(digits, 611, 3);
    free(digits);
    char *name = repeat("$var wire 1 ! ", "n", 65537, " $end");
    text_refused(name, 511, 1);
    free(name);
    char *id = repeat("$var wire 1 ", "n", 400000, " a $end");
    text_refused(id, 611, 1);
    free(id);
}

/* A process that writes into our standard input, and what is read there. */
static enum pc_status read_stdin(void (*writer)(int fd), struct test_heap *m, struct pc_error *err)
{
    struct pc_alloc alloc = { test_heap_resize, m };
    struct pc_wave_desc desc = { .path = "-", .alloc = &alloc };
    struct pc_wave_totals totals;
    struct pc_wave *wave = NULL;
    int ends[2], kept = dup(STDIN_FILENO);

    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        writer(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    close(ends[0]);
    enum pc_status status = pc_wave_open(&desc, &wave, err);
    if (status == PC_OK)
        status = pc_wave_scan(wave, &totals, NULL, err);
    pc_wave_close(wave);
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    } else {
        close(STDIN_FILENO);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(m->live, 0);
    return status;
}

static bool put(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n <= 0)
            return false;
        text += n;
        size -= (size_t)n;
    }
    return true;
}

/* 100 MB of one character after a text. */
static void put_huge(int fd, const char *head)
{
    static char block[1 << 16];

    memset(block, 'n', sizeof block);
    if (put(fd, head, strlen(head)))
        for (int i = 0; i < 1600 && put(fd, block, sizeof block); i++)
            ;
}

static void write_huge_name(int fd)
{
    put_huge(fd, "$var wire 1 ! ");
}

static void write_huge_string(int fd)
{
    put_huge(fd, "$timescale 1ns $end $var string 0 ! s $end $enddefinitions $end #0 s");
    put(fd, " !\n#1\n", 6);
}

static void write_huge_comment(int fd)
{
    put_huge(fd, "$comment ");
    put(fd, " $end $var wire 1 ! s $end $enddefinitions $end #0 0!\n", 54);
}

static void write_long_trace(int fd)
{
    static const char head[] = "$timescale 1ns $end $var wire 1 ! c $end $var wire 32 # n $end "
                               "$enddefinitions $end\n";
    static char block[1 << 16];
    size_t used = 0;

    put(fd, head, sizeof head - 1);
    for (unsigned t = 0; t < 1000000; t++) {
        used += (size_t)snprintf(block + used, sizeof block - used,
                                 "#%u\n%u!\nb10110011100011110000 #\n", t, t & 1);
        if (used > sizeof block - 100) {
            if (!put(fd, block, used))
                return;
            used = 0;
        }
    }
    put(fd, block, used);
}

static void streams_need_little_memory(void **state)
{
    struct test_heap m = { 0 };
    struct pc_error err = { 0 };

    (void)state;
    assert_int_equal(read_stdin(write_huge_name, &m, &err), PC_ELIMIT);
    assert_true(m.peak < 1 << 20);
    test_ok(read_stdin(write_huge_string, &m, &err), &err);
    assert_true(m.peak < 1 << 20);
    /* a comment is free text: its words may not be longer than the window */
    assert_int_equal(read_stdin(write_huge_comment, &m, &err), PC_ELIMIT);
    assert_true(m.peak < 1 << 20);
    test_ok(read_stdin(write_long_trace, &m, &err), &err);
    assert_true(m.peak < 1 << 20);
}

/* With a second stream: one alone has a short cut, which is left out where memory is short. */
static enum pc_status open_and_sample(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    const struct pc_wave_desc desc = { .alloc = alloc };
    struct pc_wave *wave = text_try(sample, strlen(sample), &desc, err);
    unsigned stream;

    (void)ctx;
    if (!wave)
        return err->status;
    enum pc_status status = pc_wave_bind(wave, &every, NULL, 0, &stream, err);
    if (status == PC_OK)
        status = sample_all(wave, err);
    pc_wave_close(wave);
    return status;
}

static void memory_runs_out(void **state)
{
    struct text_bytes bytes = { sample, strlen(sample) };

    (void)state;
    test_refuse_each(open_and_sample, NULL, 20);
    test_refuse_each(text_read_with, &bytes, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),    cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(nul_bytes),       cmocka_unit_test(deep_scopes),
        cmocka_unit_test(long_words),      cmocka_unit_test(streams_need_little_memory),
        cmocka_unit_test(memory_runs_out),
    };

    return cmocka_run_group_tests_name("wave/hostile", tests, NULL, NULL);
}
