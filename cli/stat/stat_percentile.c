/* SPDX-License-Identifier: MIT */
/* --percentile: more percentiles than p50, p90 and p99. */
#include "stat.h"
#include "text/chars.h"

#include <string.h>

enum { WHOLE = 1000000, DIGITS = 4 }; /* digits after the point */

/* Reads "99.9" in millionths; 0: it is none. */
static uint32_t read_rank(const char *text)
{
    uint32_t rank = 0;
    size_t whole = strspn(text, "0123456789"), part = 0;

    if (whole == 0 || whole > 3)
        return 0;
    for (size_t i = 0; i < whole; i++)
        rank = 10 * rank + (uint32_t)(text[i] - '0');
    if (text[whole] == '.') {
        part = strspn(text + whole + 1, "0123456789");
        if (part == 0 || part > DIGITS)
            return 0;
    }
    for (size_t i = 0; i < DIGITS; i++)
        rank = 10 * rank + (uint32_t)(i < part ? text[whole + 1 + i] - '0' : 0);
    return text[whole + (part > 0) + part] == '\0' && rank <= WHOLE ? rank : 0;
}

static int take(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_percentiles *p = field;
    const uint32_t rank = read_rank(text);
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
    if (p->count == STAT_PERCENTILES)
        return cli_usage(verb, "--percentile can be given %d times", STAT_PERCENTILES);
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

const struct opt_kind stat_percentile = { .value = "P", .take = take };

bool stat_percentile_of(const struct stat_dist *dist, uint32_t rank, struct pc_wide *out)
{
    const uint64_t count = dist->f.count;
    const uint64_t wanted = count / WHOLE * rank + (count % WHOLE * rank + WHOLE - 1) / WHOLE;
    uint64_t before = 0, times;

    if (count == 0 || !dist->f.complete)
        return false;
    for (size_t i = 0; pc_dist_value(dist->dist, i, out, &times); i++) {
        before += times;
        if (before >= wanted)
            return true;
    }
    return false;
}
