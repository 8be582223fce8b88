/* SPDX-License-Identifier: MIT */
/*
 * Every configuration that tools in the field are known to write: each input of it becomes
 * an expression, the expressions compile for the chip, and what comes out computes the same in
 * all states.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/compile/compile.h"
#include "model/rules/lut.h"

enum { COLUMNS = 16, LINE = 4096 };
enum { CHIP, METRIC, SET, DOMAIN, CTR_MODE, PRE_SRC, PRE_OP };

struct tally {
    unsigned rows, inputs;
};

static void name_signal(void *ctx, unsigned signal, char *out, size_t size)
{
    (void)ctx;
    snprintf(out, size, "s%02x", signal);
}

/* Cells of a line without quotes in the columns that matter; the rest stays in the last. */
static void split(char *line, char *cell[COLUMNS])
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        size_t n = strcspn(line, ",\r\n");
        cell[i] = line;
        line += n + (line[n] == ',');
        cell[i][n] = '\0';
    }
}

static unsigned domain_of(const struct pc_chip *chip, const char *set, const char *domain)
{
    char name[32];
    unsigned found;
    struct pc_error err;

    if (strcmp(set, "single") == 0)
        return (unsigned)strtoul(domain, NULL, 10);
    snprintf(name, sizeof name, strcmp(set, "hub") == 0 ? "%s%s" : "%s0.%s", set, domain);
    test_ok(pc_chip_find_domain(chip, name, &found, &err), &err);
    return found;
}

/* Table of an input over all states of its sources, now and late: the first program's bits. */
static bool value(const uint32_t src, const uint32_t op, enum pc_input_id input, uint32_t features,
                  const bool now[256], const bool late[256])
{
    struct pc_args args = pc_op_args(op, cm_chains(input), features);
    bool arg[4];

    for (unsigned i = 0; i < 4; i++) {
        assert_int_not_equal(args.from[i], PC_ARG_SETFLAG);
        if (args.from[i] == PC_ARG_SRC)
            arg[i] = now[src >> (8 * i) & 0xff];
        else
            arg[i] = late[src >> (args.from[i] == PC_ARG_SRC1_LATE ? 8 : 0) & 0xff];
    }
    return pc_lut4(op, arg[0], arg[1], arg[2], arg[3]);
}

/* All states of the signals that either of the two looks at. */
static void same(uint32_t src, uint32_t op, const struct pc_program *p, enum pc_input_id input,
                 uint32_t features)
{
    uint32_t other = 0;
    unsigned signal[8], count = 0;

    for (unsigned i = 0; i < 4; i++)
        if (p->source[input][i] != PC_NO_SIGNAL)
            other |= (uint32_t)p->source[input][i] << (8 * i);
    for (unsigned i = 0; i < 8; i++) {
        unsigned s = (i < 4 ? src : other) >> (8 * (i % 4)) & 0xff, k = 0;
        while (k < count && signal[k] != s)
            k++;
        if (k == count)
            signal[count++] = s;
    }
    for (unsigned state = 0; state < 1u << (2 * count); state++) {
        bool now[256] = { false }, late[256] = { false };
        for (unsigned k = 0; k < count; k++) {
            now[signal[k]] = state >> k & 1;
            late[signal[k]] = state >> (count + k) & 1;
        }
        assert_int_equal(value(src, op, input, features, now, late),
                         value(other, p->op[input], input, features, now, late));
    }
}

static void count_as(struct pc_compile_request *r, char *cell[COLUMNS], char number[8])
{
    uint32_t src[4];

    for (unsigned i = 0; i < 4; i++)
        src[i] = (uint32_t)strtoul(cell[PRE_SRC + 2 * i], NULL, 16);
    if (strcmp(cell[CTR_MODE], "EVENT_B4") == 0 || strcmp(cell[CTR_MODE], "EVENT_B6") == 0) {
        r->sum_bits = cell[CTR_MODE][7] == '4' ? 4 : 6;
        for (unsigned i = 0; i < 4; i++)
            r->sum[i] = src[1] >> (8 * i) & 0xff;
        r->sum[4] = src[2] >> 16 & 0xff;
        r->sum[5] = src[2] >> 24;
    } else if (strcmp(cell[CTR_MODE], "SIMPLE") != 0 && cell[CTR_MODE][0] != '\0') {
        const char *digits = cell[CTR_MODE] + strcspn(cell[CTR_MODE], "567");
        assert_in_range(*digits, '5', '7');
        snprintf(number, 8, "%c", *digits);
        r->ctr_mode = number;
        for (unsigned i = 0; i < 16; i++)
            r->pinned[i / 4][i % 4] =
                (int16_t)(cell[PRE_SRC + 2 * (i / 4)][0] ? (int)(src[i / 4] >> (8 * (i % 4)) & 0xff)
                                                         : PC_NO_SIGNAL);
    }
}

static void check_row(char *cell[COLUMNS], struct tally *tally)
{
    const struct pc_chip *chip = pc_chip_find(cell[CHIP]);
    struct pc_compile_request r = { .chip = chip, .mode = PC_COUNT_QUAD };
    uint32_t src[PC_INPUT_COUNT] = { 0 }, op[PC_INPUT_COUNT] = { 0 };
    struct pc_expr *e[PC_INPUT_COUNT] = { NULL };
    struct pc_program program;
    struct pc_error err;
    char number[8];

    assert_non_null(chip);
    r.domain = domain_of(chip, cell[SET], cell[DOMAIN]);
    count_as(&r, cell, number);
    for (unsigned i = 0; i < 4; i++) {
        const char *op_cell = cell[PRE_OP + 2 * i];
        char text[512];
        if (op_cell[0] == '\0')
            continue;
        src[i] = (uint32_t)strtoul(cell[PRE_SRC + 2 * i], NULL, 16);
        op[i] = (uint32_t)strtoul(op_cell, NULL, 16);
        test_ok(pc_decompile(chip, src, op, i, name_signal, NULL, text, sizeof text, &err), &err);
        test_ok(pc_expr_parse(NULL, text, &e[i], &err), &err);
        test_ok(pc_expr_resolve(e[i], test_signal, NULL, &err), &err);
        r.input[i] = e[i];
    }
    if (pc_compile(&r, &program, &err) != PC_OK)
        fail_msg("%s %s: %s", cell[CHIP], cell[METRIC], err.text);
    for (unsigned i = 0; i < 4; i++) {
        if (!e[i])
            continue;
        same(src[i], op[i], &program, i, chip->features);
        tally->inputs++;
        pc_expr_free(e[i]);
    }
    for (unsigned i = 0; i < r.sum_bits; i++)
        assert_int_equal(program.source[i < 4 ? PC_INPUT_START : PC_INPUT_EVENT][i < 4 ? i : i - 2],
                         r.sum[i]);
    tally->rows++;
}

static void known_configurations(void **state)
{
    char path[4096], line[LINE], *cell[COLUMNS];
    const char *name = test_shared("facts/metrics.csv", path, sizeof path);
    struct tally tally = { 0 };

    (void)state;
    if (!name)
        skip();
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* names of the columns */
    while (fgets(line, sizeof line, file)) {
        split(line, cell);
        check_row(cell, &tally);
    }
    fclose(file);
    printf("%u configurations, %u inputs: all are expressions that compile to the same\n",
           tally.rows, tally.inputs);
    assert_int_equal(tally.rows, 671);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_configurations) };

    return cmocka_run_group_tests_name("compile_metrics", tests, NULL, NULL);
}
