/* SPDX-License-Identifier: MIT */
/*
 * The scripts of examples/sequences, with their stimuli: every expectation holds, each has
 * some, and the ring of stream-out has the packets that it should.
 */
#include "test.h"
#include "pcounter/unstable/script.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER PC_SOURCE_DIR "/examples/sequences/"

struct outcome {
    const char *name;
    char *stimulus; /* NULL: none */
    size_t stimulus_size;
    struct pc_script_result result;
    struct pc_error first;
    struct pc_error err;
    enum pc_status status;
    uint8_t packets[128];
    bool written;
};

static char *load(const char *name, size_t *size)
{
    char path[600];

    snprintf(path, sizeof path, FOLDER "%s", name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = malloc(1 << 16);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 16) - 1, f);
    assert_true(feof(f));
    text[*size] = '\0';
    fclose(f);
    return text;
}

static enum pc_status stimulate(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    struct outcome *o = ctx;
    struct pc_script_stimulus desc = { .chip = pc_unit_chip(pc_gpu_unit(gpu)),
                                       .text = o->stimulus,
                                       .size = o->stimulus_size };

    return o->stimulus ? pc_script_run_stimulus(&desc, gpu, err) : PC_OK;
}

static void inspect(void *ctx, struct pc_gpu *gpu)
{
    struct outcome *o = ctx;

    pc_gpu_memory_read(gpu, UINT64_C(0x100100000), o->packets, sizeof o->packets, &o->written);
}

static void mismatch(void *ctx, const struct pc_error *what)
{
    struct outcome *o = ctx;

    if (!o->first.code)
        o->first = *what;
}

/* Runs one; with its stimulus, if it has one and `with`. */
static void run(const char *name, bool with, struct outcome *o)
{
    char stimulus[300];
    size_t size;
    char *text = load(name, &size);

    assert_non_null(text);
    memset(o, 0, sizeof *o);
    o->name = name;
    snprintf(stimulus, sizeof stimulus, "%.*s.stimulus", (int)(strlen(name) - 4), name);
    if (with)
        o->stimulus = load(stimulus, &o->stimulus_size);
    struct pc_script_desc desc = {
        .text = text, .size = size, .directory = FOLDER, .prepare = stimulate, .inspect = inspect
    };
    o->status = pc_script_run(&desc, mismatch, o, &o->result, &o->err);
    free(text);
    free(o->stimulus);
}

static bool is_script(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".pcs") == 0;
}

/* Verifies that the model does what each client relies on. */
static void test_all(void **state)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    unsigned scripts = 0;
    struct outcome o;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        if (!is_script(entry->d_name))
            continue;
        run(entry->d_name, true, &o);
        if (o.status != PC_OK)
            fail_msg("%s:%u: %s", entry->d_name, (unsigned)o.err.line, o.err.text);
        if (o.result.failed > 0)
            fail_msg("%s:%u: %s", entry->d_name, (unsigned)o.first.line, o.first.text);
        assert_in_range(o.result.expectations, 2, 1000);
        scripts++;
    }
    closedir(folder);
    assert_int_equal(scripts, 31);
}

/* Verifies that the stimulus is what makes the sum: without it one read differs, CTR_EVENT. */
static void test_stimulus_matters(void **state)
{
    struct outcome o;

    (void)state;
    run("gk104-nvidia-l2-b4.pcs", false, &o);
    assert_int_equal(o.status, PC_OK);
    assert_int_equal(o.result.failed, 1);
    assert_non_null(strstr(o.first.text, "CTR_EVENT reads 0x00000000, expected 0x0000030a"));
}

static uint32_t dword(const struct outcome *o, size_t packet, size_t i)
{
    const uint8_t *at = o->packets + 32 * packet + 4 * i;

    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Verifies the packets in memory: timestamp, STOP count, EVENT, PRE, START, STOP (D-75). */
static void test_stream_out(void **state)
{
    struct outcome o;

    (void)state;
    run("gk20a-nvgpu-streamout.pcs", true, &o);
    assert_true(o.written);
    /* The third packet: ten cycles after the second, at the 31st cycle of the mode. */
    assert_int_equal(dword(&o, 2, 0), 31);
    assert_int_equal(dword(&o, 2, 1), 1u << 16);
    assert_int_equal(dword(&o, 2, 2), 10); /* EVENT */
    assert_int_equal(dword(&o, 2, 3), 0);  /* PRE */
    assert_int_equal(dword(&o, 2, 4), 10); /* START */
    assert_int_equal(dword(&o, 2, 5), 1);  /* STOP */
    /* Then a packet a cycle: the fourth place, the first again, the second again. */
    assert_int_equal(dword(&o, 3, 2), dword(&o, 3, 4));
    assert_int_equal(dword(&o, 0, 0), dword(&o, 3, 0) + 1);
    assert_int_equal(dword(&o, 1, 0), dword(&o, 3, 0) + 2);
    assert_int_equal(dword(&o, 0, 2), 1);
    assert_int_equal(dword(&o, 1, 4), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_stimulus_matters),
        cmocka_unit_test(test_stream_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
