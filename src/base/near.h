/* SPDX-License-Identifier: MIT */
/* "Did you mean": the names nearest to one that does not exist. */
#ifndef PC_BASE_NEAR_H
#define PC_BASE_NEAR_H

#include <stddef.h>

#define PC_NEAR_MAX 4

/* Offer candidates one by one; the best few are kept.  Names are not copied. */
struct pc_near {
    const char *wanted;
    const char *name[PC_NEAR_MAX];
    unsigned distance[PC_NEAR_MAX];
    size_t count;
};

void pc_near_begin(struct pc_near *near, const char *wanted);
void pc_near_offer(struct pc_near *near, const char *candidate);
/* Offers a candidate by another text that is compared; only the candidate is kept. */
void pc_near_offer_as(struct pc_near *near, const char *candidate, const char *compared);
/* Writes "a, b, c" of those that are near enough to be worth a mention; "" if none. */
void pc_near_text(const struct pc_near *near, char *out, size_t size);

#endif
