/* SPDX-License-Identifier: MIT */
/*
 * Real processors on real programs: every signal that the truth files name, sampled before
 * each rising clock edge out of reset, against counts that were made without pcounter.
 */
#include "texts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASS_BITS 8192 /* bound in one reading of the file */

struct row {
    const char *name;
    size_t var;
    uint32_t width;
    uint64_t nonzero, unknown, ones;
    json_t *truth;
};

static unsigned differing;

static void expect(const char *name, const char *what, json_t *truth, uint64_t got)
{
    if (!truth || (uint64_t)json_integer_value(truth) == got)
        return;
    if (differing++ < 20)
        fprintf(stderr, "%s: %s is %" PRIu64 ", the truth says %" JSON_INTEGER_FORMAT "\n", name,
                what, got, json_integer_value(truth));
}

static unsigned ones_of(uint64_t w)
{
    unsigned n = 0;

    for (; w; w &= w - 1)
        n++;
    return n;
}

static struct pc_wave *open_wave(const char *relative)
{
    char path[4096];
    struct pc_wave_desc desc = { .path = path };
    struct pc_wave *wave = NULL;
    struct pc_error err;

    if (!test_shared(relative, path, sizeof path))
        skip();
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    return wave;
}

static json_t *open_truth(const char *relative)
{
    char path[4096];
    json_error_t err;

    if (!test_shared(relative, path, sizeof path))
        skip();
    json_t *truth = json_load_file(path, 0, &err);
    assert_non_null(truth);
    return truth;
}

/* A member of a row: by name, or by column where rows are arrays. */
static json_t *cell(json_t *row, const char *name, int column)
{
    return json_is_array(row) ? json_array_get(row, (size_t)column) : json_object_get(row, name);
}

/* Every named signal of the file; the caller frees. */
static struct row *list_rows(const char *file, json_t *signals, size_t *count)
{
    struct pc_wave *wave = open_wave(file);
    struct row *row = calloc(json_object_size(signals), sizeof *row);
    const char *name;
    json_t *truth;

    *count = 0;
    assert_non_null(row);
    json_object_foreach(signals, name, truth)
    {
        struct pc_wave_var var;
        size_t v = text_find(wave, name);
        assert_int_equal(pc_wave_get_var(wave, v, &var), PC_OK);
        row[(*count)++] =
            (struct row){ .name = name, .var = v, .width = var.width, .truth = truth };
    }
    pc_wave_close(wave);
    return row;
}

static void add_block(struct row *row, size_t rows, const struct pc_wave_block *b)
{
    size_t words = (b->cycles + 63) / 64, s = 0;

    for (size_t i = 0; i < rows; s += row[i++].width) {
        for (size_t w = 0; w < words; w++) {
            uint64_t any = 0, unknown = 0;
            for (size_t k = s; k < s + row[i].width; k++) {
                any |= b->value[k][w];
                unknown |= b->unknown[k][w];
                row[i].ones += ones_of(b->value[k][w]);
                assert_true((b->value[k][w] & b->unknown[k][w]) == 0);
            }
            row[i].nonzero += ones_of(any & ~unknown);
            row[i].unknown += ones_of(unknown);
        }
    }
}

/* One reading: some rows, sampled at the rising edges of the clock out of reset. */
static uint64_t sample_rows(const char *file, const char *clock, const char *reset, struct row *row,
                            size_t rows, size_t bits)
{
    struct pc_wave *wave = open_wave(file);
    struct pc_wave_bit *bit = calloc(bits, sizeof *bit);
    struct pc_wave_clock on = { .edge = PC_EDGE_POS, .has_iff = true };
    struct pc_wave_block block;
    struct pc_error err;
    enum pc_status status;
    unsigned stream;
    uint64_t cycles = 0;
    size_t n = 0;

    assert_non_null(bit);
    on.clock.var = text_find(wave, clock);
    on.iff.var = text_find(wave, reset);
    for (size_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < row[i].width; k++)
            bit[n++] = (struct pc_wave_bit){ row[i].var, k };
    test_ok(pc_wave_bind(wave, &on, bit, bits, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &block, &err)) == PC_OK) {
        assert_int_equal(block.first_cycle, cycles);
        cycles += block.cycles;
        add_block(row, rows, &block);
    }
    assert_int_equal(status, PC_END);
    pc_wave_close(wave);
    free(bit);
    return cycles;
}

static void compare_edges(const char *file, json_t *truth, struct row *row, size_t rows)
{
    const char *clock = json_string_value(json_object_get(truth, "clock"));
    const char *reset = strncmp(clock, "TOP.", 4) == 0 ? "TOP.rst_ni" : "testbench.resetn";

    for (size_t first = 0; first < rows;) {
        size_t n = 0, bits = 0;
        while (first + n < rows && (n == 0 || bits + row[first + n].width <= PASS_BITS))
            bits += row[first + n++].width;
        uint64_t cycles = sample_rows(file, clock, reset, row + first, n, bits);
        expect(file, "edges out of reset", json_object_get(truth, "posedges_out_of_reset"), cycles);
        first += n;
    }
    for (size_t i = 0; i < rows; i++) {
        json_t *t = row[i].truth;
        expect(row[i].name, "edges_nonzero", cell(t, "edges_nonzero", 0), row[i].nonzero);
        if (json_is_object(t)) {
            expect(row[i].name, "edges_unknown", json_object_get(t, "edges_unknown"),
                   row[i].unknown);
            expect(row[i].name, "ones", json_object_get(t, "sum_of_bits_over_edges"), row[i].ones);
        }
    }
}

/*
 * Rises and falls in the file, whatever the clock does.  The truth's "changes" leave out
 * records that repeat a value, and are not comparable.
 */
