/* SPDX-License-Identifier: MIT */
/* Options of verbs that read waveforms: how, which part, and where samples are taken. */
#ifndef PC_CLI_OPT_WAVE_H
#define PC_CLI_OPT_WAVE_H

#include "opt/opt.h"
#include "wave/read_options.h"
#include "wave/span.h"

extern const struct opt_kind opt_read_limit, opt_time_backwards, opt_time_unit, opt_strict,
    opt_stop;
#define OPT_READ_ROWS(S, member)                                                                   \
    { .name = "read-limit",                                                                        \
      OPT_OF(opt_read_limit, S, struct cli_read_options, member),                                  \
      .flags = OPT_RARE | OPT_READ },                                                              \
        { .name = "time-backwards",                                                                \
          OPT_OF(opt_time_backwards, S, struct cli_read_options, member),                          \
          .flags = OPT_RARE | OPT_READ },                                                          \
        { .name = "time-unit",                                                                     \
          OPT_OF(opt_time_unit, S, struct cli_read_options, member),                               \
          .flags = OPT_RARE | OPT_READ },                                                          \
    {                                                                                              \
        .name = "strict", OPT_OF(opt_strict, S, struct cli_read_options, member),                  \
        .flags = OPT_RARE | OPT_READ                                                               \
    }

/* -- COMMAND: ends it once enough was read. */
#define OPT_STOP_ROW                                                                               \
    {                                                                                              \
        .name = "stop", .kind = &opt_stop, .flags = OPT_RARE                                       \
    }

/* The part that counts, of a struct cli_window. */
extern const struct opt_kind opt_span;
/* A time of a verb without a clock, or a number of time units: a struct cli_span. */
extern const struct opt_kind opt_time;
#define OPT_WINDOW_ROWS(S, member, flags_)                                                         \
    { .name = "from",                                                                              \
      OPT_OF(opt_span, S, struct cli_span, member.from),                                           \
      .brief = "counts begin at this cycle or time: 1520, 15.2us",                                 \
      .flags = (flags_) },                                                                         \
    {                                                                                              \
        .name = "to", OPT_OF(opt_span, S, struct cli_span, member.to),                             \
        .brief = "counts end before this cycle or time", .flags = (flags_)                         \
    }

/* --sample: 1 is after the edge.  --x: the words, and the values in their order. */
extern const char *const opt_samples[], *const opt_unknowns[];
enum { OPT_X_TAINT, OPT_X_ZERO, OPT_X_ONE, OPT_X_ERROR };
#define OPT_SAMPLE_ROW(S, member, flags_)                                                          \
    {                                                                                              \
        .name = "sample", OPT_WORD(S, member, opt_samples), .value = "WHEN",                       \
        .brief = "pre-edge (default: what a flip-flop sees) or post-edge", .flags = (flags_)       \
    }
#define OPT_X_ROW(S, member, flags_)                                                               \
    {                                                                                              \
        .name = "x", OPT_WORD(S, member, opt_unknowns), .value = "HOW",                            \
        .brief = "unknown values: taint (default), zero, one, error", .flags = (flags_)            \
    }

/* A name or an expression over the signals of the waveform. */
extern const struct opt_kind opt_wave_text;
#define OPT_WAVE_TEXT(S, member) OPT_OF(opt_wave_text, S, const char *, member)

#endif
