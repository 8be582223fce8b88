/* SPDX-License-Identifier: MIT */
/* Scripts of a core's counters: mistakes with their places, reasons of what is read, and callbacks.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

struct heard {
    unsigned accesses, stop_at; /* stop_at: the access that is the last one, 0: none */
    const char *config, *profile;
    char reason[300];
    uint64_t value;
    enum pc_hpm_cause cause;
    bool expects, failed;
};

static void begin(void *ctx, const struct pc_hpm_config *config,
                  const struct pc_hpm_profile *profile)
{
    struct heard *h = ctx;

    h->config = config->name;
    h->profile = profile->name;
}

static enum pc_status take(void *ctx, const struct pc_csr_access *a, struct pc_error *err)
{
    struct heard *h = ctx;

    snprintf(h->reason, sizeof h->reason, "%s", a->reason);
    h->value = a->value;
    h->cause = a->cause;
    h->expects = a->expects;
    h->failed = a->failed;
    if (++h->accesses != h->stop_at)
        return PC_OK;
    *err = (struct pc_error){ .status = PC_EIO, .code = 900, .text = "enough" };
    return PC_EIO;
}

static enum pc_status run(const char *text, size_t size, struct heard *h,
                          struct pc_script_result *result, struct pc_error *err)
{
    const struct pc_csr_script_desc desc = {
        .text = text, .size = size, .begin = begin, .access = take
    };

    return pc_csr_script_run(&desc, h, result, err);
}

#define C32 "core cv32a60x\n"
#define C64 "core cv64a6_imafdc_sv39\n"

static void mistakes(void **state)
{
    static const struct {
        const char *text;
        unsigned code;
        uint32_t line, column;
        const char *says;
    } cases[] = {
        { "", 801, 1, 0, "no command" },
        { "# nothing\n\n", 801, 1, 0, "no command" },
        { "csrr mcycle\n", 801, 1, 1, "first command" },
        { C32 " core cv32a60x\n", 801, 2, 2, "a second `core`" },
        { "core", 803, 1, 5, "core NAME" },
        { "core cv99\n", 1000, 1, 6, "cv99" },
        { "core cv32a60x nope\n", 1003, 1, 15, "nope" },
        { "core cv32a60x rtl more\n", 804, 1, 19, "core NAME [PROFILE]" },
        { C32 "csr mcycle\n", 802, 2, 1, "csr" },
        { C32 "mode\n", 803, 2, 5, "a mode" },
        { C32 "mode Q\n", 813, 2, 6, "\"Q\" is not a mode" },
        { C32 "mode \"M\"\n", 813, 2, 6, "not a mode" },
        { C32 "mode U\n", 813, 2, 6, "no mode U" },
        { C32 "mode S\n", 813, 2, 6, "no mode S" },
        { C32 "mode debug\n", 813, 2, 6, "no mode debug" },
        { C64 "mode VU\n", 813, 2, 6, "no mode VU" },
        { C32 "csrr\n", 803, 2, 5, "a CSR" },
        { C32 "csrr mstatus\n", 830, 2, 6, "mstatus" },
        { C32 "csrr 0x300\n", 830, 2, 6, "0x300" },
        { C32 "csrr 0x1b03\n", 830, 2, 6, "0x1b03" },
        { C32 "csrr 0xb0z\n", 830, 2, 6, "0xb0z" },
        { C32 "csrr 0x\n", 830, 2, 6, "0x" },
        { C32 "csrr mcycle g\n", 805, 2, 13, "hexadecimal" },
        { C32 "csrr mcycle 1 2\n", 804, 2, 15, "csrr CSR" },
        { C32 "csrr mcycle trap 2\n", 804, 2, 18, "csrr CSR" },
        { C32 "csrw mcycle 0x100000000\n", 806, 2, 13, "32 bits" },
        { C32 "csrw mcycle 0x\n", 805, 2, 13, "hexadecimal" },
        { C32 "csrw mcycle \"\"\n", 805, 2, 13, "hexadecimal" },
        { C32 "csrw mcycle \"5\"\n", 805, 2, 13, "hexadecimal" },
        { C32 "csrw mcycle 5 5\n", 804, 2, 15, "csrw CSR" },
        { C64 "csrw mcycle 12345678123456781\n", 806, 2, 13, "64 bits" },
        { C64 "csrw mcycle \"1\n", 818, 2, 13, "quotes" },
        { C64 "insn\n", 803, 2, 5, "insn WORD" },
        { C64 "insn 13 x\n", 805, 2, 9, "decimal" },
        { C64 "insn 100000013\n", 806, 2, 6, "32 bits" },
        { C64 "run\n", 803, 2, 4, "run CLOCKS" },
        { C64 "run x\n", 805, 2, 5, "decimal" },
        { C64 "run 5 5\n", 804, 2, 7, "run CLOCKS" },
        { C64 "run 281474976710657\n", 806, 2, 5, "281474976710656" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct heard h = { .accesses = 0 };
        struct pc_script_result result;
        struct pc_error err = { .code = 0 };
        const enum pc_status status = run(cases[i].text, strlen(cases[i].text), &h, &result, &err);
        if (status != err.status || err.code != cases[i].code || err.line != cases[i].line ||
            err.column != cases[i].column ||
            !(strstr(err.text, cases[i].says) || strstr(err.hint, cases[i].says)))
            fail_msg("case %zu: %u at %u:%u: %s (%s)", i, err.code, (unsigned)err.line,
                     (unsigned)err.column, err.text, err.hint);
        assert_int_equal(h.accesses, 0); /* nothing runs before all of it is checked */
        assert_null(h.config);
    }
}

static void a_long_line(void **state)
{
    const size_t size = SC_LINE_MAX + 100;
    char *text = malloc(size);
    struct heard h = { .accesses = 0 };
    struct pc_script_result result;
    struct pc_error err;

    (void)state;
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, C32, strlen(C32));
    assert_int_equal(run(text, size, &h, &result, &err), PC_ELIMIT);
    assert_int_equal(err.code, 817);
    assert_int_equal(err.line, 2);
    test_ok(run(text, SC_LINE_MAX, &h, &result, &err), &err);
    free(text);
}

