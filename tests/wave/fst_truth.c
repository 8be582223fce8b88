/* SPDX-License-Identifier: MIT */
/*
 * Real waveforms: times, counts of changes and clock edges as measured by other programs;
 * the same run in five encodings gives the same changes.  Signal by signal the counts of
 * truth files are compared in truth.c and corpus.c, through the public interface.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_support.h"

#define MIB ((size_t)1 << 20)

static bool has_name(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

static size_t find(const struct fst_scan *s, const char *name)
{
    for (size_t i = 0; i < s->vars; i++)
        if (strcmp(s->hier.names + s->hier.var[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

/*
 * Truth: time_last, posedges_total and value_changes_listed of the *.truth.json files
 * (UINT64_MAX: not told there).
 */
static const struct {
    const char *file, *clock;
    uint64_t last, edges, changes;
    size_t vars;
} measured[] = {
    { "cva6/cva6_median.fst", "TOP.clk_i", 379680, 37968, 719894, 988 },
    { "cva6/cva6_towers.fst", "TOP.clk_i", 303620, 30362, 686763, 988 },
    { "cva6/cva6_multiply.fst", "TOP.clk_i", 858940, 85894, 1915663, 988 },
    { "cva6/cva6_dhrystone.fst", "TOP.clk_i", 2538650, 253865, 7424045, 988 },
    { "cva6/cva6_towers_gtkwave_zlib.fst", "TOP.clk_i", 303620, 30362, 686763, 988 },
    { "cva6/cva6_towers_gtkwave_fastlz.fst", "TOP.clk_i", 303620, 30362, 686763, 988 },
    { "cva6/cva6_towers_gtkwave_gzwrapped.fst", "TOP.clk_i", 303620, 30362, 686763, 988 },
    { "cva6/cva6_towers_flat.fst", "TOP.clk_i", 303620, 30362, UINT64_MAX, 105 },
    { "cva6/cva6_dhrystone_long_events.fst", "TOP.clk_i", 44851330, 4485133, UINT64_MAX, 40 },
    { "cva6/cva6_towers_fullcore.fst", "TOP.clk_i", 303620, 30362, UINT64_MAX, 63548 },
    { "ibex/ibex_coremark_csregs.fst", "TOP.clk_i", 5229280, 522928, UINT64_MAX, 495 },
    { "picorv32/picorv32_dhry_icarus.fst", "testbench.clk", 2705850000, 270585, UINT64_MAX, 284 },
};

static bool is_clock(const char *name)
{
    return has_name(name, ".clk_i") || has_name(name, ".clk");
}

static void check_measured(size_t i)
{
    char relative[128], path[4096];
    struct fst_scan s;

    snprintf(relative, sizeof relative, "waves/%s", measured[i].file);
    if (!test_shared(relative, path, sizeof path))
        skip();
    bool all = measured[i].changes != UINT64_MAX;
    fst_scan(path, all ? NULL : is_clock, NULL, false, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    if (s.first != 0 || s.last != measured[i].last || s.vars != measured[i].vars)
        fail_msg("%s: times %llu to %llu, %zu variables", measured[i].file,
                 (unsigned long long)s.first, (unsigned long long)s.last, s.vars);
    if (all)
        assert_int_equal(s.records, measured[i].changes);
    size_t clock = find(&s, measured[i].clock);
    assert_true(clock != SIZE_MAX);
    assert_int_equal(s.rises[s.hier.var[clock].code], measured[i].edges);
    fst_scan_free(&s);
}

static void times_and_counts_as_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        check_measured(i);
}

/* Every signal that all of them have, by name and width, changes alike. */
static void five_encodings_of_one_run_agree(void **state)
{
    static const char *const other[] = {
        "cva6_towers_gtkwave_zlib.fst",
        "cva6_towers_gtkwave_fastlz.fst",
        "cva6_towers_gtkwave_gzwrapped.fst",
        "cva6_towers_flat.fst",
    };
    static const char *const encoding[] = { "zlib", "fastlz", "gzip-wrapped", "lz4" };
    char relative[128], path[4096];
    struct fst_scan native, s;

    (void)state;
    if (!test_shared("waves/cva6/cva6_towers.fst", path, sizeof path))
        skip();
    fst_scan(path, NULL, NULL, false, NULL, &native);
    test_ok(native.status == PC_END ? PC_OK : native.status, &native.err);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        size_t same = 0;
        snprintf(relative, sizeof relative, "waves/cva6/%s", other[i]);
        if (!test_shared(relative, path, sizeof path))
            skip();
        fst_scan(path, NULL, NULL, false, NULL, &s);
        test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
        assert_string_equal(s.encoding, encoding[i]);
        for (size_t v = 0; v < s.vars; v++) {
            const char *name = s.hier.names + s.hier.var[v].name;
            size_t n = find(&native, name);
            if (n == SIZE_MAX || native.hier.var[n].width != s.hier.var[v].width)
                continue;
            if (native.code_hash[native.hier.var[n].code] != s.code_hash[s.hier.var[v].code])
                fail_msg("%s: %s changes otherwise", other[i], name);
            same++;
        }
        assert_true(same >= (i == 3 ? 80 : 900)); /* the last has structures as vectors */
        fst_scan_free(&s);
    }
    fst_scan_free(&native);
}

/* 23 signals. */
static bool an_event(const char *name)
{
    return strstr(name, ".ev_") != NULL;
}

/* Memory is bounded by a block and the selection: 9 million stamps in less than 64 MiB. */
static void a_long_run_needs_little_memory(void **state)
{
    char path[4096];
    struct fst_scan s;

    (void)state;
    if (!test_shared("waves/cva6/cva6_dhrystone_long_events.fst", path, sizeof path))
        skip();
    fst_memory = (struct test_heap){ .limit = 64 * MIB };
    fst_scan(path, an_event, NULL, false, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_int_equal(s.stamps, 8970267);
    printf("most memory: %zu KiB\n", fst_memory.peak / 1024);
    fst_scan_free(&s);
}

/* The writer was killed: the names are in the file beside it, the last block is lost. */
static void an_unfinished_file_of_verilator(void **state)
{
    char path[4096];
    struct fst_scan s;

    (void)state;
    if (!test_shared("waves/corpus/wellen/verilator/verilator-incomplete.fst", path, sizeof path))
        skip();
    fst_scan(path, NULL, NULL, false, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_true(s.unfinished);
    assert_int_equal(s.vars, 11398);
    assert_int_equal(s.codes, 4447);
    assert_int_equal(s.last, 905045);
    assert_int_equal(s.records, 8954604);
    fst_scan_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_counts_as_measured),
        cmocka_unit_test(five_encodings_of_one_run_agree),
        cmocka_unit_test(a_long_run_needs_little_memory),
        cmocka_unit_test(an_unfinished_file_of_verilator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
