/* SPDX-License-Identifier: MIT */
/*
 * Every truth table of four signals, on every generation and input, compiles to registers
 * that compute it: the steps of "Input selection" are done here, by hand.
 */
#include "test.h"

#include "lang/compile/compile.h"
#include "model/rules/sources.h"

static const char *const chips[] = { "NV10", "NV15", "NV20",  "NV30",  "NV40", "G80",
                                     "G84",  "G92",  "GT215", "GF100", "GK104" };

static struct cm_want want_of(const struct pc_chip *chip)
{
    struct cm_want w = { .target = { chip, 0, chip->features, -1 } };

    for (unsigned i = 0; i < CM_SELECTORS; i++)
        w.reserved[i] = PC_NO_SIGNAL;
    return w;
}

/* ARG[i] = SRC[i]: no late signals are wanted, so bits 16 and up are 0. */
static uint32_t computed(const struct cm_want *w, const struct cm_found *f, unsigned input,
                         unsigned table_size)
{
    uint32_t table = 0;

    for (unsigned state = 0; state < table_size; state++) {
        unsigned index = 0;
        for (unsigned i = 0; i < 4; i++) {
            int16_t signal = f->selector[pc_source_selector(w->target.features, input, i)];
            index |= (signal >= 10 ? state >> (signal - 10) & 1 : 1u) << i;
        }
        table |= (f->op[input] >> index & 1) << state;
    }
    return table;
}

static void every_table(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        struct cm_want w = want_of(pc_chip_find(chips[c]));
        for (uint32_t table = 0; table < 65536; table++) {
            unsigned input = table % PC_INPUT_COUNT;
            struct cm_found found;
            unsigned cone;
            for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
                w.wanted[i] = i == input;
            w.func[input] = (struct cm_func){
                .atoms = 4,
                .atom = { { 10, false }, { 11, false }, { 12, false }, { 13, false } },
                .row = { table }
            };
            assert_true(cm_solve(&w, &found));
            assert_int_equal(found.op[input] >> 16, 0);
            assert_int_equal(computed(&w, &found, input, 16), table);
            assert_true(cm_verify(&w, &found, &cone));
        }
    }
}

/* The proof is one: a wrong table, and a wrong source, do not pass. */
static void proof_can_fail(void **state)
{
    struct cm_want w = want_of(pc_chip_find("G92"));
    struct cm_found found;
    unsigned cone;

    (void)state;
    w.wanted[PC_INPUT_EVENT] = true;
    w.func[PC_INPUT_EVENT] =
        (struct cm_func){ .atoms = 2, .atom = { { 10, false }, { 11, true } }, .row = { 8 } };
    assert_true(cm_solve(&w, &found));
    assert_true(cm_verify(&w, &found, &cone));
    for (unsigned bit = 0; bit < 18; bit++) {
        struct cm_found bad = found;
        bad.op[PC_INPUT_EVENT] ^= 1u << bit;
        /* ARG2 and ARG3 are free and both signal 0, so rows 4 to 11 are reached by no state. */
        assert_int_equal(cm_verify(&w, &bad, &cone), bit >= 4 && bit < 12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_table),
                                        cmocka_unit_test(proof_can_fail) };

    return cmocka_run_group_tests_name("compile_tables", tests, NULL, NULL);
}
