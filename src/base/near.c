/* SPDX-License-Identifier: MIT */
/*
 * Edit distance over a bounded prefix (64 bytes), case-insensitive.  A candidate that
 * contains the wanted text counts as near whatever its length, and most so if it begins with it.
 */
#include "base/near.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define SPAN 64

static size_t length_of(const char *text)
{
    const char *end = (const char *)memchr(text, '\0', SPAN);

    return end ? (size_t)(end - text) : SPAN;
}

/* Returns where `part` begins in the text; -1: nowhere, or it is too short to say anything. */
static ptrdiff_t find_part(const char *text, const char *part)
{
    size_t n = strlen(part);

    for (const char *at = text; n >= 2 && *at; at++) {
        size_t i = 0;
        while (i < n && at[i] && pc_lower(at[i]) == pc_lower(part[i]))
            i++;
        if (i == n)
            return at - text;
    }
    return -1;
}

static unsigned distance(const char *a, const char *b)
{
    unsigned row[SPAN + 1];
    size_t na = length_of(a), nb = length_of(b);

    for (size_t j = 0; j <= nb; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned change = diagonal + (pc_lower(a[i - 1]) != pc_lower(b[j - 1]));
            unsigned best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < best ? change : best;
        }
    }
    /* a candidate that goes on after a near beginning is nearly as good */
    unsigned best = row[nb];
    for (size_t j = 2; j < nb; j++)
        if (row[j] + 2 < best)
            best = row[j] + 2;
    return best;
}

void pc_near_begin(struct pc_near *near, const char *wanted)
{
    memset(near, 0, sizeof *near);
    near->wanted = wanted;
}

void pc_near_offer(struct pc_near *near, const char *candidate)
{
    pc_near_offer_as(near, candidate, candidate);
}

void pc_near_offer_as(struct pc_near *near, const char *candidate, const char *compared)
{
    size_t length = length_of(near->wanted), at;
    ptrdiff_t inside = find_part(compared, near->wanted);
    unsigned d = inside == 0 ? 0 : inside > 0 ? 1 : distance(near->wanted, compared);

    if (!compared[0] || d > 1 + length / 3)
        return;
    for (at = near->count; at > 0 && near->distance[at - 1] > d; at--)
        ;
    if (at >= PC_NEAR_MAX)
        return;
    if (near->count < PC_NEAR_MAX)
        near->count++;
    for (size_t i = near->count - 1; i > at; i--) {
        near->name[i] = near->name[i - 1];
        near->distance[i] = near->distance[i - 1];
    }
    near->name[at] = candidate;
    near->distance[at] = d;
}

void pc_near_text(const struct pc_near *near, char *out, size_t size)
{
    size_t used = 0;

    if (size == 0)
        return;
    out[0] = '\0';
    for (size_t i = 0; i < near->count; i++) {
        int n = snprintf(out + used, size - used, "%s%s", i ? ", " : "", near->name[i]);
        if (n < 0 || (size_t)n >= size - used) {
            out[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}
