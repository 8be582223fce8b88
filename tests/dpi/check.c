/* SPDX-License-Identifier: MIT */
/* Verifies the entry points of the lock-step check: what they compare and which clock they name. */
#include "test.h"

#include "pcounter/pcounter_dpi.h"

#include <stdio.h>
#include <string.h>

/* The registers of a module that the tests play. */
struct rtl {
    uint64_t counter[9];
    uint32_t selector[9];
};

static uint32_t clock_with(void *check, const struct rtl *rtl, uint32_t lines, uint32_t write,
                           uint32_t address, uint64_t wdata, uint64_t answer)
{
    for (unsigned n = 3; n <= 8; n++)
        pcounter_dpi_register(check, n, rtl->counter[n], rtl->selector[n]);
    return pcounter_dpi_clock(check, lines, 0, 0, write, address, wdata, answer);
}

static void *begin(void)
{
    void *check = pcounter_dpi_open("cv64a6_imafdc_sv39", "rtl");

    assert_non_null(check);
    return check;
}

static void unknown_names_give_no_check(void **state)
{
    (void)state;
    assert_null(pcounter_dpi_open("cv64a6", "rtl"));
    assert_null(pcounter_dpi_open("cv64a6_imafdc_sv39", "doc"));
    assert_null(pcounter_dpi_open(NULL, "rtl"));
    assert_null(pcounter_dpi_open("cv64a6_imafdc_sv39", NULL));
    assert_null(pc_hpm_config_find(NULL));
    assert_null(pc_governor_find(NULL));
    pcounter_dpi_close(NULL);
    pcounter_dpi_reset(NULL);
}

/* An edge at time 0, in a simulator that runs the test bench before the checker. */
static void a_check_that_is_not_open_checks_nothing(void **state)
{
    const struct rtl rtl = { .counter = { [3] = 1 } };

    (void)state;
    pcounter_dpi_port(NULL, 0, 1);
    pcounter_dpi_ways(NULL, 0, 1);
    assert_int_equal(clock_with(NULL, &rtl, 0, 0, 0xb03, 0, 0), 0);
    pcounter_dpi_csr_register(NULL, 0xb00, 1);
    assert_int_equal(pcounter_dpi_csr_clock(NULL, 0, 3, 0, 0, 0, 0, 0), 0);
    assert_string_equal(pcounter_dpi_text(NULL), "");
}

/* mcountinhibit keeps 0x1fd; a read and a trap are those of the clock, registers of the next. */
static void csr_regfile_is_compared(void **state)
{
    void *check = begin();

    (void)state;
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 1, 0x320, 0x1ff, 0, 0), 0);
    pcounter_dpi_csr_register(check, 0xb00, 1);
    pcounter_dpi_csr_register(check, 0x320, 0x1ff); /* bit 1 is not there */
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 4, 0xb00, 0, 1, 0), 1);
    assert_non_null(
        strstr(pcounter_dpi_text(check), "clock 0: mcountinhibit is 0x1ff, the model has 0x1fd"));
    pcounter_dpi_csr_register(check, 0x320, 0x1fd);
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 0, 4, 0xc00, 0, 1, 0), 1);
    assert_non_null(
        strstr(pcounter_dpi_text(check), "clock 2: the trap of 0xc00 is 0x0, the model has 0x2"));
    assert_int_equal(pcounter_dpi_csr_clock(check, 1, 0, 4, 0xc00, 0, 0, 2), 0);
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 4, 0xb00, 0, 7, 0), 1);
    assert_non_null(strstr(pcounter_dpi_text(check),
                           "clock 4: csr_rdata_o of 0xb00 is 0x7, the model has 0x1"));
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 1, 0x300, 5, 9, 2), 0);
    pcounter_dpi_close(check);
}

/* A register that is wider in the RTL than in the model has nothing above. */
static void all_bits_of_an_enable_are_compared(void **state)
{
    void *check = begin();

    (void)state;
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 1, 0x306, 5, 0, 0), 0);
    pcounter_dpi_csr_register(check, 0xb00, 1);
    pcounter_dpi_csr_register(check, 0x306, UINT64_C(0x100000005));
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 0, 0, 0, 0, 0), 1);
    assert_non_null(
        strstr(pcounter_dpi_text(check), "clock 0: mcounteren is 0x100000005, the model has 0x5"));
    pcounter_dpi_csr_register(check, 0xb00, 2);
    pcounter_dpi_csr_register(check, 0x306, 5);
    assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 0, 0, 0, 0, 0), 0);
    pcounter_dpi_close(check);
}

/* A register that differs is the RTL's from there on; mcycle and minstret with the rule that
 * decided, but before the first clock, when none has. */
