/* SPDX-License-Identifier: MIT */
/* Figures and bars of a distribution (cli/text/spread.h), against values that are counted here. */
#include "text/spread.h"

#include <stdlib.h>
#include <string.h>

static int failures;

static void fail(const char *what, const char *name)
{
    printf("FAILED: %s: %s\n", name, what);
    failures++;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* 1, 2 or 5 times a power of ten */
static bool is_round(uint64_t step)
{
    while (step % 10 == 0)
        step /= 10;
    return step == 1 || step == 2 || step == 5;
}

static void check_bars(const char *name, const struct cli_spread *s, const uint64_t *value,
                       size_t count)
{
    uint64_t all = 0;

    if (!is_round(s->step) || s->first % s->step != 0 || s->bars > CLI_BARS)
        fail("steps are 1, 2 or 5 times a power of ten, from a multiple on", name);
    for (size_t i = 0; i < s->bars; i++) {
        uint64_t in = 0;
        for (size_t k = 0; k < count; k++)
            in += value[k] >= cli_bar_from(s, i) && value[k] <= cli_bar_to(s, i);
        if (in != s->bar[i])
            fail("a bar has another number of values", name);
        all += s->bar[i];
    }
    if (all != count || s->bar[0] == 0 || s->bar[s->bars - 1] == 0)
        fail("bars do not go from the smallest to the largest", name);
}

/* `value` is sorted here. */
static void check(const char *name, uint64_t *value, size_t count)
{
    struct pc_dist *dist;
    struct cli_spread s;
    struct pc_error err;

    if (pc_dist_create(NULL, false, &dist, &err) != PC_OK) {
        fail("no memory", name);
        return;
    }
    for (size_t i = 0; i < count; i++)
        pc_dist_add(dist, value[i], 1);
    if (cli_spread(dist, &s, &err) != PC_OK || s.count != count) {
        fail("no figures", name);
    } else if (count > 0) {
        qsort(value, count, sizeof *value, by_value);
        if (s.min != value[0] || s.max != value[count - 1] || !s.ranks)
            fail("smallest or largest", name);
        for (unsigned r = 0; r < PC_RANKS; r++)
            if (s.rank[r] != value[(pc_rank_percent(r) * count + 99) / 100 - 1])
                fail("a rank", name);
        check_bars(name, &s, value, count);
    } else if (s.bars != 0) {
        fail("bars of nothing", name);
    }
    pc_dist_destroy(dist);
}

static void check_mean(double mean, const char *wanted)
{
    char text[CLI_MEAN];

    cli_mean(mean, text);
    if (strcmp(text, wanted) != 0)
        fail(text, wanted);
}

int main(void)
{
    uint64_t one[] = { 7 }, two[] = { 0, UINT64_MAX }, high[] = { UINT64_MAX - 1, UINT64_MAX };
    uint64_t narrow[] = { 3, 3, 4, 4, 4, 9 }, wide[1000], far[] = { 999999, 1000000, 1000016 };

    for (size_t i = 0; i < 1000; i++)
        wide[i] = i * i * 37 % 65521;
    check("none", one, 0);
    check("one value", one, 1);
    check("from 0 to the largest", two, 2);
    check("the two largest", high, 2);
    check("a few", narrow, 6);
    check("a thousand", wide, 1000);
    check("far from 0", far, 3);
    check_mean(0, "0.00");
    check_mean(2.0 / 3, "0.67");
    check_mean(70000, "70,000.00");
    check_mean(1e18, "1e+18");
    return failures > 0;
}
