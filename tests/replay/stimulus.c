/* SPDX-License-Identifier: MIT */
/* pc_script_stimulus(), and the callbacks of a script that make a log. */
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct pc_gpu *make(const char *name, const struct pc_chip **chip)
{
    struct pc_gpu_desc desc = { .chip = pc_chip_find(name) };
    struct pc_gpu *gpu = NULL;
    struct pc_error err;

    *chip = desc.chip;
    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    return gpu;
}

static enum pc_status apply(struct pc_gpu *gpu, const struct pc_chip *chip, const char *text,
                            struct pc_error *err)
{
    struct pc_script_stimulus desc = { .chip = chip, .text = text, .size = strlen(text) };

    memset(err, 0, sizeof *err);
    return pc_script_stimulus(&desc, gpu, err);
}

/* Verifies that each kind of line does what it does in a script. */
static void test_lines(void **state)
{
    const struct pc_chip *chip;
    struct pc_gpu *gpu = make("GT215", &chip);
    struct pc_error err;

    (void)state;
    test_ok(apply(gpu, chip,
                  "# what the card does\n"
                  "option pm-trigger-latency=1\n"
                  "clock 1 2\n"
                  "set 0 05 1\n"
                  "play 1 06 01\n"
                  "idle 00000001\n"
                  "latency 3\n"
                  "run 4\n",
                  &err),
            &err);
    struct pc_unit *unit = pc_gpu_unit(gpu);
    assert_int_equal(pc_unit_cycle(unit, 0), 4);
    assert_int_equal(pc_unit_cycle(unit, 1), 2);
    assert_int_equal(pc_gpu_read32(gpu, 0xa800), 1u << 5); /* SIG_STATUS[0][0] */
    assert_int_equal(pc_gpu_read32(gpu, 0xa820), 1u << 6); /* SIG_STATUS[1][0]: play's last */
    assert_int_equal(pc_gpu_read32(gpu, 0x10a500), 1);     /* COUNTER_SIGNALS */
    pc_gpu_write32(gpu, 0xa7c0, 1);
    assert_int_equal(pc_unit_cycle(unit, 1), 2 + 3); /* latency: three in the slowest */
    pc_gpu_destroy(gpu);
}

/* Verifies that accesses and waveforms are refused, and errors have their line. */
static void test_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned code, line;
    } rows[] = {
        { "set 0 05 1\nw 00a7c0 1\n", 1210, 2 },
        { "r 00a7c0\n", 1210, 1 },
        { "repeat 3 r 00a7c0\n", 1210, 1 },
        { "\n\nset 9 05 1\n", 0, 3 },
        { "set 0 05 1\nset 0 05 2\n", 813, 2 },
        { "chip G80\n", 801, 1 },
        { "sett 0 05 1\n", 802, 1 },
        { "option no-such=1\n", 0, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pc_chip *chip;
        struct pc_gpu *gpu = make("G80", &chip);
        struct pc_error err;
        assert_int_not_equal(apply(gpu, chip, rows[i].text, &err), PC_OK);
        assert_int_equal(err.line, rows[i].line);
        if (rows[i].code)
            assert_int_equal(err.code, rows[i].code);
        pc_gpu_destroy(gpu);
    }
}

struct heard {
    char text[1000];
    size_t used;
};

static void hear_access(void *ctx, const struct pc_script_access *a)
{
    struct heard *h = ctx;

    assert_int_equal(a->count, 1);
    h->used += (size_t)snprintf(h->text + h->used, sizeof h->text - h->used, "%u%c%x=%x;",
                                (unsigned)a->line, a->write ? 'w' : 'r', (unsigned)a->address,
                                (unsigned)a->value);
}

static void hear_command(void *ctx, const char *text, size_t size)
{
    struct heard *h = ctx;

    h->used +=
        (size_t)snprintf(h->text + h->used, sizeof h->text - h->used, "%.*s;", (int)size, text);
}

/* Verifies that a log hears each access of a repeat, and commands as they were written. */
static void test_log(void **state)
{
    static const char text[] = "chip G80\n"
                               "  set 1 10 1 # high\n"
                               "repeat 2 w 00a7c4 1\n"
                               "repeat 2 r 00a7c4\n"
                               "run 3\n"
                               "r 00a404\n";
    struct heard h = { .used = 0 };
    struct pc_script_desc desc = {
        .text = text, .size = sizeof text - 1, .single = hear_access, .command = hear_command
    };
    struct pc_script_result result;
    struct pc_error err;

    (void)state;
    test_ok(pc_script_run(&desc, NULL, &h, &result, &err), &err);
    assert_string_equal(h.text, "set 1 10 1 # high;3wa7c4=1;3wa7c4=1;4ra7c4=1;4ra7c4=1;run 3;"
                                "6ra404=0;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
