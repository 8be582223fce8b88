/* SPDX-License-Identifier: MIT */
/*
 * Spans of a waveform on the command line, for all verbs alike: 1520 or 1520c is cycles of the
 * clock, 15.2us a time (s, ms, us, ns, ps, fs).
 */
#ifndef PC_CLI_SPAN_H
#define PC_CLI_SPAN_H

#include "cli.h"

/* The unit of a number without one. */
enum cli_span_plain { CLI_SPAN_CYCLES, CLI_SPAN_UNITS };
/* Returns what an option takes, for messages. */
const char *cli_span_forms(enum cli_span_plain plain);

/*
 * number * 10^exponent seconds, the last `decimals` digits after the point; or cycles, or time
 * units where there is no clock.
 */
struct cli_span {
    const char *text; /* as given; NULL: it was not */
    bool in_cycles;
    uint64_t number;
    int exponent, decimals;
};

/* Returns NULL, or what is wrong with it, at *column. */
const char *cli_span_parse(const char *text, enum cli_span_plain plain, struct cli_span *out,
                           uint32_t *column);
/* Takes the value of an option; an exit code, told. */
int cli_span_take(const char *verb, const char *option, const char *text, enum cli_span_plain plain,
                  struct cli_span *out);
/* Time units of a waveform, and a part of one: part / per, less than 1. */
struct cli_ticks {
    uint64_t whole, part, per;
};
/*
 * Converts a time to time units of a waveform whose unit is known; what is below 10^-19 of one
 * keeps `part` from being 0 only. false: that is more than 64 bits hold.
 */
bool cli_span_ticks(const struct cli_span *span, const struct pc_wave_info *info,
                    struct cli_ticks *out);

/* --from and --to: cycles [first, end) of a clock. */
struct cli_window {
    struct cli_span from, to;
    /* UINT64_MAX: not known, or up to the last cycle */
    uint64_t first, end;
    uint64_t from_ticks, to_ticks; /* --from and --to as times: the first time unit at or after */
    bool begun, ended; /* ... while edges are looked at: the first is found, and the end */
    /* where the times of cycles were looked at: of the first one, and of the last one */
    bool timed;
    uint64_t first_time, last_time;
};

/* Checks whether a window is given that cannot hold a cycle. An exit code. */
int cli_window_check(const char *verb, const struct cli_window *w);
static inline bool cli_window_given(const struct cli_window *w)
{
    return w->from.text || w->to.text;
}
static inline bool cli_window_by_time(const struct cli_window *w)
{
    return (w->from.text && !w->from.in_cycles) || (w->to.text && !w->to.in_cycles);
}
/*
 * Which cycles these are, as far as that is known without the edges: where it takes their times, or
 * if these are wanted and can be had, blocks of the clock have them and are looked at in their
 * order, before they are counted.  An exit code.
 */
int cli_window_begin(struct cli_window *w, const struct pc_wave_info *info, const char *path,
                     struct pc_wave_clock *clock, bool times);
void cli_window_look(struct cli_window *w, const struct pc_wave_block *block);
/* All of that before anything is counted, by a read of the clock alone; an exit code. */
int cli_window_find(struct cli_window *w, const struct pc_wave_info *info,
                    const struct pc_wave_desc *desc, const struct pc_wave_clock *clock);

#endif
