/* SPDX-License-Identifier: MIT */
#include "opt/opt_wave.h"

#include "process/simulation.h"

#include "complete/complete.h"

static int take_limit(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct cli_read_options *o = field;

    (void)row;
    return cli_read_limits(verb, text, &o->limits);
}

static int take_backwards(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct cli_read_options *o = field;

    (void)verb, (void)row, (void)text;
    o->time_backwards = true;
    return CLI_OK;
}

static int take_unit(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_read_unit(verb, text, field);
}

static int take_strict(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct cli_read_options *o = field;

    (void)verb, (void)row, (void)text;
    o->strict = true;
    return CLI_OK;
}

static int take_span(const char *verb, const struct opt *row, const char *text, void *field)
{
    return cli_span_take(verb, opt_called(row), text, CLI_SPAN_CYCLES, field);
}

static int take_time(const char *verb, const struct opt *row, const char *text, void *field)
{
    return cli_span_take(verb, opt_called(row), text, CLI_SPAN_UNITS, field);
}

const struct opt_kind opt_read_limit = {
    .value = "NAME=N",
    .brief = "limits on what a file may declare: NAME=N[,NAME=N]",
    .more = "vars (16M), name-bytes (64K), names-total (1G), depth of scopes (4096), width (1M, up "
            "to 64M), ratio of decompression (1000)",
    .take = take_limit,
};
const struct opt_kind opt_time_backwards = {
    .brief = "hold times that run backwards until they catch up",
    .take = take_backwards,
};
const struct opt_kind opt_time_unit = {
    .value = "UNIT",
    .brief = "time unit of a file that does not declare one, like 1ps",
    .more = "some GHW files; CSV of samples, or with times in whole numbers",
    .take = take_unit,
};
static int take_stop(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row, (void)text, (void)field;
    if (!cli_simulation_name())
        return cli_usage(verb, "--stop needs a simulation: -- COMMAND");
    cli_simulation_stop_early();
    return CLI_OK;
}

const struct opt_kind opt_strict = {
    .brief = "treat warnings about the file as errors",
    .more = "VCD: also checks all values of undeclared signals, which is slower",
    .take = take_strict,
};
const struct opt_kind opt_stop = {
    .brief = "end the simulation of -- COMMAND when --to is reached",
    .take = take_stop,
};
const struct opt_kind opt_span = { .value = "WHERE", .take = take_span };
const struct opt_kind opt_time = { .value = "TIME", .take = take_time };

const struct opt_kind opt_wave_text = { .value = "EXPRESSION",
                                        .take = opt_take_text,
                                        .offer = complete_wave_names };

const char *const opt_samples[] = { "pre-edge", "post-edge", NULL };
const char *const opt_unknowns[] = { "taint", "zero", "one", "error", NULL };