static void compare_activity(const char *file, json_t *truth, const struct row *row, size_t rows)
{
    struct pc_wave *wave = open_wave(file);
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes, sizeof *activity);
    assert_non_null(activity);
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    expect(file, "time_first", json_object_get(truth, "time_first"), totals.time_first);
    expect(file, "time_last", json_object_get(truth, "time_last"), totals.time_last);
    for (size_t i = 0; i < rows; i++) {
        struct pc_wave_var var;
        json_t *t = row[i].truth;
        assert_int_equal(pc_wave_get_var(wave, row[i].var, &var), PC_OK);
        const struct pc_var_activity *a = &activity[var.code];
        expect(row[i].name, "rises", cell(t, "rises", 2), a->rises);
        expect(row[i].name, "falls", cell(t, "falls", 3), a->falls);
    }
    free(activity);
    pc_wave_close(wave);
}

static void check_file(const char *file, const char *truth_file, size_t at_least)
{
    json_t *truth = open_truth(truth_file);
    size_t rows;
    struct row *row = list_rows(file, json_object_get(truth, "signals"), &rows);

    differing = 0;
    assert_true(rows >= at_least);
    compare_edges(file, truth, row, rows);
    compare_activity(file, truth, row, rows);
    free(row);
    json_decref(truth);
    assert_int_equal(differing, 0);
}

static void picorv32_vcd_gz(void **state)
{
    (void)state;
    check_file("waves/picorv32/picorv32_dhry2_icarus.vcd.gz",
               "waves/picorv32/picorv32_dhry2_icarus.truth.json", 266);
}

/* All edges, in and out of reset, and events that are several wires at once. */
static void picorv32_conjunctions(void **state)
{
    static const char *const names[] = { "mem_valid", "mem_ready", "mem_instr",
                                         "launch_next_insn" };
    struct pc_wave *wave = open_wave("waves/picorv32/picorv32_dhry2_icarus.vcd.gz");
    struct pc_wave_clock on = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit[4] = { { 0, 0 } };
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream;
    uint64_t cycles = 0, handshakes = 0, fetches = 0, insns = 0;

    (void)state;
    on.clock.var = text_find(wave, "testbench.clk");
    for (size_t i = 0; i < 4; i++) {
        char full[100];
        snprintf(full, sizeof full, "testbench.uut.%s", names[i]);
        bit[i].var = text_find(wave, full);
    }
    test_ok(pc_wave_bind(wave, &on, bit, 4, &stream, &err), &err);
    while (pc_wave_next(wave, &b, &err) == PC_OK) {
        cycles += b.cycles;
        for (size_t w = 0; w < (b.cycles + 63) / 64; w++) {
            uint64_t both = b.value[0][w] & b.value[1][w];
            handshakes += ones_of(both);
            fetches += ones_of(both & b.value[2][w]);
            insns += ones_of(b.value[3][w]);
        }
    }
    pc_wave_close(wave);
    assert_int_equal(cycles, 83781);
    assert_int_equal(handshakes, 21237);
    assert_int_equal(fetches, 16452);
    assert_int_equal(insns, 14452); /* what the program's own rdinstret counts in */
}

/* Another simulator: values of the edge stand in its own timestamp, before the clock. */
static void towers_vcd_gz(void **state)
{
    struct pc_wave *wave = open_wave("waves/cva6/cva6_towers_verilator.vcd.gz");
    json_t *truth = open_truth("waves/cva6/cva6_towers.truth.json");
    json_t *high = json_object_get(truth, "signal_high_cycles");
    static const char *const names[] = { "l1_icache_miss_i", "l1_dcache_miss_i", "sb_full_i",
                                         "if_empty_i", "stall_issue_i" };
    struct pc_wave_clock on = { .edge = PC_EDGE_POS, .has_iff = true };
    struct pc_wave_bit bit[5] = { { 0, 0 } };
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream;
    uint64_t cycles = 0, count[5] = { 0 };

    (void)state;
    on.clock.var = text_find(wave, "TOP.clk_i");
    on.iff.var = text_find(wave, "TOP.rst_ni");
    for (size_t i = 0; i < 5; i++) {
        char full[100];
        snprintf(full, sizeof full, "perf_counters_i.%s", names[i]);
        bit[i].var = text_find(wave, full);
    }
    test_ok(pc_wave_bind(wave, &on, bit, 5, &stream, &err), &err);
    while (pc_wave_next(wave, &b, &err) == PC_OK) {
        cycles += b.cycles;
        for (size_t i = 0; i < 5; i++)
            for (size_t w = 0; w < (b.cycles + 63) / 64; w++)
                count[i] += ones_of(b.value[i][w]);
    }
    pc_wave_close(wave);
    differing = 0;
    expect("towers", "edges", json_object_get(truth, "posedges_out_of_reset"), cycles);
    for (size_t i = 0; i < 5; i++)
        expect(names[i], "high cycles", json_object_get(high, names[i]), count[i]);
    json_decref(truth);
    assert_int_equal(differing, 0);
}

static void picorv32_fst(void **state)
{
    (void)state;
    check_file("waves/picorv32/picorv32_dhry_icarus.fst",
               "waves/picorv32/picorv32_dhry_icarus.truth.json", 266);
}

static void towers_fullcore_fst(void **state)
{
    (void)state;
    check_file("waves/cva6/cva6_towers_fullcore.fst", "waves/cva6/cva6_towers_fullcore.truth.json",
               3931);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picorv32_vcd_gz),     cmocka_unit_test(picorv32_conjunctions),
        cmocka_unit_test(towers_vcd_gz),       cmocka_unit_test(picorv32_fst),
        cmocka_unit_test(towers_fullcore_fst),
    };

    return cmocka_run_group_tests_name("wave/truth", tests, NULL, NULL);
}
