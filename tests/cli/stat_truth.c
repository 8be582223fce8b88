/* SPDX-License-Identifier: MIT */
/*
 * Runs `pcounter stat` over real waveforms and compares with counts that were made
 * otherwise (waves/<processor>/<run>.truth.json): the 22 events of CVA6 in five encodings of one
 * run, Ibex with its counters' inhibit register, every signal of PicoRV32 with real x values.
 *
 *   stat_truth PROGRAM
 */
#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

/* --- running --- */

enum { MAX_ARGS = 1024 };

struct call {
    const char *arg[MAX_ARGS];
    size_t args;
};

static void add(struct call *c, const char *arg)
{
    assert_true(c->args + 1 < MAX_ARGS);
    c->arg[c->args++] = arg;
}

static struct call stat_call(const char *clock)
{
    struct call c = { .args = 0 };

    add(&c, program);
    add(&c, "stat");
    add(&c, "-q");
    add(&c, "--format");
    add(&c, "json");
    add(&c, "--clock");
    add(&c, clock);
    return c;
}

/* The report of a run that must succeed. */
static json_t *run(struct call *c, const char *path)
{
    int fd[2], status;
    json_error_t error;

    add(c, path);
    c->arg[c->args] = NULL;
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fd[1], STDOUT_FILENO);
        close(fd[0]);
        close(fd[1]);
        char *argv[MAX_ARGS];
        memcpy(argv, c->arg, sizeof argv);
        execv(program, argv);
        _exit(127);
    }
    close(fd[1]);
    FILE *in = fdopen(fd[0], "r");
    json_t *report = json_loadf(in, 0, &error);
    fclose(in);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: exit status %d", path, status);
    if (!report)
        fail_msg("%s: %s", path, error.text);
    return report;
}

static json_t *truth(const char *relative)
{
    char path[1000];
    json_error_t error;

    if (!test_shared(relative, path, sizeof path))
        skip();
    json_t *out = json_load_file(path, 0, &error);
    if (!out)
        fail_msg("%s: %s", path, error.text);
    return out;
}

/* --- looking into reports --- */

static json_int_t integer(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (!json_is_integer(value))
        fail_msg("no number \"%s\"", key);
    return json_integer_value(value);
}

static const json_t *event(const json_t *report, const char *name)
{
    size_t i;
    json_t *e;

    json_array_foreach(json_object_get(report, "events"), i,
                       e) if (strcmp(json_string_value(json_object_get(e, "name")), name) ==
                              0) return e;
    fail_msg("no event %s in the report", name);
    return NULL;
}

static void check(const char *file, const json_t *report, const char *name, json_int_t expected)
{
    json_int_t value = integer(event(report, name), "value");

    if (value != expected)
        fail_msg("%s: %s: counted %lld, truth %lld", file, name, (long long)value,
                 (long long)expected);
}

/* --- CVA6 --- */

#define C0 "perf_counters_i.commit_ack_i[0] & "
#define C1 "perf_counters_i.commit_ack_i[1] & "
#define I0 "perf_counters_i.commit_instr_i[0]."
#define I1 "perf_counters_i.commit_instr_i[1]."
#define P  "perf_counters_i."
/* a condition on each commit port */
#define FU(n) C0 I0 "fu == " n " | " C1 I1 "fu == " n
#define FU2(n, m)                                                                                  \
    C0 "(" I0 "fu == " n " | " I0 "fu == " m ") | " C1 "(" I1 "fu == " n " | " I1 "fu == " m ")"
#define CALL(c, i) c i "fu == 4 & (" i "op == 0 | " i "op == 19) & (" i "rd == 1 | " i "rd == 5)"
#define RET(c, i)  c i "op == 19 & " i "rd == 0"

/* fu: LOAD 1, STORE 2, ALU 3, CTRL_FLOW 4, MULT 5, FPU 7, FPU_VEC 8; op: ADD 0, JALR 19 */
static const char *const cva6_events[] = {
    "0x01_l1_icache_miss=" P "l1_icache_miss_i",
    "0x02_l1_dcache_miss=" P "l1_dcache_miss_i",
    "0x03_itlb_miss=" P "itlb_miss_i",
    "0x04_dtlb_miss=" P "dtlb_miss_i",
    "0x05_load=" FU("1"),
    "0x06_store=" FU("2"),
    "0x07_exception=" P "ex_i.valid",
    "0x08_eret=" P "eret_i",
    "0x09_branch=" FU("4"),
    "0x0a_mispredict=" P "resolved_branch_i.valid & " P "resolved_branch_i.is_mispredict",
    "0x0b_branch_exception=" P "branch_exceptions_i.valid",
    "0x0c_call=" CALL(C0, I0) " | " CALL(C1, I1),
    "0x0d_return=" RET(C0, I0) " | " RET(C1, I1),
    "0x0e_sb_full=" P "sb_full_i",
    "0x0f_if_empty=" P "if_empty_i",
    "0x10_icache_access=" P "l1_icache_access_i.req",
    "0x11_dcache_access=" P "l1_dcache_access_i[0].data_req | " P
    "l1_dcache_access_i[1].data_req | " P "l1_dcache_access_i[2].data_req",
    "0x12_dcache_eviction=" P "l1_dcache_miss_i & (&" P "miss_vld_bits_i[0] | &" P
    "miss_vld_bits_i[1] | &" P "miss_vld_bits_i[2])",
    "0x13_itlb_flush=" P "i_tlb_flush_i",
    "0x14_int=" FU2("3", "5"),
    "0x15_fp=" FU2("7", "8"),
    "0x16_stall_issue=" P "stall_issue_i",
};