static void csrs_go_on_from_the_rtl(void **state)
{
    static const struct {
        const char *core, *name;
        uint32_t address;
    } cases[] = {
        { "cv64a6_imafdc_sv39", "mcycle", 0xb00 },
        { "cv64a6_imafdc_sv39", "minstret", 0xb02 },
        { "cv64a6_imafdc_sv39", "mcounteren", 0x306 },
        { "cv64a6_imafdc_sv39", "scounteren", 0x106 },
        { "cv64a6_imafdch_sv39", "hcounteren", 0x606 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[80];
        void *check = pcounter_dpi_open(cases[i].core, "rtl");
        const bool clocks = cases[i].address == 0xb00;
        assert_non_null(check);
        for (uint64_t t = 0; t < 3; t++) {
            const uint64_t model = clocks ? t < 2 ? t : 5 + t : t < 2 ? 0 : 6;
            const uint64_t rtl = t == 1 ? 6 : model;
            pcounter_dpi_csr_register(check, 0xb00, t);
            pcounter_dpi_csr_register(check, cases[i].address, rtl);
            assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 0, 0, 0, 0, 0), t == 1);
            snprintf(text, sizeof text, "pcounter: clock 0: %s is 0x6, the model has 0x%x%s",
                     cases[i].name, clocks, cases[i].address < 0x700 ? "" : "; HPM.");
            if (t == 1 && strncmp(pcounter_dpi_text(check), text, strlen(text)) != 0)
                fail_msg("%s", pcounter_dpi_text(check));
        }
        pcounter_dpi_close(check);
    }

    void *check = begin();
    const struct rtl rtl = { .counter = { [3] = 1 } };
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 1);
    assert_string_equal(pcounter_dpi_text(check),
                        "pcounter: clock 0: mhpmcounter3 is 0x1, the model has 0x0");
    pcounter_dpi_close(check);
}

/* Clock 0 selects event 1 for counter 4, clock 1 has it: seen before the edge of clock 2. */
static void the_clock_that_made_a_difference_is_named(void **state)
{
    void *check = begin();
    struct rtl rtl = { .counter = { 0 } };

    (void)state;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x324, 1, 0), 0);
    rtl.selector[4] = 1;
    assert_int_equal(clock_with(check, &rtl, 1u << PC_HPM_ICACHE_MISS, 0, 0, 0, 0), 0);
    rtl.counter[4] = 2; /* should be 1 */
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 1);
    assert_non_null(strstr(pcounter_dpi_text(check),
                           "clock 1: mhpmcounter4 is 0x2, the model has 0x1; HPM.COUNT"));
    /* from there on it follows the module */
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    assert_string_equal(pcounter_dpi_text(check), "");
    pcounter_dpi_close(check);
}

static void selectors_and_reads_are_compared(void **state)
{
    void *check = begin();
    struct rtl rtl = { .counter = { 0 } };

    (void)state;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x328, 0x2f, 0), 0);
    rtl.selector[8] = 7; /* lost a bit of 0xf */
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 1);
    assert_non_null(strstr(pcounter_dpi_text(check), "clock 0: mhpmevent8 is 0x7"));
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0x328, 0, 7), 0);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0x328, 0, 6), 1);
    assert_non_null(strstr(pcounter_dpi_text(check), "clock 3: data_o of 0x328 is 0x6"));
    pcounter_dpi_close(check);
}

/* A retiring load on each port: the RTL adds 1 (or_ports), and rd alone makes a return. */
static void ports_and_ways_arrive(void **state)
{
    void *check = begin();
    struct rtl rtl = { .counter = { 0 } };
    const uint32_t load = 1 | PC_HPM_FU_LOAD << 1, jr = 1 | PC_HPM_FU_CTRL_FLOW << 1 | 1 << 6;
    const uint32_t add = 1 | PC_HPM_FU_CTRL_FLOW << 1 | 1 << 5;

    (void)state;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x323, 5, 0), 0);
    rtl.selector[3] = 5;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x324, 13, 0), 0);
    rtl.selector[4] = 13;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x325, 18, 0), 0);
    rtl.selector[5] = 18;
    pcounter_dpi_port(check, 0, load);
    pcounter_dpi_port(check, 1, load);
    pcounter_dpi_ways(check, 2, 0xff);
    assert_int_equal(clock_with(check, &rtl, 1u << PC_HPM_DCACHE_MISS, 0, 0, 0, 0), 0);
    rtl.counter[3] = 1;
    rtl.counter[5] = 1;
    pcounter_dpi_port(check, 0, jr | 2 << 7);
    pcounter_dpi_port(check, 1, jr);
    pcounter_dpi_ways(check, 2, 0xfe);
    assert_int_equal(clock_with(check, &rtl, 1u << PC_HPM_DCACHE_MISS, 0, 0, 0, 0), 0);
    rtl.counter[4] = 1;
    pcounter_dpi_port(check, 0, add); /* a jal is no return */
    pcounter_dpi_port(check, 1, 0);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    pcounter_dpi_port(check, 0, 0);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    pcounter_dpi_close(check);
}

