/* SPDX-License-Identifier: MIT */
/* pc_script_run_stimulus(), and the callbacks of a script that make a log. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "test.h"
#include "pcounter/unstable/script.h"

#include <stdio.h>
#include <stdlib.h>
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
    return pc_script_run_stimulus(&desc, gpu, err);
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

/* ---- a waveform's samples ---- */

struct played {
    unsigned calls, domain, signals, cycles;
    uint8_t signal[2];
    uint64_t word[2];
    enum pc_status result;
};

static enum pc_status take(void *ctx, const struct pc_script_samples *some, struct pc_error *err)
{
    struct played *p = ctx;

    assert_in_range(some->signals, 1, 2);
    p->calls++;
    p->domain = some->domain;
    p->signals = (unsigned)some->signals;
    p->cycles += some->cycles;
    for (size_t i = 0; i < some->signals; i++) {
        p->signal[i] = some->signal[i];
        p->word[i] = some->value[i][0];
    }
    if (p->result)
        *err = (struct pc_error){ .status = p->result, .code = 901 };
    return p->result;
}

static enum pc_status play(const char *text, const char *directory, struct played *p,
                           struct pc_error *err)
{
    const struct pc_chip *chip;
    struct pc_gpu *gpu = make("G92", &chip);
    const struct pc_script_stimulus desc = { .chip = chip,
                                             .text = text,
                                             .size = strlen(text),
                                             .samples = take,
                                             .ctx = p,
                                             .directory = directory };

    memset(err, 0, sizeof *err);
    const enum pc_status status = pc_script_run_stimulus(&desc, gpu, err);
    pc_gpu_destroy(gpu);
    return status;
}

/* Verifies that `wave` and `bind` hand over samples at the edges of the clock, with x as 0, and
 * `clock` and `run` are as without them; and what is refused. */
static void test_samples(void **state)
{
    static const char vcd[] =
        "$timescale 1ns $end $scope module t $end $var wire 1 ! clk $end\n"
        "$var wire 1 a a $end $var wire 1 b b $end $upscope $end\n"
        "$enddefinitions $end\n#0\n0!\n1a\n0b\n#5\n1!\n#10\n0!\n0a\n1b\n#15\n1!\n"
        "#20\n0!\nxa\n#25\n1!\n#30\n0!\n";
    char folder[] = "/tmp/stimulus-XXXXXX", path[40];
    struct pc_error err;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/w.vcd", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(vcd, file) >= 0);
    assert_int_equal(fclose(file), 0);

    struct played p = { .calls = 0 };
    test_ok(play("wave w.vcd\nclock 1 27MHz\nbind 1 clock clk\nbind 1 10 a\nbind 1 8 b\nrun 3\n",
                 folder, &p, &err),
            &err);
    assert_int_equal(p.calls, 1);
    assert_int_equal(p.domain, 1);
    assert_int_equal(p.signals, 2);
    assert_int_equal(p.cycles, 3);
    assert_int_equal(p.signal[0], 0x10);
    assert_int_equal(p.word[0], 1); /* 1, 0, x */
    assert_int_equal(p.word[1], 6);
    p = (struct played){ .result = PC_EIO };
    assert_int_equal(play("wave w.vcd\nbind 0 clock clk\nbind 0 1 a", folder, &p, &err), PC_EIO);
    assert_int_equal(err.code, 901);
    p = (struct played){ .calls = 0 };
    assert_int_not_equal(play("wave w.vcd\nbind 0 1 a", folder, &p, &err), PC_OK);
    assert_int_equal(err.code, 815);
    assert_int_equal(err.line, 1);
    assert_int_not_equal(play("wave w.vcd\nbind 0 clock clk", folder, &p, &err), PC_OK);
    assert_int_equal(err.code, 815);
    assert_int_not_equal(play("wave w.vcd\nw a400 1", folder, &p, &err), PC_OK);
    assert_int_equal(err.code, 1210);
    assert_int_equal(p.calls, 0);
    remove(path);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