/* Flattened structs: the same by slices; what the flat file's notes give. */
#define F0 P "commit_instr_i[370:367]"
#define F1 P "commit_instr_i[808:805]"
#define O0 P "commit_instr_i[366:359]"
#define O1 P "commit_instr_i[804:797]"
#define R0 P "commit_instr_i[348:344]"
#define R1 P "commit_instr_i[786:782]"
static const char *const flat_events[] = {
    "0x05_load=" C0 F0 " == 1 | " C1 F1 " == 1",
    "0x06_store=" C0 F0 " == 2 | " C1 F1 " == 2",
    "0x09_branch=" C0 F0 " == 4 | " C1 F1 " == 4",
    "0x0a_mispredict=" P "resolved_branch_i[133] & " P "resolved_branch_i[4]",
    "0x0c_call=" C0 F0 " == 4 & (" O0 " == 0 | " O0 " == 19) & (" R0 " == 1 | " R0 " == 5) | " C1 F1
    " == 4 & (" O1 " == 0 | " O1 " == 19) & (" R1 " == 1 | " R1 " == 5)",
    "0x0d_return=" C0 O0 " == 19 & " R0 " == 0 | " C1 O1 " == 19 & " R1 " == 0",
    "0x10_icache_access=" P "l1_icache_access_i[67]",
    "0x11_dcache_access=" P "l1_dcache_access_i[14] | " P "l1_dcache_access_i[213] | " P
    "l1_dcache_access_i[412]",
};

/* Counts the events and compares each with the row of its name. */
static void cva6(const char *waveform, const char *truth_name, const char *const *events,
                 size_t count)
{
    char relative[200], path[1000];

    snprintf(relative, sizeof relative, "waves/cva6/%s", truth_name);
    json_t *t = truth(relative);
    snprintf(relative, sizeof relative, "waves/cva6/%s", waveform);
    if (!test_shared(relative, path, sizeof path))
        skip();
    struct call c = stat_call("posedge perf_counters_i.clk_i iff perf_counters_i.rst_ni");
    for (size_t i = 0; i < count; i++) {
        add(&c, "-e");
        add(&c, events[i]);
    }
    json_t *report = run(&c, path);
    assert_int_equal(integer(report, "cycles"), integer(t, "posedges_out_of_reset"));
    const json_t *rows = json_object_get(t, "event_cycles");
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(events[i], "="), events[i]);
        check(waveform, report, name, integer(rows, name));
    }
    json_decref(report);
    json_decref(t);
}

#define CVA6_COUNT (sizeof cva6_events / sizeof cva6_events[0])

static void cva6_runs(void **state)
{
    (void)state;
    cva6("cva6_median.fst", "cva6_median.truth.json", cva6_events, CVA6_COUNT);
    cva6("cva6_multiply.fst", "cva6_multiply.truth.json", cva6_events, CVA6_COUNT);
    cva6("cva6_dhrystone.fst", "cva6_dhrystone.truth.json", cva6_events, CVA6_COUNT);
}

static void cva6_encodings(void **state)
{
    static const char *const files[] = { "cva6_towers.fst", "cva6_towers_verilator.vcd.gz",
                                         "cva6_towers_gtkwave_zlib.fst",
                                         "cva6_towers_gtkwave_fastlz.fst",
                                         "cva6_towers_gtkwave_gzwrapped.fst" };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        cva6(files[i], "cva6_towers.truth.json", cva6_events, CVA6_COUNT);
    cva6("cva6_towers_flat.fst", "cva6_towers.truth.json", flat_events,
         sizeof flat_events / sizeof flat_events[0]);
}

/* 4.5 million cycles: the counts, in memory that does not grow with them. */
static void long_run(void **state)
{
    static const char *const names[] = { "ev_l1_icache_miss", "ev_mispredict", "ev_if_empty",
                                         "ev_stall_issue" };
    json_t *t = truth("waves/cva6/cva6_dhrystone_long_events.truth.json");
    char path[1000];

    (void)state;
    if (!test_shared("waves/cva6/cva6_dhrystone_long_events.fst", path, sizeof path))
        skip();
    struct call c = stat_call("TOP.clk_i iff TOP.rst_ni");
    for (size_t i = 0; i < 4; i++) {
        add(&c, "-e");
        add(&c, names[i]);
    }
    json_t *report = run(&c, path);
    assert_int_equal(integer(report, "cycles"), integer(t, "posedges_out_of_reset"));
    for (size_t i = 0; i < 4; i++)
        check("long", report, names[i], integer(json_object_get(t, "event_edges_total"), names[i]));
    json_decref(report);
    json_decref(t);
#if !defined(__SANITIZE_ADDRESS__)
    struct rusage usage; /* of the largest run so far */
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    print_message("largest run: %ld KiB\n", usage.ru_maxrss);
    assert_in_range(usage.ru_maxrss, 1, 64 * 1024);
#endif
}

