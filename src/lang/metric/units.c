/* SPDX-License-Identifier: MIT */
/* The units of metrics: what each is of, and how much. */
#include "lang/metric/parser.h"

#include <string.h>

#define KI 1024.0

static const struct me_unit units[] = {
    { "count", "count", PC_METRIC_AMOUNT, 0, 1 },
    { "cycles", "cycles", PC_METRIC_AMOUNT, 0, 1 },
    { "B", "B", PC_METRIC_BYTES, 0, 1 },
    { "kB", "B", PC_METRIC_BYTES, 3, 1 },
    { "MB", "B", PC_METRIC_BYTES, 6, 1 },
    { "GB", "B", PC_METRIC_BYTES, 9, 1 },
    { "KiB", "B", PC_METRIC_BYTES, 0, KI },
    { "MiB", "B", PC_METRIC_BYTES, 0, KI *KI },
    { "GiB", "B", PC_METRIC_BYTES, 0, KI *KI *KI },
    { "ratio", "ratio", PC_METRIC_RATIO, 0, 1 },
    { "%", "ratio", PC_METRIC_RATIO, -2, 1 },
    { "s", "s", PC_METRIC_TIME, 0, 1 },
    { "ms", "s", PC_METRIC_TIME, -3, 1 },
    { "us", "s", PC_METRIC_TIME, -6, 1 },
    { "ns", "s", PC_METRIC_TIME, -9, 1 },
    { "ps", "s", PC_METRIC_TIME, -12, 1 },
    { "fs", "s", PC_METRIC_TIME, -15, 1 },
    { "count/s", "count/s", PC_METRIC_RATE, 0, 1 },
    { "cycles/s", "cycles/s", PC_METRIC_RATE, 0, 1 },
    { "Hz", "Hz", PC_METRIC_RATE, 0, 1 },
    { "kHz", "Hz", PC_METRIC_RATE, 3, 1 },
    { "MHz", "Hz", PC_METRIC_RATE, 6, 1 },
    { "GHz", "Hz", PC_METRIC_RATE, 9, 1 },
    { "B/s", "B/s", PC_METRIC_BYTE_RATE, 0, 1 },
    { "kB/s", "B/s", PC_METRIC_BYTE_RATE, 3, 1 },
    { "MB/s", "B/s", PC_METRIC_BYTE_RATE, 6, 1 },
    { "GB/s", "B/s", PC_METRIC_BYTE_RATE, 9, 1 },
    { "KiB/s", "B/s", PC_METRIC_BYTE_RATE, 0, KI },
    { "MiB/s", "B/s", PC_METRIC_BYTE_RATE, 0, KI *KI },
    { "GiB/s", "B/s", PC_METRIC_BYTE_RATE, 0, KI *KI *KI },
    { "ratio/s", "ratio/s", PC_METRIC_RATIO_RATE, 0, 1 },
    { "%/s", "ratio/s", PC_METRIC_RATIO_RATE, -2, 1 },
};

static const struct {
    const char *word, *unit;
} other_words[] = { { "bytes", "B" }, { "bytes/s", "B/s" }, { "/s", "count/s" } };

static bool is_name(const char *text, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(text, name, size) == 0;
}

const struct me_unit *me_unit(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof other_words / sizeof other_words[0]; i++)
        if (is_name(name, size, other_words[i].word))
            return me_unit(other_words[i].unit, strlen(other_words[i].unit));
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (is_name(name, size, units[i].name))
            return &units[i];
    return NULL;
}

const struct me_unit *me_default_unit(enum pc_metric_kind kind)
{
    if (kind == PC_METRIC_PART)
        kind = PC_METRIC_RATIO;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i].kind == kind)
            return &units[i];
    return NULL;
}

const char *pc_metric_kind_text(enum pc_metric_kind kind)
{
    static const char *const texts[] = {
        "a number", "an amount",          "an amount of bytes",          "a ratio",
        "a time",   "an amount a second", "an amount of bytes a second", "a ratio a second"
    };

    return (unsigned)kind < sizeof texts / sizeof texts[0] ? texts[kind] : "";
}
