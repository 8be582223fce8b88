/* SPDX-License-Identifier: MIT */
/* Sizes that do not fit (base/alloc.h), arrays that grow and are trimmed, and names that are near.
 */
#include "heap.h"
#include "base/alloc.h"
#include "base/near.h"

#include <string.h>

static void sizes_that_do_not_fit(void **state)
{
    size_t out = 7;

    (void)state;
    assert_true(pc_size_mul(SIZE_MAX, 1, &out) && out == SIZE_MAX);
    assert_true(pc_size_mul(0, SIZE_MAX, &out) && out == 0);
    assert_false(pc_size_mul(SIZE_MAX, 2, &out));
    assert_false(pc_size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_true(pc_size_add(SIZE_MAX, 0, &out) && out == SIZE_MAX);
    assert_false(pc_size_add(SIZE_MAX, 1, &out));
    assert_null(pc_calloc(&(struct pc_alloc){ .resize = test_heap_resize }, SIZE_MAX, 2));
    assert_null(pc_calloc(&(struct pc_alloc){ .resize = test_heap_resize }, 0, 8));
}

/* What fails leaves the array as it was. */
static void arrays_grow(void **state)
{
    struct test_heap heap = { .limit = 1 << 12 };
    const struct pc_alloc alloc = { .ctx = &heap, .resize = test_heap_resize };
    size_t capacity = 0;
    uint64_t *array = NULL;

    (void)state;
    assert_true(pc_grow(&alloc, (void **)&array, &capacity, 17, sizeof *array));
    assert_int_equal(capacity, 32);
    assert_int_equal(heap.live, 32 * sizeof *array);
    array[16] = 5;
    uint64_t *const was = array;
    assert_true(pc_grow(&alloc, (void **)&array, &capacity, 32, sizeof *array));
    assert_false(pc_grow(&alloc, (void **)&array, &capacity, 1000, sizeof *array));
    assert_false(pc_grow(&alloc, (void **)&array, &capacity, SIZE_MAX, 1));
    assert_false(pc_grow(&alloc, (void **)&array, &capacity, SIZE_MAX / 4, sizeof *array));
    assert_ptr_equal(array, was);
    assert_int_equal(capacity, 32);
    assert_int_equal(array[16], 5);
    assert_true(pc_trim(&alloc, (void **)&array, &capacity, 32, sizeof *array));
    assert_ptr_equal(array, was); /* it has nothing to spare */
    assert_true(pc_trim(&alloc, (void **)&array, &capacity, 17, sizeof *array));
    assert_int_equal(capacity, 17);
    assert_int_equal(array[16], 5);
    heap.fail_on = true;
    heap.fail_at = heap.calls + 1;
    assert_false(pc_trim(&alloc, (void **)&array, &capacity, 3, sizeof *array));
    assert_int_equal(capacity, 17);
    pc_free(&alloc, array, capacity * sizeof *array);
    assert_int_equal(heap.live, 0);
}

/* The nearest first; only whole names, as many as there is room for. */
static void names_that_are_near(void **state)
{
    static const char *const offered[] = { "", "clock", "CLK", "reset", "clk_i", "my_clk", "clj" };
    static const struct {
        size_t size;
        const char *text;
    } cases[] = {
        { 64, "CLK, clk_i, my_clk, clj" },
        { 24, "CLK, clk_i, my_clk, clj" },
        { 23, "CLK, clk_i, my_clk" },
        { 11, "CLK, clk_i" },
        { 10, "CLK" },
        { 3, "" },
        { 1, "" },
    };
    struct pc_near near;
    char out[64] = "?";

    (void)state;
    pc_near_begin(&near, "clk");
    for (size_t i = 0; i < sizeof offered / sizeof offered[0]; i++)
        pc_near_offer(&near, offered[i]);
    pc_near_text(&near, out, 0);
    assert_string_equal(out, "?");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pc_near_text(&near, out, cases[i].size);
        assert_string_equal(out, cases[i].text);
    }
    pc_near_begin(&near, "clk");
    pc_near_offer(&near, "reset");
    pc_near_text(&near, out, sizeof out);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_do_not_fit),
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(names_that_are_near),
    };

    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
