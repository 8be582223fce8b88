/* SPDX-License-Identifier: MIT */
/* See report_percentile.h. */
#include "report/report_percentile.h"

#include <string.h>

enum { WHOLE = 1000000, DIGITS = 4 }; /* digits after the point */

uint32_t rep_percentile_rank(const char *text)
{
    const size_t length = strlen(text);
    struct pc_decimal d;
    size_t used;

    if (pc_decimal_parse(text, length, &d, &used) != PC_OK || used != length || d.number > WHOLE ||
        d.exponent < -DIGITS)
        return 0;
    for (int i = -d.exponent; i < DIGITS; i++)
        d.number *= 10;
    return d.number <= WHOLE ? (uint32_t)d.number : 0;
}

static int take(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct rep_percentiles *p = field;
    const uint32_t rank = rep_percentile_rank(text);
    char *end;

    (void)row;
    if (rank == 0)
        return cli_usage(verb,
                         "--percentile takes more than 0 and up to 100, with up to four decimals, "
                         "like 99.9; not \"%s\"",
                         text);
    for (size_t i = 0; i < p->count; i++)
        if (p->of[i].rank == rank)
            return CLI_OK;
    if (p->count == REP_PERCENTILES)
        return cli_usage(verb, "--percentile can be given %d times", REP_PERCENTILES);
    p->of[p->count].rank = rank;
    char *out = p->of[p->count++].text;
    snprintf(out, sizeof p->of[0].text, "%lu.%04lu", (unsigned long)(rank / 10000),
             (unsigned long)(rank % 10000));
    end = out + strlen(out);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
    return CLI_OK;
}

const struct opt_kind rep_opt_percentile = { .value = "P", .take = take };

bool rep_is_rank(const char *name)
{
    for (unsigned r = 0; r < PC_RANKS; r++)
        if (strcmp(name, pc_rank_name(r)) == 0)
            return true;
    return false;
}

bool rep_percentile_of(const struct pc_dist *dist, const struct pc_dist_figures *f, uint32_t rank,
                       struct pc_wide *out)
{
    const uint64_t count = f->count;
    const uint64_t wanted = count / WHOLE * rank + (count % WHOLE * rank + WHOLE - 1) / WHOLE;
    uint64_t before = 0, times;

    if (count == 0 || !f->complete)
        return false;
    for (size_t i = 0; pc_dist_value(dist, i, out, &times); i++) {
        before += times;
        if (before >= wanted)
            return true;
    }
    return false;
}

void rep_put_percentiles(struct rep *rep, unsigned field, const struct pc_dist *dist,
                         const struct pc_dist_figures *f, const struct rep_percentiles *p)
{
    char text[PC_WIDE_TEXT];
    struct pc_wide value;

    for (size_t i = 0; p && i < p->count; i++) {
        const bool known = rep_percentile_of(dist, f, p->of[i].rank, &value);
        if (known)
            pc_wide_text(value, text);
        rep_named(rep, field, p->of[i].text, known ? rep_digits(text) : rep_null());
    }
}

bool rep_has_percentiles(const struct rep_tree *map)
{
    return map && map->what == TREE_MAP && map->children > 0;
}

void rep_print_percentiles(FILE *out, const struct rep_tree *map, const char *unit)
{
    for (size_t n = 0; n < map->children; n++) {
        const struct rep_tree *p = &map->child[n];
        char digits[PC_WIDE_TEXT] = "-";
        if (p->what == TREE_INT)
            pc_wide_text(tree_wide(p->n), digits);
        fprintf(out, "%s p%s %s", n ? "," : "", p->key, digits);
    }
    fprintf(out, "%s%s\n", unit[0] ? " " : "", unit);
}