/* The last access of a script: what it read, and why. */
static void reasons(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
        enum pc_hpm_cause cause;
        const char *reason;
    } cases[] = {
        { C64 "run 7\ncsrr mcycle\n", 7, 0, "it counts clocks" },
        { C64 "insn 13 5\ncsrr minstret\n", 5, 0, "it counts instructions" },
        { C64 "csrs mcountinhibit 1\nrun 7\ncsrr mcycle\n", 1, 0,
          "it does not count: bit 0 of mcountinhibit is 1" },
        { C64 "csrw mhpmevent3 1f\ncsrr mhpmcounter3\n", 0, 0,
          "it does not count: mhpmevent3 is 31, which selects nothing" },
        { C64 "csrr 0xb03\n", 0, 0, "it does not count: mhpmevent3 is 0, which selects nothing" },
        { C64 "csrr TIME\n", 0, PC_HPM_ILLEGAL,
          "time, and the addresses between the counters, never exist" },
        { C64 "csrr timeh\n", 0, PC_HPM_ILLEGAL,
          "time, and the addresses between the counters, never exist" },
        { C64 "mode U\ncsrr cycle\n", 0, PC_HPM_ILLEGAL, "bit 0 of mcounteren is 0, in mode U" },
        { C64 "csrw mcounteren 1\nmode U\ncsrr cycle\n", 0, PC_HPM_ILLEGAL,
          "bit 0 of scounteren is 0, in mode U" },
        { C64 "mode S\ncsrr mcycle\n", 0, PC_HPM_ILLEGAL,
          "the CSR needs mode M, and the mode is S" },
        { C64 "mode M\ncsrw cycle 5\n", 0, PC_HPM_ILLEGAL, NULL },
        { "core cv64a6_imafdch_sv39 spec\ncsrw mcounteren 8\ncsrw hcounteren 8\nmode VU\n"
          "csrr hpmcounter3\n",
          0, PC_HPM_VIRTUAL, "bit 3 of scounteren is 0, in mode VU" },
        { "core cv32a60x\ncsrr mhpmcounter3\n", 0, 0,
          "mhpmcounter3..8 and mhpmevent3..8 are live with PerfCounterEn, else constant 0" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct heard h = { .accesses = 0 };
        struct pc_script_result result;
        struct pc_error err = { .code = 0 };
        test_ok(run(cases[i].text, strlen(cases[i].text), &h, &result, &err), &err);
        if (h.value != cases[i].value || h.cause != cases[i].cause ||
            (cases[i].reason && strcmp(h.reason, cases[i].reason) != 0))
            fail_msg("case %zu: %llu %u %s", i, (unsigned long long)h.value, (unsigned)h.cause,
                     h.reason);
    }
}