/* Profile spec: a jr of x5 is a return, one of x6 is none; without rs1 any is one. */
static void rs1_decides_about_returns(void **state)
{
    void *check = pcounter_dpi_open("cv64a6_imafdc_sv39", "spec");
    struct rtl rtl = { .counter = { 0 } };
    const uint32_t jr = 1 | PC_HPM_FU_CTRL_FLOW << 1 | 1 << 6, known = 1 << 12;

    (void)state;
    assert_non_null(check);
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0x323, 13, 0), 0);
    rtl.selector[3] = 13;
    pcounter_dpi_port(check, 0, jr | known | 5 << 13);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    rtl.counter[3] = 1;
    pcounter_dpi_port(check, 0, jr | known | 6 << 13);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    pcounter_dpi_port(check, 0, jr);
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    rtl.counter[3] = 2;
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    pcounter_dpi_close(check);
}

static void reset_starts_again(void **state)
{
    void *check = begin();
    struct rtl rtl = { .counter = { 0 } }, zero = { .counter = { 0 } };

    (void)state;
    assert_int_equal(clock_with(check, &rtl, 0, 1, 0xb03, 42, 0), 0);
    pcounter_dpi_reset(check);
    assert_int_equal(clock_with(check, &zero, 0, 0, 0, 0, 0), 0);
    zero.counter[6] = 1;
    assert_int_equal(clock_with(check, &zero, 0, 0, 0, 0, 0), 1);
    assert_non_null(strstr(pcounter_dpi_text(check), "clock 0: mhpmcounter6"));
    pcounter_dpi_close(check);
}

/* Verifies that everything that differs in a clock is told, a line each. */
static void all_differences_of_a_clock_are_told(void **state)
{
    void *check = begin();
    struct rtl rtl = { .counter = { 0 } };

    (void)state;
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0, 0, 0), 0);
    for (unsigned n = 3; n <= 8; n++) {
        rtl.counter[n] = 10 + n;
        rtl.selector[n] = 20 + n;
    }
    assert_int_equal(clock_with(check, &rtl, 0, 0, 0xb05, 0, 1), 13);
    const char *text = pcounter_dpi_text(check);
    unsigned lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 13);
    assert_non_null(strstr(text, "pcounter: clock 0: mhpmevent3 is 0x17, the model has 0x0\n"));
    assert_non_null(strstr(text, "\npcounter: clock 0: mhpmcounter8 is 0x12, the model has 0x0; "));
    assert_non_null(strstr(text, "\npcounter: clock 1: data_o of 0xb05 is 0x1, the model has 0xf"));
    assert_true(text[strlen(text) - 1] != '\n');
    pcounter_dpi_close(check);
}

/* Gets what a read returns before the clock in which it commits, as an RVFI bench does. */
static void a_bench_is_told_what_a_read_returns(void **state)
{
    enum { USER = 0, MACHINE = 3, WRITE = 1, READ = 4, LOAD = 1 | 1 << 1 };
    void *check = begin();
    uint64_t value = 7;

    (void)state;
    assert_int_equal(pcounter_dpi_read_at(NULL, MACHINE, 0xb03, &value), 0);
    assert_int_equal(value, 0);
    assert_int_equal(pcounter_dpi_step(NULL, 0, MACHINE, READ, 0xb03, 0), 0);
    assert_int_equal(pcounter_dpi_step(check, 0, MACHINE, WRITE, 0x323, 5), 0); /* loads */
    pcounter_dpi_port(check, 0, LOAD);
    for (unsigned i = 0; i < 3; i++)
        pcounter_dpi_step(check, 0, MACHINE, 0, 0, 0);
    pcounter_dpi_port(check, 0, 0);
    assert_int_equal(pcounter_dpi_read_at(check, MACHINE, 0xb03, &value), 0);
    assert_int_equal(value, 3);
    assert_int_equal(pcounter_dpi_read_at(check, MACHINE, 0xb00, &value), 0);
    assert_int_equal(value, 4);
    assert_int_equal(pcounter_dpi_read_at(check, USER, 0xc03, &value), 2);
    assert_int_equal(value, 0);
    assert_int_equal(pcounter_dpi_step(check, 0, USER, READ, 0xc03, 0), 2);
    pcounter_dpi_step(check, 0, MACHINE, WRITE, 0x306, 8);
    pcounter_dpi_step(check, 0, MACHINE, WRITE, 0x106, 8);
    assert_int_equal(pcounter_dpi_read_at(check, USER, 0xc03, &value), 0);
    assert_int_equal(value, 3);
    pcounter_dpi_close(check);
}

