/* SPDX-License-Identifier: MIT */
/* pcounter stat by several ranks: whose a stretch is, and what is sent of it to rank 0. */
#ifndef PC_CLI_STAT_SHARE_H
#define PC_CLI_STAT_SHARE_H

#include "stat_count.h"

/* The rank that looks at stretch number n, and whether that is this one. */
unsigned stat_share_owner(uint64_t n);
bool stat_share_mine(const struct stat_options *o, uint64_t n);

/* To rank 0: counts and summaries of a stretch.  An exit code. */
int stat_share_send(const struct stat_count *c, const struct stat_stretch *s);
/* On rank 0: the same of a stretch of another rank, which must have the same cycles. */
int stat_share_receive(const struct stat_count *c, struct pc_unit *const *before, unsigned from,
                       struct stat_stretch *s);
/* When everything is read: all ranks have had as many cycles. */
int stat_share_end(const struct stat_count *c);

#endif
