/* SPDX-License-Identifier: MIT */
/* Values of options that pcounter stat and record share. */
#ifndef PC_CLI_STAT_KIND_H
#define PC_CLI_STAT_KIND_H

#include "opt/opt_wave.h"
#include "stat/stat.h"

extern const struct opt_kind stat_kind_events, stat_kind_bind;
/* Into a struct stat_options: -e, --bind. */
#define STAT_EVENT_ROW(S, member) OPT_OF(stat_kind_events, S, struct stat_options, member)
#define STAT_BIND_ROW(S, member)  OPT_OF(stat_kind_bind, S, struct stat_options, member)

#endif
