/* SPDX-License-Identifier: MIT */
/*
 * What rules have beside logic, against C: + and - lose no carry, shifts no bit, a difference can
 * be below 0, an index out of range reads 0.
 */
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, WANT };
static const struct signal signals[] = {
    { "a", 5 }, { "b", 3 }, { "c", 1 }, { "want", 40 }, { NULL, 0 }
};

static int64_t sign5(uint64_t a)
{
    return a & 16 ? (int64_t)a - 32 : (int64_t)a;
}

struct formula {
    const char *text;
    int64_t (*value)(int64_t a, int64_t b, int64_t c);
};
#define F(name, result)                                                                            \
    static int64_t name(int64_t a, int64_t b, int64_t c)                                           \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return result;                                                                             \
    }
F(sum, a + b)
F(sum3, a + b + c)
F(difference, a - b)
F(differences, a - b - b - 9)
F(left, a << b)
F(one_left, 1 << b)
F(right, a >> b)
F(difference_right, (a - b) >> 1)
F(joined, a << 3 | b)
F(joined3, c << 5 | 2 << 3 | b)
F(bit, a >> b & 1)
F(beyond, b + 3 < 5 ? a >> (b + 3) & 1 : 0)
F(element, b == 0 ? a : b == 1 ? 6 : b == 2 ? c : b == 3 ? b : 0)
F(wide_element, b < 2 ? (a >> (b + 1)) & 1 : 0)
F(ones, __builtin_popcountll((unsigned long long)a))
F(minus, -a)
F(inverse, ~a) /* as wide as what it is used with */
F(chosen, c ? a - b : b)
F(product, (a << 2) + a)
F(signed_sum, sign5((uint64_t)a) + b)
F(less, a + 3 < b)
F(below, a - b < 0)
F(is_minus, a - b == -2)
F(is_eight, a + b == 8)
F(signed_less, sign5((uint64_t)a) < b)
F(precedence, ((a + b) << 1) > 20 && c)
F(masked, (a - b) & 15)
F(either, (a - b) | 1)

static const struct formula formulas[] = {
    { "a + b", sum },
    { "a + b + c", sum3 },
    { "a - b", difference },
    { "a - b - b - 9", differences },
    { "a << b", left },
    { "1 << b", one_left },
    { "a >> b", right },
    { "(a - b) >> 1", difference_right },
    { "{a, b}", joined },
    { "{c, 2'd2, b}", joined3 },
    { "a[b]", bit },
    { "a[b + 3]", beyond },
    { "v[b]", element },
    { "w[b]", wide_element },
    { "v[1] + v[0] - v[0]", NULL },
    { "countones(a)", ones },
    { "-a", minus },
    { "~a", inverse },
    { "c ? a - b : b", chosen },
    { "(a << 2) + a", product },
    { "$signed(a) + b", signed_sum },
    { "a + 3 < b", less },
    { "a - b < 0", below },
    { "a - b == -2", is_minus },
    { "a + b == 8", is_eight },
    { "$signed(a) < b", signed_less },
    { "a + b << 1 > 20 & c", precedence },
    { "(a - b) & 15", masked },
    { "(a - b) | 1", either },
};
enum { FORMULAS = sizeof formulas / sizeof formulas[0] };

static int64_t value_of(const struct formula *f, int64_t a, int64_t b, int64_t c)
{
    return f->value ? f->value(a, b, c) : 6;
}

static void check_formula(struct design *d, const struct formula *f)
{
    static const char *const v[] = { "a", "3'd6", "c", "b" };
    static const char *const w[] = { "a[1]", "a[2]" };
    const struct pc_core_vector vectors[] = { { "v", v, 4, NULL }, { "w", w, 2, NULL } };
    const struct pc_core_rule rule = { .action = PC_CORE_ADD, .value = "1" };
    const struct pc_core_register reg = { "unused", 4, NULL, "0", &rule, 1 };
    char that[200];
    const struct pc_core_check check = { "formula", NULL, that };
    const struct pc_core_desc desc = {
        .vector = vectors, .vectors = 2, .reg = &reg, .regs = 1, .check = &check, .checks = 1
    };

    snprintf(that, sizeof that, "((%s) & 40'hffffffffff) == want", f->text);
    for (size_t t = 0; t < CYCLES; t++)
        d->value[WANT][t] = (uint64_t)value_of(f, (int64_t)d->value[A][t], (int64_t)d->value[B][t],
                                               (int64_t)d->value[C][t]) &
                            UINT64_C(0xffffffffff);
    struct pc_core *core = design_core(d, &desc);
    struct pc_core_figures figures;
    design_run(d, core, NULL);
    pc_core_get_check(core, 0, &figures);
    if (d->checks)
        fail_msg("%s is wrong, first at cycle %llu: a %llu, b %llu, c %llu", f->text,
                 (unsigned long long)d->first, (unsigned long long)d->value[A][d->first],
                 (unsigned long long)d->value[B][d->first],
                 (unsigned long long)d->value[C][d->first]);
    assert_int_equal(figures.compared, CYCLES);
    pc_core_destroy(core);
}

static void numbers_are_as_in_c(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    uint64_t seed;
    struct test_rng rng = test_rng_start(42, &seed);

    (void)state;
    assert_non_null(d);
    d->signal = signals;
    for (size_t t = 0; t < CYCLES; t++) {
        const uint64_t r = t < 512 ? t : test_rand(&rng); /* all of them at least once */
        d->value[A][t] = r & 31;
        d->value[B][t] = r >> 5 & 7;
        d->value[C][t] = r >> 8 & 1;
    }
    for (size_t i = 0; i < FORMULAS; i++)
        check_formula(d, &formulas[i]);
    free(d);
}

/* --- what is refused, and where --- */

static void expect_error(const char *value, unsigned code, unsigned column)
{
    const struct pc_core_rule rule = { .action = PC_CORE_ADD, .value = value };
    const struct pc_core_register reg = { "unused", 4, NULL, "0", &rule, 1 };
    const struct pc_core_desc desc = { .reg = &reg, .regs = 1 };
    struct design *d = calloc(1, sizeof *d);
    struct pc_core_place place;
    struct pc_core *core = NULL;
    struct pc_error err = { .code = 0 };

    assert_non_null(d);
    d->signal = signals;
    enum pc_status status = pc_core_create(&desc, &core, &place, &err);
    if (status == PC_OK)
        status = pc_core_resolve(core, design_look_up, d, &place, &err);
    assert_int_not_equal(status, PC_OK);
    if (err.code != code || (column && err.column != column) || place.what != PC_CORE_VALUE)
        fail_msg("%s: code %u at column %u: %s", value, err.code, err.column, err.text);
    pc_core_destroy(core);
    free(d);
}

static void errors_have_their_place(void **state)
{
    (void)state;
    expect_error("a +", 301, 4);
    expect_error("{a, 5}", 302, 5);
    expect_error("{a, b", 301, 6);
    expect_error("a[b", 301, 4);
    expect_error("(a + b)[c]", 301, 8);
    expect_error("a * b", 301, 3);
    expect_error("count(a)", 305, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_as_in_c),
        cmocka_unit_test(errors_have_their_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