static void expectations(void **state)
{
    static const struct {
        const char *text;
        bool expects, failed;
    } cases[] = {
        { C64 "csrr mcycle\n", false, false },      { C64 "csrr mcycle 0\n", true, false },
        { C64 "csrr mcycle 0x1\n", true, true },    { C64 "csrr mcycle trap\n", true, true },
        { C64 "csrr time trap\n", true, false },    { C64 "csrr time 5\n", true, true },
        { C64 "csrw mcycle 5\n", false, false },    { C64 "csrw mcycle 5 trap\n", true, true },
        { C64 "csrc cycle 5 trap\n", true, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct heard h = { .accesses = 0 };
        struct pc_script_result result;
        struct pc_error err;
        test_ok(run(cases[i].text, strlen(cases[i].text), &h, &result, &err), &err);
        if (h.expects != cases[i].expects || h.failed != cases[i].failed ||
            result.expectations != cases[i].expects || result.failed != cases[i].failed)
            fail_msg("case %zu", i);
        assert_int_equal(result.reads + result.writes, 1);
    }
}

/* The configuration is told once, before the first access; an access may end the script. */
static void callbacks(void **state)
{
    static const char text[] = "# which\n core cv64a6_imafdc_sv39 spec\ncsrr mcycle\ncsrr mcycle\n"
                               "csrr mcycle";
    struct heard h = { .stop_at = 2 };
    struct pc_script_result result;
    struct pc_error err;

    (void)state;
    assert_int_equal(run(text, strlen(text), &h, &result, &err), PC_EIO);
    assert_string_equal(err.text, "enough");
    assert_int_equal(h.accesses, 2);
    assert_int_equal(result.reads, 2);
    assert_string_equal(h.config, "cv64a6_imafdc_sv39");
    assert_string_equal(h.profile, "spec");
    h = (struct heard){ .accesses = 0 };
    test_ok(run(text, strlen(text), &h, &result, &err), &err);
    assert_int_equal(h.accesses, 3); /* the last line without a newline, too */
}

static void how_they_begin(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        { "core", true },    { "core x", true },         { "core\tx", true },
        { "core\n", true },  { " \t\r\n core x", true }, { "# core\n\ncore x", true },
        { "", false },       { "cor", false },           { "cores", false },
        { "core=x", false }, { "Core x", false },        { "chip G84\ncore", false },
        { "# core", false }, { "\n\n", false },          { "#\n#", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (pc_csr_script_is(cases[i].text, strlen(cases[i].text)) != cases[i].is)
            fail_msg("\"%s\"", cases[i].text);
    assert_false(pc_csr_script_is("core x", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes),  cmocka_unit_test(a_long_line),
        cmocka_unit_test(reasons),   cmocka_unit_test(expectations),
        cmocka_unit_test(callbacks), cmocka_unit_test(how_they_begin),
    };

    return cmocka_run_group_tests_name("script/core", tests, NULL, NULL);
}
