/* SPDX-License-Identifier: MIT */
#include "stat_kind.h"

#include "complete/complete.h"

static int take_events(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return stat_parse_events(field, "-e", text);
}

static int take_bind(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return stat_bind_add(field, text);
}

const struct opt_kind stat_kind_events = { .value = "EVENT",
                                           .take = take_events,
                                           .offer = complete_wave_names };
const struct opt_kind stat_kind_bind = {
    .value = "DOM=VECTOR",
    .brief = "VECTOR[0] is signal 0 of domain DOM of -a: 1=tb.signals",
    .take = take_bind,
    .offer = complete_after_equals,
};