/* --- Ibex --- */

static void ibex(void **state)
{
    json_t *t = truth("waves/ibex/ibex_coremark_csregs.truth.json");
    const json_t *totals = json_object_get(t, "event_edges_total");
    const json_t *windows = json_object_get(t, "windows_with_mcountinhibit_zero");
    struct call c = stat_call("TOP.clk_i iff TOP.rst_ni");
    static char text[32][200];
    char path[1000];
    size_t n = 0;
    const char *name;
    json_t *value;

    (void)state;
    if (!test_shared("waves/ibex/ibex_coremark_csregs.fst", path, sizeof path))
        skip();
    json_object_foreach((json_t *)(uintptr_t)totals, name, value)
    {
        snprintf(text[n], sizeof text[n], "%s=%s, open.%s=cs_registers_i.mcountinhibit == 0 & %s",
                 name, name, name, name);
        add(&c, "-e");
        add(&c, text[n++]);
    }
    json_t *report = run(&c, path);
    json_object_foreach((json_t *)(uintptr_t)totals, name, value)
    {
        json_int_t sum = 0;
        char open[100];
        size_t i;
        json_t *window;
        check("ibex", report, name, json_integer_value(value));
        json_array_foreach((json_t *)(uintptr_t)windows, i, window) sum +=
            integer(json_object_get(window, "events"), name);
        snprintf(open, sizeof open, "open.%s", name);
        check("ibex", report, open, sum);
    }
    json_decref(report);
    json_decref(t);
}

/* --- PicoRV32, and the whole of CVA6: every signal --- */

/* Every `each`-th signal, and all conjunctions that the truth lists. */
static void signals(const char *waveform, const char *truth_name, const char *clock, size_t each)
{
    static char text[MAX_ARGS / 2][400];
    json_t *t = truth(truth_name);
    struct call c = stat_call(clock);
    char path[1000];
    size_t n = 0, seen = 0;
    const char *name;
    json_t *row;

    if (!test_shared(waveform, path, sizeof path))
        skip();
    json_object_foreach(json_object_get(t, "signals"), name, row)
    {
        if (seen++ % each)
            continue;
        snprintf(text[n], sizeof text[n], integer(row, "width") == 1 ? "e%zu=%s" : "e%zu=%s != 0",
                 seen, name);
        add(&c, "-e");
        add(&c, text[n++]);
    }
    json_object_foreach(json_object_get(t, "conjunctions_at_edges"), name, row)
    {
        add(&c, "-e");
        add(&c, name);
    }
    json_t *report = run(&c, path);
    assert_int_equal(integer(report, "cycles"), integer(t, "posedges_out_of_reset"));
    seen = 0;
    json_object_foreach(json_object_get(t, "signals"), name, row)
    {
        char label[32];
        if (seen++ % each)
            continue;
        snprintf(label, sizeof label, "e%zu", seen);
        const json_t *e = event(report, label);
        json_int_t tainted = integer(e, "tainted_cycles");
        json_int_t unknown = integer(row, "edges_unknown");
        if (integer(e, "value") != integer(row, "edges_nonzero"))
            fail_msg("%s: counted %lld, truth %lld", name, (long long)integer(e, "value"),
                     (long long)integer(row, "edges_nonzero"));
        /* A vector with x and a 1 is known to be not 0. */
        if (tainted > unknown || (integer(row, "width") == 1 && tainted != unknown))
            fail_msg("%s: tainted in %lld cycles, unknown in %lld", name, (long long)tainted,
                     (long long)unknown);
    }
    json_object_foreach(json_object_get(t, "conjunctions_at_edges"), name, row)
        check(waveform, report, name, json_integer_value(row));
    json_decref(report);
    json_decref(t);
}

static void picorv32_every_signal(void **state)
{
    (void)state;
    signals("waves/picorv32/picorv32_dhry2_icarus.vcd.gz",
            "waves/picorv32/picorv32_dhry2_icarus.truth.json", "testbench.clk iff testbench.resetn",
            1);
}

static void picorv32_long(void **state)
{
    (void)state;
    signals("waves/picorv32/picorv32_dhry_icarus.fst",
            "waves/picorv32/picorv32_dhry_icarus.truth.json", "testbench.clk iff testbench.resetn",
            16);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cva6_runs),     cmocka_unit_test(cva6_encodings),
        cmocka_unit_test(ibex),          cmocka_unit_test(picorv32_every_signal),
        cmocka_unit_test(picorv32_long), cmocka_unit_test(long_run),
    };

    if (argc != 2)
        return 2;
    program = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
