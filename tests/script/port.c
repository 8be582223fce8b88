/* SPDX-License-Identifier: MIT */
/* A script on a port in place of the model: what is asked of it, in which order, and what ends it.
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>

struct port {
    char told[1024];
    size_t used;
    const char *refuse; /* a word of `told` at which the port fails */
};

static enum pc_status tell(struct port *p, struct pc_error *err, const char *what, uint32_t a,
                           uint64_t b)
{
    char line[64];
    const int n =
        snprintf(line, sizeof line, "%s %x %llx\n", what, (unsigned)a, (unsigned long long)b);

    assert_true(p->used + (size_t)n < sizeof p->told);
    memcpy(p->told + p->used, line, (size_t)n + 1);
    p->used += (size_t)n;
    if (!p->refuse || strncmp(line, p->refuse, strlen(p->refuse)) != 0)
        return PC_OK;
    *err = (struct pc_error){ .status = PC_EIO, .text = "refused" };
    return PC_EIO;
}

static enum pc_status begin(void *ctx, const struct pc_chip *chip, struct pc_error *err)
{
    return tell(ctx, err, chip->name, 0, 0);
}

static enum pc_status announce(void *ctx, const struct pc_script_access *a, struct pc_error *err)
{
    return tell(ctx, err, a->write ? "will write" : "will read", a->address, a->count);
}

static enum pc_status read32(void *ctx, uint32_t address, uint32_t *value, struct pc_error *err)
{
    *value = 0xf0;
    return tell(ctx, err, "read", address, 0);
}

static enum pc_status write_part(void *ctx, uint32_t address, unsigned size, uint32_t value,
                                 struct pc_error *err)
{
    return tell(ctx, err, size == 4 ? "write" : size == 2 ? "write16" : "write8", address, value);
}

static enum pc_status wait_cycles(void *ctx, unsigned domain, uint64_t cycles, struct pc_error *err)
{
    return tell(ctx, err, "wait", domain, cycles);
}

static void keep(void *ctx)
{
    struct pc_error err;

    (void)tell(ctx, &err, "keep", 0, 0);
}

static enum pc_status run(struct port *p, const char *text, struct pc_script_result *result,
                          struct pc_error *err)
{
    const struct pc_script_port port = {
        p, begin, announce, read32, write_part, wait_cycles, keep
    };
    const struct pc_script_desc desc = { .text = text, .size = strlen(text), .port = &port };

    return pc_script_run(&desc, NULL, NULL, result, err);
}

/* Verifies that all accesses are announced before the first is made, and then made in order. */
static void test_order(void **state)
{
    struct port p = { .refuse = NULL };
    struct pc_script_result result;
    struct pc_error err;

    (void)state;
    assert_int_equal(run(&p,
                         "chip G84\nw a7c4 1\nw a484 5 f\nw8 a485 7\nw16 a486 1234\nrepeat 2 r "
                         "a604\nrun 7 1\nkeep\n"
                         "r a604 f0\nr a604 f1 f\n",
                         &result, &err),
                     PC_OK);
    assert_string_equal(
        p.told, "G84 0 0\n"
                "will write a7c4 1\nwill write a484 1\nwill write a485 1\n"
                "will write a486 1\nwill read a604 2\n"
                "will read a604 1\nwill read a604 1\n"
                "write a7c4 1\nread a484 0\nwrite a484 f5\nwrite8 a485 7\nwrite16 a486 1234\n"
                "read a604 0\nread a604 0\nwait 1 7\nkeep 0 0\n"
                "read a604 0\nread a604 0\n");
    assert_int_equal(result.reads, 5);
    assert_int_equal(result.writes, 4);
    assert_int_equal(result.failed, 1);
}

/* Verifies that a line for the model is refused before any access, with its place. */
static void test_model_only(void **state)
{
    static const char *const lines[] = {
        "set 0 1 1",      "play 0 1 10",           "pulse pm_trigger",
        "latency 1",      "option quad-exit=keep", "clock all 1MHz",
        "wave nosuch.vcd"
    };
    struct pc_script_result result;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct port p = { .refuse = NULL };
        struct pc_error err = { 0 };
        char text[80];
        snprintf(text, sizeof text, "chip G84\nw a7c4 1\n%s\n", lines[i]);
        assert_int_equal(run(&p, text, &result, &err), PC_EUNSUP);
        assert_int_equal(err.code, 823);
        assert_int_equal(err.line, 3);
        assert_null(strstr(p.told, "\nwrite"));
    }
    struct port p = { .refuse = NULL };
    struct pc_error err = { 0 };
    assert_int_equal(run(&p, "chip GF100\nr I[14100]\n", &result, &err), PC_EUNSUP);
    assert_int_equal(err.line, 2);
}

/* Verifies that what the port refuses ends the script, and is reported at its line. */
static void test_refused(void **state)
{
    static const struct {
        const char *refuse;
        unsigned line;
    } cases[] = { { "G84", 1 },       { "will write", 2 }, { "write", 2 },
                  { "will read", 3 }, { "read", 3 },       { "wait", 4 } };
    struct pc_script_result result;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct port p = { .refuse = cases[i].refuse };
        struct pc_error err = { 0 };
        assert_int_equal(run(&p, "chip G84\nw a7c4 1\nr a604\nrun 7\nw a7c8 1\n", &result, &err),
                         PC_EIO);
        assert_string_equal(err.text, "refused");
        assert_int_equal(err.line, cases[i].line);
        assert_null(strstr(p.told, "\nwrite a7c8"));
    }
}

/* Verifies that `keep` changes nothing on the model, and is no stimulus. */
static void test_keep_on_the_model(void **state)
{
    const char *text = "keep\n";
    const struct pc_script_stimulus stimulus = { .chip = pc_chip_find("G84"),
                                                 .text = text,
                                                 .size = 5 };
    const struct pc_gpu_desc desc = { .chip = stimulus.chip };
    struct pc_gpu *gpu;
    struct pc_error err;

    (void)state;
    assert_output("chip G84\nkeep\nw a7c4 1\nr a7c4\n", "00a7c4 00000001\n");
    assert_int_equal(pc_gpu_create(&desc, &gpu, &err), PC_OK);
    assert_int_equal(pc_script_run_stimulus(&stimulus, gpu, &err), PC_EINPUT);
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_model_only),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_keep_on_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