/* A core without counters: what its RTL shows of them is told, and the model keeps its zeros. */
static void registers_that_the_core_lacks_are_told(void **state)
{
    void *check = pcounter_dpi_open("cv32a60x", "rtl");
    const struct rtl none = { .counter = { 0 } }, one = { .counter = { [3] = 1 } };

    (void)state;
    assert_non_null(check);
    assert_int_equal(clock_with(check, &none, 0, 0, 0xb03, 0, 0), 0);
    assert_int_equal(clock_with(check, &one, 0, 0, 0xb03, 0, 0), 1);
    assert_string_equal(pcounter_dpi_text(check),
                        "pcounter: clock 0: registers that no CVA6 can have");
    assert_int_equal(clock_with(check, &none, 0, 0, 0xb03, 0, 0), 0);
    pcounter_dpi_close(check);

    check = pcounter_dpi_open("cv32a60x", "rtl");
    for (unsigned t = 0; t < 2; t++) { /* the model cannot take it over */
        pcounter_dpi_csr_register(check, 0x320, 5);
        pcounter_dpi_csr_register(check, 0xb00, t);
        pcounter_dpi_csr_register(check, 0x306, 7); /* without U mode there is none */
        pcounter_dpi_csr_register(check, 0x123, 1); /* nobody's */
        assert_int_equal(pcounter_dpi_csr_clock(check, 0, 3, 0, 0, 0, 0, 0), 1);
        assert_non_null(
            strstr(pcounter_dpi_text(check), "mcountinhibit is 0x5, the model has 0x0"));
    }
    pcounter_dpi_close(check);
}

/* Verifies that numbers beyond the ports, ways and counters change nothing. */
static void numbers_out_of_range_are_ignored(void **state)
{
    void *check = begin();
    const struct rtl none = { .counter = { 0 } };

    (void)state;
    pcounter_dpi_port(check, 99, 1);
    pcounter_dpi_ways(check, 3, 1);
    pcounter_dpi_register(check, 2, 7, 7);
    pcounter_dpi_register(check, 9, 7, 7);
    assert_int_equal(clock_with(check, &none, 0, 0, 0, 0, 0), 0);
    assert_string_equal(pcounter_dpi_text(check), "");
    pcounter_dpi_close(check);
}

/* Reads of csr_regfile's own registers and their shadows are compared, of perf_counters' are not;
 * neither is what is no CSR instruction. */
static void reads_of_csr_regfile_are_compared(void **state)
{
    static const struct {
        uint32_t address, op;
        bool compared;
    } cases[] = {
        { 0xb00, 4, true },  { 0xb02, 4, true },  { 0xc00, 4, true },  { 0xc02, 4, true },
        { 0x320, 4, true },  { 0x306, 4, true },  { 0x106, 4, true },  { 0xb03, 4, false },
        { 0xc03, 4, false }, { 0x323, 4, false }, { 0x300, 4, false }, { 0xb00, 5, false },
        { 0xb00, 0, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *check = begin();
        const uint32_t differences =
            pcounter_dpi_csr_clock(check, 0, 3, cases[i].op, cases[i].address, 0, 0x5555, 0);
        if (differences != cases[i].compared)
            fail_msg("0x%03x: %u", (unsigned)cases[i].address, (unsigned)differences);
        pcounter_dpi_close(check);
    }
}

/* An operation that is none is no access; the clock is counted. */
static void a_bench_steps_without_an_access(void **state)
{
    void *check = begin();
    uint64_t value;

    (void)state;
    assert_int_equal(pcounter_dpi_step(check, 0, 3, 5, 0xc03, 0), 0);
    assert_int_equal(pcounter_dpi_read_at(check, 3, 0xb00, &value), 0);
    assert_int_equal(value, 1);
    pcounter_dpi_close(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names_give_no_check),
        cmocka_unit_test(a_check_that_is_not_open_checks_nothing),
        cmocka_unit_test(the_clock_that_made_a_difference_is_named),
        cmocka_unit_test(selectors_and_reads_are_compared),
        cmocka_unit_test(csr_regfile_is_compared),
        cmocka_unit_test(csrs_go_on_from_the_rtl),
        cmocka_unit_test(all_bits_of_an_enable_are_compared),
        cmocka_unit_test(rs1_decides_about_returns),
        cmocka_unit_test(ports_and_ways_arrive),
        cmocka_unit_test(reset_starts_again),
        cmocka_unit_test(all_differences_of_a_clock_are_told),
        cmocka_unit_test(a_bench_is_told_what_a_read_returns),
        cmocka_unit_test(registers_that_the_core_lacks_are_told),
        cmocka_unit_test(numbers_out_of_range_are_ignored),
        cmocka_unit_test(reads_of_csr_regfile_are_compared),
        cmocka_unit_test(a_bench_steps_without_an_access),
    };

    return cmocka_run_group_tests_name("dpi/check", tests, NULL, NULL);
}
