/* SPDX-License-Identifier: MIT */
/* The parts of a sum, as `pcounter merge` lists them in reports of several verbs. */
#include "report/report.h"

#define WAVEFORM                                                                                   \
    {                                                                                              \
        "waveform", REP_TEXT, .about = "the file, as it was given"                                 \
    }

/* clang-format off: rows */
const struct rep_field rep_parts_of_stat[] = {
    WAVEFORM,
    { "clock", REP_TEXT, .about = "the name of its clock, where clocks have names",
      .flags = REP_MAYBE },
    { "first", REP_COUNT, .about = "its first cycle, counted from the beginning of the waveform" },
    { "cycles", REP_COUNT, .about = "how many cycles it has" },
    { "seconds", REP_NUMBER, .about = "that they took, if it is known", .flags = REP_MAYBE },
    { .name = NULL },
};
const struct rep_field rep_parts_of_bus[] = {
    WAVEFORM,
    { "clock", REP_TEXT, .about = "the clock whose edges these are" },
    { "first", REP_COUNT, .about = "its first edge, counted from the beginning of the waveform" },
    { "cycles", REP_COUNT, .about = "how many edges it has" },
    { .name = NULL },
};
const struct rep_field rep_parts_of_activity[] = {
    WAVEFORM,
    { "first", REP_COUNT, .about = "where it begins, in time units" },
    { "cycles", REP_COUNT, .about = "how many time units it has" },
    { .name = NULL },
};
